# tests/crash disturbs the program at the calls that change files and at its allocations, by libraries that LD_PRELOAD puts in
# front of the C library. `make test` runs a sample, `make sanitize` all of it.
foreach(shim files memory)
  add_library(driftless_${shim}_shim MODULE tests/crash/${shim}_shim.cpp)
  target_include_directories(driftless_${shim}_shim PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(driftless_${shim}_shim PRIVATE ${CMAKE_DL_LIBS})
endforeach()

set(crash_points COMMAND ${PROJECT_SOURCE_DIR}/tests/crash/crash_points
  --program $<TARGET_FILE:driftless> --shims $<TARGET_FILE_DIR:driftless_files_shim> --jobs 2)
add_test(NAME Crash.SampleOfPointsLosesNothing ${crash_points} --sample 400)
add_test(NAME Crash.SampleOfAllocationsMayFail ${crash_points} --memory 12)
add_test(NAME Crash.ShimSeesWhatTheKernelSees ${crash_points} --strace)
add_test(NAME Crash.EveryPointLosesNothing CONFIGURATIONS Sanitize ${crash_points})
add_test(NAME Crash.ManyAllocationsMayFail CONFIGURATIONS Sanitize ${crash_points} --memory 150)
set_tests_properties(Crash.SampleOfPointsLosesNothing Crash.SampleOfAllocationsMayFail Crash.ShimSeesWhatTheKernelSees
  PROPERTIES PROCESSORS 2 TIMEOUT 600 SKIP_RETURN_CODE 77)
set_tests_properties(Crash.EveryPointLosesNothing Crash.ManyAllocationsMayFail
  PROPERTIES PROCESSORS 2 TIMEOUT 1800 LABELS crash COST 1000)
