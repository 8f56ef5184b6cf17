# The tests once more, on a library and a program that are compiled under sanitizers, with assertions. `make sanitize` builds
# and runs them. The tests themselves are not compiled again: that would take as long as all the rest. The library's objects
# stand before those of the tests, so that the linker takes the instrumented copy of a function that is inline in both.
function(compile_under name sanitizers)
  set(flags -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  set(settings driftless_${name}_settings)
  add_library(${settings} INTERFACE)
  # With instrumentation GCC warns of faults that are not there, so -w; the plain build has all warnings as errors. The checks
  # for null and misaligned pointers are left out because they take a third of the compile time; the fuzzers have them.
  target_compile_options(${settings} INTERFACE ${flags} -fno-sanitize=null,alignment ${quick_to_compile} -g1 -UNDEBUG -w)
  target_link_options(${settings} INTERFACE ${flags})

  # All parts of the library as one.
  set(library driftless_${name}_library)
  add_library(${library} OBJECT EXCLUDE_FROM_ALL)
  foreach(part ${driftless_parts})
    foreach(property SOURCES COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_LIBRARIES)
      get_target_property(values driftless_${part} ${property})
      list(FILTER values EXCLUDE REGEX "^driftless_|-NOTFOUND$")  # the other parts come by themselves
      if(property STREQUAL "SOURCES")
        target_sources(${library} PRIVATE ${values})
      else()
        set_property(TARGET ${settings} APPEND PROPERTY INTERFACE_${property} ${values})
      endif()
    endforeach()
  endforeach()
  target_link_libraries(${library} PRIVATE ${settings})
  get_target_property(precompiled driftless_core PRECOMPILE_HEADERS)
  target_precompile_headers(${library} PRIVATE ${precompiled})
  compile_by_folder(${library})

  add_executable(driftless_${name} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${library}> driftless/cli/main.cpp)
  target_link_libraries(driftless_${name} PRIVATE ${settings})
  add_executable(driftless_${name}_tests EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${library}>
    $<TARGET_OBJECTS:driftless_test_objects> $<TARGET_OBJECTS:driftless_test_support>)
  target_link_libraries(driftless_${name}_tests PRIVATE ${settings} driftless_test_settings GTest::gtest_main)
  # clang-tidy looks at every file once, as the plain build compiles it.
  set_target_properties(${library} driftless_${name} driftless_${name}_tests PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
endfunction()

compile_under(asan address,undefined)
compile_under(tsan thread)
add_executable(driftless_asan_mpi_tests EXCLUDE_FROM_ALL $<TARGET_OBJECTS:driftless_asan_library>
  $<TARGET_OBJECTS:driftless_mpi_test_objects>)
target_link_libraries(driftless_asan_mpi_tests PRIVATE driftless_asan_settings driftless_test_settings)

add_custom_target(driftless_asan_all DEPENDS driftless_asan driftless_asan_tests driftless_asan_mpi_tests driftless_program_tests)
add_custom_target(driftless_tsan_all DEPENDS driftless_tsan driftless_tsan_tests driftless_program_tests)
foreach(name asan tsan)
  foreach(suite peers sites)
    set(executable driftless_${name}_${suite}_tests)
    add_executable(${executable} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:driftless_${name}_library>
      $<TARGET_OBJECTS:driftless_${suite}_test_objects> $<TARGET_OBJECTS:driftless_test_support>)
    target_link_libraries(${executable} PRIVATE driftless_${name}_settings driftless_test_settings)
    add_dependencies(driftless_${name}_all ${executable})
    set(test ${name}.${suite})
    add_test(NAME ${test} CONFIGURATIONS Sanitize COMMAND ${executable} --gtest_brief=1)
    set_tests_properties(${test} PROPERTIES LABELS ${name} TIMEOUT 600)
  endforeach()
  target_link_libraries(driftless_${name}_peers_tests PRIVATE GTest::gtest_main)
endforeach()

# add_shards(SANITIZER SUITE COUNT FILTER): the tests of the suite Units or Program that the filter chooses, dealt out to so many
# processes. `ctest -C Sanitize` runs them; the label is the sanitizer's name in small letters.
function(add_shards sanitizer suite count filter)
  string(TOLOWER ${sanitizer} label)
  set(name ${sanitizer}.${suite})
  if(suite STREQUAL "Units")
    set(plain driftless_tests)
    set(executable driftless_${label}_tests)
  else()
    set(plain driftless_program_tests)
    set(executable driftless_program_tests)
  endif()
  foreach(shard RANGE 1 ${count})
    math(EXPR index "${shard} - 1")
    set(test ${name}.${shard}Of${count})
    add_test(NAME ${test} CONFIGURATIONS Sanitize COMMAND ${executable} --gtest_brief=1)
    set_tests_properties(${test} PROPERTIES LABELS ${label} COST 1000 TIMEOUT 1200 ENVIRONMENT
      "GTEST_TOTAL_SHARDS=${count};GTEST_SHARD_INDEX=${index};GTEST_FILTER=${filter};RC_PARAMS=seed=2023;DRIFTLESS_PROGRAM=$<TARGET_FILE:driftless_${label}>")
  endforeach()
  # GoogleTest passes when a filter matches nothing. The plain executable holds the same tests, so `make test` notices.
  add_test(NAME Filters.${name}MatchTests COMMAND ${PROJECT_SOURCE_DIR}/tests/sanitized/filter_matches
    $<TARGET_FILE:${plain}> ${filter})
endfunction()

# Under a limit on memory AddressSanitizer has no room.
add_shards(Asan Units 6 *)
add_shards(Asan Program 8 -LostRank.ThatHasTooLittleMemory*)
add_shards(Tsan Units 2 Determinism.E*:Determinism.ARun*:*LocalNetwork*:Local/*:LearningRun*:DataProblem*)
add_shards(Tsan Program 1 Sweep*)
foreach(ranks 2 5)
  set(test Asan.Network.${ranks}Ranks)
  add_mpi_test(${test} ${ranks} driftless_asan_mpi_tests CONFIGURATIONS Sanitize)
  # MPI's library leaves much behind.
  set_tests_properties(${test} PROPERTIES LABELS asan ENVIRONMENT "LSAN_OPTIONS=detect_leaks=0;${mpi_environment}")
endforeach()

# The extension module of Python by its own tests. The interpreter is not instrumented, so the sanitizer's library is loaded before
# it, and memory of Python's objects comes from malloc, which is watched. Left out: what starts node, torch, or several ranks,
# and what measures memory.
if(TARGET driftless_python)
  set(folder ${PROJECT_BINARY_DIR}/asan/python)
  pybind11_add_module(driftless_asan_core MODULE NO_EXTRAS EXCLUDE_FROM_ALL
    ${python_sources} ${python_entry} $<TARGET_OBJECTS:driftless_asan_library>)
  set_target_properties(driftless_asan_core PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${folder}/driftless
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON EXPORT_COMPILE_COMMANDS OFF)
  target_compile_definitions(driftless_asan_core PRIVATE DRIFTLESS_PYTHON_MODULE=_core)
  target_link_libraries(driftless_asan_core PRIVATE driftless_asan_settings Python::NumPy)
  compile_by_folder(driftless_asan_core)
  link_python_files(${folder}/driftless)
  add_dependencies(driftless_asan_all driftless_asan_core)

  # The sanitizer looks for the C++ library's functions when it begins, and python3 alone would not have loaded it.
  set(preloaded "")
  foreach(library libasan.so libstdc++.so)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library} OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND preloaded ${path})
  endforeach()
  list(JOIN preloaded ":" preloaded)
  foreach(name problem quick_gradients native_step algorithm config draws network run robustness resume stop)
    set(test Asan.Python.${name})
    add_test(NAME ${test} CONFIGURATIONS Sanitize COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider -m "not slow"
      ${PROJECT_SOURCE_DIR}/python/tests/test_${name}.py)
    set_tests_properties(${test} PROPERTIES LABELS asan COST 100 TIMEOUT 600 ENVIRONMENT
      "LD_PRELOAD=${preloaded};ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1;PYTHONMALLOC=malloc;PYTHONDONTWRITEBYTECODE=1;OMP_NUM_THREADS=1;PYTHONPATH=${folder};DRIFTLESS_PROGRAM=$<TARGET_FILE:driftless_asan>")
  endforeach()
endif()

add_test(NAME Valgrind.QuickRunIsClean CONFIGURATIONS Sanitize
  COMMAND ${PROJECT_SOURCE_DIR}/tests/valgrind/quick_run $<TARGET_FILE:driftless>)
set_tests_properties(Valgrind.QuickRunIsClean PROPERTIES LABELS valgrind SKIP_RETURN_CODE 77 COST 1000)
