# Tests of the runtime over sites: threads and processes that talk TLS on loopback.
file(GLOB peers_test_sources CONFIGURE_DEPENDS tests/peers/*.cpp)
add_library(driftless_peers_test_objects OBJECT ${peers_test_sources})
target_link_libraries(driftless_peers_test_objects PRIVATE driftless_test_settings driftless_peers)
target_precompile_headers(driftless_peers_test_objects REUSE_FROM driftless_test_support)
compile_by_folder(driftless_peers_test_objects)
add_executable(driftless_peers_tests $<TARGET_OBJECTS:driftless_peers_test_objects> $<TARGET_OBJECTS:driftless_test_support>)
target_link_libraries(driftless_peers_tests PRIVATE driftless_test_settings driftless_peers GTest::gtest_main)
add_test(NAME Peers.Units COMMAND driftless_peers_tests --gtest_brief=1)
set_tests_properties(Peers.Units PROPERTIES TIMEOUT 120 ENVIRONMENT "RC_PARAMS=seed=2023")

# The network over sites: one executable, which starts as many processes of itself as there are sites.
file(GLOB sites_test_sources CONFIGURE_DEPENDS tests/sites/*.cpp)
add_library(driftless_sites_test_objects OBJECT ${sites_test_sources})
target_link_libraries(driftless_sites_test_objects PRIVATE driftless_test_settings driftless_peers)
target_precompile_headers(driftless_sites_test_objects REUSE_FROM driftless_test_support)
compile_by_folder(driftless_sites_test_objects)
add_executable(driftless_sites_tests $<TARGET_OBJECTS:driftless_sites_test_objects> $<TARGET_OBJECTS:driftless_test_support>)
target_link_libraries(driftless_sites_tests PRIVATE driftless_test_settings driftless_peers)
foreach(sites RANGE 2 8)
  add_test(NAME Peers.Network.${sites}Sites COMMAND driftless_sites_tests)
  set_tests_properties(Peers.Network.${sites}Sites PROPERTIES ENVIRONMENT "DRIFTLESS_SITES=${sites}" PROCESSORS 2 TIMEOUT 300)
endforeach()

# The program over five hosts that fail, which it makes of network namespaces. It takes a minute.
add_test(NAME Peers.SitesThatFail CONFIGURATIONS Sanitize
  COMMAND ${PROJECT_SOURCE_DIR}/tests/hosts/sites_that_fail $<TARGET_FILE:driftless>)
set_tests_properties(Peers.SitesThatFail PROPERTIES LABELS crash SKIP_RETURN_CODE 77 PROCESSORS 2 COST 1000 TIMEOUT 600)
