# A fuzzer for every parser of tests/fuzz, by clang's libFuzzer, with address and undefined-behaviour checks. Only what
# parsers need is compiled.
set(fuzzed_sources
  base/byte_reader base/file base/kernels base/line_reader base/random base/text
  data/dirichlet data/idx data/libsvm data/split
  experiment/checkpoint config/config config/config_file config/cross_check config/faults
  config/folder_names config/key experiment/metrics config/schema config/sweep_plan
  config/topology_options config/tune_plan
  graph/edge_list graph/families graph/fixed_families graph/graph graph/matrix_market graph/mixing_matrix
  graph/random_families graph/weights
  network/network problem/least_squares_file record/csv record/metrics_file)
list(TRANSFORM fuzzed_sources PREPEND ${PROJECT_SOURCE_DIR}/driftless/)
list(TRANSFORM fuzzed_sources APPEND .cpp)
file(GLOB algorithm_sources CONFIGURE_DEPENDS driftless/algorithm/*.cpp)  # a config names them

add_library(driftless_fuzzed STATIC ${fuzzed_sources} ${algorithm_sources})
target_compile_options(driftless_fuzzed PUBLIC -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
  -fno-omit-frame-pointer)
target_include_directories(driftless_fuzzed PUBLIC ${PROJECT_SOURCE_DIR})
target_include_directories(driftless_fuzzed SYSTEM PUBLIC ${RANDOM123_INCLUDE_DIR} ${SPECTRA_INCLUDE_DIR})
target_compile_definitions(driftless_fuzzed PUBLIC EIGEN_MAX_ALIGN_BYTES=32 DRIFTLESS_VERSION="fuzzed")
target_link_libraries(driftless_fuzzed PUBLIC Eigen3::Eigen TBB::tbb fmt::fmt tomlplusplus::tomlplusplus
  nlohmann_json::nlohmann_json ${HIGHWAY_LIBRARY} ZLIB::ZLIB OpenSSL::Crypto)
target_precompile_headers(driftless_fuzzed PRIVATE ${library_prelude})
# How near a name comes to others would fill the corpus with misspellings.
set_source_files_properties(driftless/base/text.cpp PROPERTIES COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp)
compile_by_folder(driftless_fuzzed)

file(GLOB fuzzers CONFIGURE_DEPENDS tests/fuzz/*.cpp)
add_custom_target(fuzzers)
foreach(source ${fuzzers})
  get_filename_component(name ${source} NAME_WE)
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${source})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_libraries(fuzz_${name} PRIVATE driftless_fuzzed)
  add_dependencies(fuzzers fuzz_${name})
endforeach()
