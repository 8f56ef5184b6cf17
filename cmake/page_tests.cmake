# The report page in a real browser: Debian's chromium, driven by playwright-core. Without the browser the
# test is skipped, and says so.
npm_package(playwright-core 1.65.0
  bcd48a807e98aad37b71d4ff2f7df8ce8d1af98c24ae989ccab1c995658f226fd0f8d9f64962278a5d35a13d266eef7a5381a0a11b426100fd0b3250823bbe94
  index.js)
add_custom_target(page_test_browser_driver ALL DEPENDS ${npm_folder}/playwright-core/index.js)
add_test(NAME Page.InABrowser COMMAND node ${PROJECT_SOURCE_DIR}/tests/page/page_test.mjs
  $<TARGET_FILE:driftless> ${npm_folder}/playwright-core)
set_tests_properties(Page.InABrowser PROPERTIES SKIP_RETURN_CODE 77 PROCESSORS 2)
add_test(NAME Page.OfARunThatGoesOn COMMAND node ${PROJECT_SOURCE_DIR}/tests/page/watch_test.mjs
  $<TARGET_FILE:driftless> ${npm_folder}/playwright-core)
set_tests_properties(Page.OfARunThatGoesOn PROPERTIES SKIP_RETURN_CODE 77 PROCESSORS 2)
add_test(NAME Page.Ribbon COMMAND node ${PROJECT_SOURCE_DIR}/tests/page/ribbon_test.mjs
  $<TARGET_FILE:driftless> ${npm_folder}/playwright-core)
set_tests_properties(Page.Ribbon PROPERTIES SKIP_RETURN_CODE 77 PROCESSORS 2)
# What the page says and how its lines are laid out, without a browser.
add_test(NAME Page.Story COMMAND node ${PROJECT_SOURCE_DIR}/tests/page/story_test.mjs)
add_test(NAME Page.Weather COMMAND node ${PROJECT_SOURCE_DIR}/tests/page/weather_test.mjs)
add_test(NAME Page.SummaryFigure COMMAND node ${PROJECT_SOURCE_DIR}/tests/page/summary_figure_test.mjs)
