# The tests once more, on a library and a program compiled under sanitizers, with assertions. What the tests themselves
# consist of is not compiled again: that would take as long as all the rest. The library's objects stand before theirs, so
# that of functions which are inline in both the linker takes the instrumented copy.
function(compile_under name sanitizers)
  set(flags -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # With instrumentation GCC sees faults that are not there; the build without has them all as errors. That a pointer is
  # null or misaligned is left out for it makes up a third of the compile time; the fuzzers look for it.
  set(compiling ${flags} -fno-sanitize=null,alignment ${quick_to_compile} -g1 -UNDEBUG -w)
  set(library driftless_${name}_library)
  add_library(${library} OBJECT ${library_sources})
  target_precompile_headers(${library} PRIVATE ${library_prelude})
  add_executable(driftless_${name} ${ARGN} $<TARGET_OBJECTS:${library}> ${cli_sources})  # ARGN may leave it out of `all`
  add_executable(driftless_${name}_tests $<TARGET_OBJECTS:${library}> $<TARGET_OBJECTS:driftless_test_objects>)
  add_executable(driftless_${name}_mpi_tests ${ARGN} $<TARGET_OBJECTS:${library}> $<TARGET_OBJECTS:driftless_mpi_test_objects>)
  foreach(target ${library} driftless_${name} driftless_${name}_tests driftless_${name}_mpi_tests)
    use_library_settings(${target})
    target_compile_options(${target} PRIVATE ${compiling})
    target_link_options(${target} PRIVATE ${flags})
    target_link_libraries(${target} PRIVATE CLI11::CLI11 ${test_libraries})
  endforeach()
endfunction()

compile_under(asan address,undefined)
compile_under(tsan thread EXCLUDE_FROM_ALL)

# add_shards(NAME COUNT CONFIGURATION EXECUTABLE ENVIRONMENT...): the executable's tests, dealt out to so many processes. The
# label is the sanitizer's name.
function(add_shards name count configuration executable)
  string(REGEX MATCH "^[A-Za-z]+" label ${name})
  string(TOLOWER ${label} label)
  foreach(shard RANGE 1 ${count})
    math(EXPR index "${shard} - 1")
    set(test ${name}.${shard}Of${count})
    add_test(NAME ${test} CONFIGURATIONS ${configuration} COMMAND ${executable} --gtest_brief=1)
    # Begun first, for they take longest.
    set_tests_properties(${test} PROPERTIES LABELS ${label} COST 1000 TIMEOUT 1200
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${count};GTEST_SHARD_INDEX=${index};RC_PARAMS=seed=2023;${ARGN}")
  endforeach()
endfunction()

# What takes minutes is run by `ctest -C Slow` only. Under a limit on memory AddressSanitizer has no room.
set(slow_units Figure1.*)
set(slow_program RanksProgram.GiveTheBits*:Reproduce.JudgesTheClaims*:Resume.OverRanks*:Tune.GivesTheSame*)
set(on_asan DRIFTLESS_PROGRAM=$<TARGET_FILE:driftless_asan>)
add_shards(Asan.Units 4 "" driftless_asan_tests GTEST_FILTER=-${slow_units})
add_shards(Asan.Units.Slow 3 Slow driftless_asan_tests GTEST_FILTER=${slow_units})
add_shards(Asan.Program 4 "" driftless_program_tests ${on_asan}
  GTEST_FILTER=-LostRank.ThatHasTooLittleMemory*:${slow_program})
add_shards(Asan.Program.Slow 5 Slow driftless_program_tests ${on_asan} GTEST_FILTER=${slow_program})
add_shards(Tsan.Units 2 "" driftless_tsan_tests
  GTEST_FILTER=Determinism.E*:Determinism.ARun*:*LocalNetwork*:Local/*:LearningRun*:DataProblem*)
add_shards(Tsan.Program.Slow 1 Slow driftless_program_tests DRIFTLESS_PROGRAM=$<TARGET_FILE:driftless_tsan> GTEST_FILTER=Sweep*)
foreach(ranks 2 5)
  add_mpi_test(Asan.Network.${ranks}Ranks ${ranks} driftless_asan_mpi_tests)
  # MPI's library leaves much behind.
  set_tests_properties(Asan.Network.${ranks}Ranks PROPERTIES LABELS asan
    ENVIRONMENT "LSAN_OPTIONS=detect_leaks=0;${mpi_environment}")
endforeach()
