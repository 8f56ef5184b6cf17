# Tests of the runtime over sites: threads and processes that talk TLS on loopback.
add_test_executable(peers driftless_peers GTest::gtest_main)
add_test(NAME Peers.Units COMMAND driftless_peers_tests --gtest_brief=1)
set_tests_properties(Peers.Units PROPERTIES TIMEOUT 120 ENVIRONMENT "RC_PARAMS=seed=2023")

# The network over sites: one executable, which starts as many processes of itself as there are sites.
add_test_executable(sites driftless_peers)
foreach(sites RANGE 2 8)
  add_test(NAME Peers.Network.${sites}Sites COMMAND driftless_sites_tests)
  set_tests_properties(Peers.Network.${sites}Sites PROPERTIES ENVIRONMENT "DRIFTLESS_SITES=${sites}" PROCESSORS 2 TIMEOUT 300)
endforeach()

# The program over five hosts that fail, which it makes of network namespaces. It takes a minute.
add_test(NAME Peers.SitesThatFail CONFIGURATIONS Sanitize
  COMMAND ${PROJECT_SOURCE_DIR}/tests/hosts/sites_that_fail $<TARGET_FILE:driftless>)
set_tests_properties(Peers.SitesThatFail PROPERTIES LABELS crash SKIP_RETURN_CODE 77 PROCESSORS 2 COST 1000 TIMEOUT 600)
