#pragma once

#include <string>

#include "tests/support/environment.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {

// Puts a script named npm before the others on PATH: tests need no network.
class FakeNpm {
 public:
  explicit FakeNpm(const std::string& script)
      : path_("PATH", folder_.path().string() + ":" + std::getenv("PATH")) {
    std::filesystem::permissions(folder_.write("npm", "#!/bin/sh\n" + script),
                                 std::filesystem::perms::owner_all);
  }

 private:
  TemporaryFolder folder_;
  EnvironmentVariable path_;
};

// The lines of a script that packs a folder data with one file.
inline std::string pack_script(const std::string& file, const std::string& contents) {
  return "mkdir -p package/data && printf '" + contents + "' >package/data/" + file +
         " && tar -czf fake-1.0.0.tgz package && rm -r package && echo fake-1.0.0.tgz\n";
}

}  // namespace driftless::testing
