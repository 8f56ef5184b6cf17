# What the report page is made of is embedded in the library: our own files, and Vega's bundles from npm,
# pinned by version and SHA-512.
set(npm_folder ${PROJECT_BINARY_DIR}/npm)

# npm_package(NAME VERSION SHA512 FILE...): a rule that makes these files of the package.
function(npm_package package version sha512)
  list(TRANSFORM ARGN PREPEND ${npm_folder}/${package}/ OUTPUT_VARIABLE files)
  add_custom_command(OUTPUT ${files}
    COMMAND ${CMAKE_COMMAND} -D package=${package} -D version=${version} -D sha512=${sha512}
      -D folder=${npm_folder} -P ${PROJECT_SOURCE_DIR}/cmake/npm_package.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/cmake/npm_package.cmake
    COMMENT "Fetching ${package} ${version} from npm" VERBATIM)
endfunction()

npm_package(vega 6.4.0
  ac75c2ab62e911608b3235c1123ee1a1c63d1b4fe2e5319845ac861928f4e954c5e3e976206d99ee87992828d66d487fee14c4fe65616da38f07bdb0084961ea
  build/vega.min.js LICENSE)
npm_package(vega-lite 6.5.0
  7cc5c5eacd0cac88345135a72c87de16d8122f3561cb348aa1bcc6ae1e6b852fa62fa14e6051b79bba2e278536de08fae442be825f452084f9c3bc0b35a03390
  build/vega-lite.min.js LICENSE)
npm_package(vega-embed 7.3.0
  c10f2ce46692ceaa0a82645f6d1a25801ae313608fed92875ea1fb3628f132a3e3a5d5b14ace039fcb6fa7d83482242f87670afb7a79eacc63596334c0d9e01b
  build/vega-embed.min.js LICENSE)

set(page_folder ${PROJECT_SOURCE_DIR}/driftless/report/page)
file(GLOB page_files CONFIGURE_DEPENDS ${page_folder}/*)
set_source_files_properties(driftless/report/page_assets.cpp PROPERTIES
  COMPILE_DEFINITIONS "DRIFTLESS_NPM=\"${npm_folder}\";DRIFTLESS_PAGE=\"${page_folder}\""
  SKIP_PRECOMPILE_HEADERS ON
  OBJECT_DEPENDS "${npm_folder}/vega/build/vega.min.js;${npm_folder}/vega-lite/build/vega-lite.min.js;${npm_folder}/vega-embed/build/vega-embed.min.js;${page_files}")
