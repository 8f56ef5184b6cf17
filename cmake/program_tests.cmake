# tests/program drives the real binary: its files, its messages, its exit codes.
file(GLOB program_test_sources CONFIGURE_DEPENDS tests/program/*.cpp)
add_executable(driftless_program_tests ${program_test_sources} tests/support/golden.cpp
  tests/support/temporary_folder.cpp)
target_compile_definitions(driftless_program_tests PRIVATE
  DRIFTLESS_PROGRAM="$<TARGET_FILE:driftless>" DRIFTLESS_MPIEXEC="${MPIEXEC_EXECUTABLE}"
  DRIFTLESS_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/golden")
target_link_libraries(driftless_program_tests PRIVATE driftless_library
  nlohmann_json::nlohmann_json GTest::gtest_main ZLIB::ZLIB)
target_precompile_headers(driftless_program_tests PRIVATE <Eigen/Dense> <gtest/gtest.h>
  <nlohmann/json.hpp>)
target_compile_options(driftless_program_tests PRIVATE "$<$<CONFIG:Release>:${quick_to_compile}>")
compile_by_folder(driftless_program_tests)
add_dependencies(driftless_program_tests driftless)
gtest_discover_tests(driftless_program_tests DISCOVERY_TIMEOUT 60)
