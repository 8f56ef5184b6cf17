# tests/program drives the real binary: its files, its messages, its exit codes.
file(GLOB program_test_sources CONFIGURE_DEPENDS tests/program/*.cpp)
add_library(driftless_program_test_objects OBJECT ${program_test_sources})
target_compile_definitions(driftless_program_test_objects PRIVATE
  DRIFTLESS_PROGRAM="$<TARGET_FILE:driftless>" DRIFTLESS_MPIEXEC="${MPIEXEC_EXECUTABLE}")
target_link_libraries(driftless_program_test_objects PRIVATE driftless_test_settings driftless_core)
target_precompile_headers(driftless_program_test_objects REUSE_FROM driftless_test_support)
compile_by_folder(driftless_program_test_objects)
add_executable(driftless_program_tests $<TARGET_OBJECTS:driftless_program_test_objects>
  $<TARGET_OBJECTS:driftless_test_support>)
target_link_libraries(driftless_program_tests PRIVATE driftless_test_settings driftless_core GTest::gtest_main)
add_dependencies(driftless_program_tests driftless)
gtest_discover_tests(driftless_program_tests DISCOVERY_TIMEOUT 60)
