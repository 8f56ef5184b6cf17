# Tests of several processes: the same executable under mpirun with so many ranks, more than there are cores.
add_test_executable(mpi driftless_mpi)

# Root, and more ranks than cores, are the rule where tests run. Open MPI reads these names, and MPICH none.
set(mpi_environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1)
function(add_mpi_test name ranks executable)  # further arguments are those of add_test
  add_test(NAME ${name} ${ARGN} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:${executable}>)
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${mpi_environment}" PROCESSORS 2 COST 30 TIMEOUT 300)
endfunction()
foreach(ranks 1 2 3 5 17)
  add_mpi_test(Mpi.Network.${ranks}Ranks ${ranks} driftless_mpi_tests)
endforeach()
# That many ranks starve whatever runs beside them. Networks under conditions have fewer nodes than that.
set_tests_properties(Mpi.Network.17Ranks PROPERTIES PROCESSORS 4 ENVIRONMENT "${mpi_environment};GTEST_FILTER=-*Conditions*")

# The same over three hosts, which it makes of network namespaces.
add_test(NAME Mpi.SeveralHosts COMMAND ${PROJECT_SOURCE_DIR}/tests/hosts/several_hosts
  $<TARGET_FILE:driftless> ${MPIEXEC_EXECUTABLE})
set_tests_properties(Mpi.SeveralHosts PROPERTIES SKIP_RETURN_CODE 77 PROCESSORS 2 COST 60 TIMEOUT 600)
