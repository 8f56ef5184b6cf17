# The HTTP library of driftless::program, as the target cpp-httplib::cpp-httplib. Debian has it compiled, without a package for CMake; so
# this file finds it, here and for users of what is installed.
include(FindPackageHandleStandardArgs)
find_path(CPP_HTTPLIB_INCLUDE_DIR httplib.h)
find_library(CPP_HTTPLIB_LIBRARY cpp-httplib)
find_package_handle_standard_args(cpp-httplib REQUIRED_VARS CPP_HTTPLIB_LIBRARY CPP_HTTPLIB_INCLUDE_DIR)
if(cpp-httplib_FOUND AND NOT TARGET cpp-httplib::cpp-httplib)
  add_library(cpp-httplib::cpp-httplib UNKNOWN IMPORTED)
  set_target_properties(cpp-httplib::cpp-httplib PROPERTIES IMPORTED_LOCATION ${CPP_HTTPLIB_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${CPP_HTTPLIB_INCLUDE_DIR})
endif()
