# tests/program drives the real binary: its files, its messages, its exit codes.
add_test_executable(program driftless_core GTest::gtest_main)
target_compile_definitions(driftless_program_test_objects PRIVATE
  DRIFTLESS_PROGRAM="$<TARGET_FILE:driftless>" DRIFTLESS_MPIEXEC="${MPIEXEC_EXECUTABLE}")
add_dependencies(driftless_program_tests driftless)
gtest_discover_tests(driftless_program_tests DISCOVERY_TIMEOUT 60)
