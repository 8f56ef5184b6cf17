# A fuzzer for every parser of tests/fuzz, by clang's libFuzzer, with address and undefined-behaviour checks. Only what
# parsers need is compiled.
set(fuzzed_sources "")
foreach(pattern base graph data algorithm experiment network/network problem/least_squares_file report/csv
        report/metrics_file)
  file(GLOB found CONFIGURE_DEPENDS driftless/${pattern}.cpp driftless/${pattern}/*.cpp)
  list(APPEND fuzzed_sources ${found})
endforeach()
list(FILTER fuzzed_sources EXCLUDE REGEX "/experiment/(diagnosis|execute|run|setup|data_problem_setup|tune).cpp")

add_library(driftless_fuzzed STATIC ${fuzzed_sources})
target_compile_options(driftless_fuzzed PUBLIC -fsanitize=fuzzer-no-link)
target_include_directories(driftless_fuzzed PUBLIC ${PROJECT_SOURCE_DIR})
target_include_directories(driftless_fuzzed SYSTEM PUBLIC ${RANDOM123_INCLUDE_DIR} ${SPECTRA_INCLUDE_DIR})
target_compile_definitions(driftless_fuzzed PUBLIC EIGEN_MAX_ALIGN_BYTES=32 DRIFTLESS_VERSION="fuzzed")
target_link_libraries(driftless_fuzzed PUBLIC Eigen3::Eigen TBB::tbb fmt::fmt tomlplusplus::tomlplusplus
  nlohmann_json::nlohmann_json ${HIGHWAY_LIBRARY} ZLIB::ZLIB OpenSSL::Crypto)
target_precompile_headers(driftless_fuzzed PRIVATE <Eigen/Dense> <fmt/format.h> <vector> <string>)

file(GLOB fuzzers CONFIGURE_DEPENDS tests/fuzz/*.cpp)
add_custom_target(fuzzers)
foreach(source ${fuzzers})
  get_filename_component(name ${source} NAME_WE)
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${source})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz_${name} PRIVATE driftless_fuzzed)
  add_dependencies(fuzzers fuzz_${name})
endforeach()
