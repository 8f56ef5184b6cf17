# tests/ mirrors driftless/; all of it but two folders is one executable. The tests of tests/program
# drive the real binary, its files and its exit codes; those of tests/slow take minutes.
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

# What tests do themselves need not be fast; compiling it this way takes little more than half the time.
set(quick_to_compile -O1 -finline-small-functions)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS tests/*.cpp)
list(FILTER test_sources EXCLUDE REGEX "/tests/(program|slow|mpi|fuzz)/")
add_library(driftless_test_objects OBJECT ${test_sources})
target_include_directories(driftless_test_objects SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR})
target_compile_definitions(driftless_test_objects PRIVATE
  DRIFTLESS_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/golden")
set(test_libraries nlohmann_json::nlohmann_json GTest::gtest_main rapidcheck rapidcheck_gtest ZLIB::ZLIB)
target_link_libraries(driftless_test_objects PRIVATE driftless_library ${test_libraries})
target_precompile_headers(driftless_test_objects PRIVATE <Eigen/Dense> <gtest/gtest.h>
  <nlohmann/json.hpp> <rapidcheck/gtest.h>)
target_compile_options(driftless_test_objects PRIVATE "$<$<CONFIG:Release>:${quick_to_compile}>")
compile_by_folder(driftless_test_objects)
add_executable(driftless_tests $<TARGET_OBJECTS:driftless_test_objects>)
target_link_libraries(driftless_tests PRIVATE driftless_library ${test_libraries})
# A fixed seed makes a failing property fail again; other seeds: RC_PARAMS="seed=1 max_success=1000".
gtest_discover_tests(driftless_tests DISCOVERY_TIMEOUT 60
  PROPERTIES ENVIRONMENT "RC_PARAMS=seed=2023")
include(cmake/program_tests.cmake)
include(cmake/mpi_tests.cmake)
include(cmake/page_tests.cmake)
if(DRIFTLESS_SANITIZED_TESTS)
  include(cmake/sanitized_tests.cmake)
endif()

# Neither built nor run with the others: `make slow` does both.
add_executable(driftless_slow_tests EXCLUDE_FROM_ALL tests/slow/mnist_test.cpp)
target_link_libraries(driftless_slow_tests PRIVATE driftless_library GTest::gtest_main)

add_test(NAME Valgrind.QuickRunIsClean
  COMMAND ${PROJECT_SOURCE_DIR}/tests/valgrind/quick_run $<TARGET_FILE:driftless>)
set_tests_properties(Valgrind.QuickRunIsClean PROPERTIES SKIP_RETURN_CODE 77)

# The library as its users have it: installed, found by find_package, and an example built on it.
add_test(NAME Installed.OwnProblemBuildsAndRuns COMMAND ${CMAKE_COMMAND}
  -D build=${PROJECT_BINARY_DIR} -D source=${PROJECT_SOURCE_DIR}
  -P ${PROJECT_SOURCE_DIR}/cmake/test_installed.cmake)

find_package(benchmark REQUIRED)
add_executable(driftless_kernel_bench EXCLUDE_FROM_ALL bench/kernels.cpp)
target_link_libraries(driftless_kernel_bench PRIVATE driftless_library benchmark::benchmark_main)
add_executable(driftless_bench EXCLUDE_FROM_ALL bench/driftless_bench.cpp)
target_link_libraries(driftless_bench PRIVATE driftless_library CLI11::CLI11)
add_executable(driftless_cnn_bench EXCLUDE_FROM_ALL bench/cnn_bench.cpp bench/peak.cpp)
target_link_libraries(driftless_cnn_bench PRIVATE driftless_library CLI11::CLI11)
add_executable(driftless_mpi_bench EXCLUDE_FROM_ALL bench/mpi_bench.cpp)
target_link_libraries(driftless_mpi_bench PRIVATE driftless_library)
