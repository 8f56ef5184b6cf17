# A fuzzer for every parser of tests/fuzz, by clang's libFuzzer. The preset `fuzz` compiles the library under the sanitizers.
file(GLOB fuzzers CONFIGURE_DEPENDS tests/fuzz/*.cpp)
add_custom_target(fuzzers)
foreach(source ${fuzzers})
  get_filename_component(name ${source} NAME_WE)
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${source})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz_${name} PRIVATE driftless_core ZLIB::ZLIB)
  if(name MATCHES "^peer_")
    target_link_libraries(fuzz_${name} PRIVATE driftless_peers)
  endif()
  add_dependencies(fuzzers fuzz_${name})
endforeach()

# How near a name comes to others would fill the corpus with misspellings.
set_source_files_properties(driftless/base/text.cpp driftless/base/synonyms.cpp PROPERTIES COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp)
# Kernels are no parsers, the sanitized tests run them, and instrumented they take more than half of the compile time.
set_property(SOURCE ${kernel_sources} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=all)
set_property(SOURCE ${kernel_sources} PROPERTY SKIP_PRECOMPILE_HEADERS ON)  # the header is compiled for instrumented files
