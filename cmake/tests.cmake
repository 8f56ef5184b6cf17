# tests/ mirrors driftless/; most of it is one executable. The tests of tests/program drive the real binary, those of
# tests/mpi run over several processes, those of tests/crash disturb it, and those of tests/slow take minutes.
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

# What tests do themselves need not be fast; compiling it this way takes little more than half the time.
add_library(driftless_test_settings INTERFACE)
set(quick_to_compile -O1 -finline-small-functions)
target_compile_options(driftless_test_settings INTERFACE "$<$<CONFIG:Release>:${quick_to_compile}>")
target_compile_definitions(driftless_test_settings INTERFACE
  DRIFTLESS_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/golden")
target_include_directories(driftless_test_settings SYSTEM INTERFACE ${RANDOM123_INCLUDE_DIR})
target_link_libraries(driftless_test_settings INTERFACE
  nlohmann_json::nlohmann_json GTest::gtest rapidcheck rapidcheck_gtest ZLIB::ZLIB)

file(GLOB test_support CONFIGURE_DEPENDS tests/support/*.cpp)
add_library(driftless_test_support OBJECT ${test_support})
target_link_libraries(driftless_test_support PRIVATE driftless_test_settings driftless_core)
target_precompile_headers(driftless_test_support PRIVATE <Eigen/Dense> <gtest/gtest.h> <nlohmann/json.hpp>
  <rapidcheck/gtest.h>)
compile_by_folder(driftless_test_support)

# add_test_executable(NAME LIBRARY...): driftless_NAME_tests, of the files in tests/NAME.
function(add_test_executable name)
  file(GLOB sources CONFIGURE_DEPENDS tests/${name}/*.cpp)
  set(objects driftless_${name}_test_objects)
  add_library(${objects} OBJECT ${sources})
  target_link_libraries(${objects} PRIVATE driftless_test_settings ${ARGN})
  target_precompile_headers(${objects} REUSE_FROM driftless_test_support)
  compile_by_folder(${objects})
  add_executable(driftless_${name}_tests $<TARGET_OBJECTS:${objects}> $<TARGET_OBJECTS:driftless_test_support>)
  target_link_libraries(driftless_${name}_tests PRIVATE driftless_test_settings ${ARGN})
endfunction()

# The objects are a target of their own so that other executables can hold the same tests.
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS tests/*.cpp)
list(FILTER test_sources EXCLUDE REGEX "/tests/(support|program|slow|mpi|peers|sites|fuzz|crash)/")
add_library(driftless_test_objects OBJECT ${test_sources})
target_link_libraries(driftless_test_objects PRIVATE driftless_test_settings driftless_program)
target_precompile_headers(driftless_test_objects REUSE_FROM driftless_test_support)
compile_by_folder(driftless_test_objects)
add_executable(driftless_tests $<TARGET_OBJECTS:driftless_test_objects> $<TARGET_OBJECTS:driftless_test_support>)
target_link_libraries(driftless_tests PRIVATE driftless_test_settings driftless_program GTest::gtest_main)
# To start a process for each of a thousand tests would take longer than the tests; these few deal them out among themselves.
# A fixed seed makes a failing property fail again; other seeds: RC_PARAMS="seed=1 max_success=1000".
set(shards 4)
foreach(shard RANGE 1 ${shards})
  math(EXPR index "${shard} - 1")
  add_test(NAME Units.${shard}Of${shards} COMMAND driftless_tests --gtest_brief=1)
  set_tests_properties(Units.${shard}Of${shards} PROPERTIES COST 30
    ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index};RC_PARAMS=seed=2023")
endforeach()
include(cmake/program_tests.cmake)
include(cmake/mpi_tests.cmake)
include(cmake/peers_tests.cmake)
include(cmake/page_tests.cmake)
include(cmake/crash_tests.cmake)
include(cmake/docs_tests.cmake)
if(TARGET driftless_python)
  include(cmake/python_tests.cmake)
endif()
include(cmake/sanitized_tests.cmake)

include(cmake/package_tests.cmake)

# Neither built nor run with the others: `make slow` does both.
add_executable(driftless_slow_tests EXCLUDE_FROM_ALL tests/slow/mnist_test.cpp)
target_link_libraries(driftless_slow_tests PRIVATE driftless_core GTest::gtest_main)

# The library as its users have it: installed, found by find_package, and examples built on it.
add_test(NAME Installed.ExamplesBuildAndRun COMMAND ${CMAKE_COMMAND}
  -D build=${PROJECT_BINARY_DIR} -D source=${PROJECT_SOURCE_DIR} -D mpiexec=${MPIEXEC_EXECUTABLE}
  -D "mpi_environment=${mpi_environment}"
  -P ${PROJECT_SOURCE_DIR}/cmake/test_installed.cmake)
set_tests_properties(Installed.ExamplesBuildAndRun PROPERTIES COST 50)

add_test(NAME Layers.IncludesFlowOneWay COMMAND ${PROJECT_SOURCE_DIR}/tests/layers/includes_flow_one_way)

find_package(benchmark REQUIRED)
add_executable(driftless_kernel_bench EXCLUDE_FROM_ALL bench/kernels.cpp)
target_link_libraries(driftless_kernel_bench PRIVATE driftless_core benchmark::benchmark_main)
add_executable(driftless_bench EXCLUDE_FROM_ALL bench/driftless_bench.cpp)
target_link_libraries(driftless_bench PRIVATE driftless_core CLI11::CLI11)
add_executable(driftless_cnn_bench EXCLUDE_FROM_ALL bench/cnn_bench.cpp bench/peak.cpp)
target_link_libraries(driftless_cnn_bench PRIVATE driftless_core CLI11::CLI11)
add_executable(driftless_codec_bench EXCLUDE_FROM_ALL bench/codec_bench.cpp)
target_link_libraries(driftless_codec_bench PRIVATE driftless_core)
add_executable(driftless_mpi_bench EXCLUDE_FROM_ALL bench/mpi_bench.cpp)
target_link_libraries(driftless_mpi_bench PRIVATE driftless_mpi)
