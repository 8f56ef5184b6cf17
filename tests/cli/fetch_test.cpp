#include "driftless/cli/fetch.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "driftless/base/error.hpp"
#include "driftless/data/load.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/fake_npm.hpp"

namespace driftless::testing {
namespace {

namespace fs = std::filesystem;

// FIPS 180-2, appendix B: the digest of "abc".
const PackagedFiles abc{
    .package = "fake@1.0.0",
    .files = {{"letters", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}}};

const auto always = [](std::uintmax_t) { return true; };

TEST(Sha256, IsThatOfTheStandard) {
  const TemporaryFolder folder;
  EXPECT_EQ(sha256_of(folder.write("abc", "abc")), abc.files[0].sha256);
  EXPECT_EQ(sha256_of(folder.write("a", std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_THROW(sha256_of(folder / "none"), DataError);
}

TEST(Fetch, BringsTheFilesAndNothingElse) {
  const TemporaryFolder cache;
  const FakeNpm npm(pack_script("letters", "abc"));
  EXPECT_EQ(fetch_files(abc, cache / "new/letters", always), Fetched::now);
  EXPECT_EQ(contents_of(cache / "new/letters/letters"), "abc");
  EXPECT_EQ(std::distance(fs::recursive_directory_iterator(cache.path()), {}), 3);
}

TEST(Fetch, DoesNothingWhereTheFilesAre) {
  const TemporaryFolder cache;
  const FakeNpm npm("exit 1\n");
  cache.write("it/letters", "abc");
  EXPECT_EQ(fetch_files(abc, cache / "it", always), Fetched::before);
}

TEST(Fetch, ReplacesAFileThatIsDamaged) {
  const TemporaryFolder cache;
  const FakeNpm npm(pack_script("letters", "abc"));
  cache.write("it/letters", "ab");
  EXPECT_EQ(fetch_files(abc, cache / "it", always), Fetched::now);
  EXPECT_EQ(contents_of(cache / "it/letters"), "abc");
}

TEST(Fetch, StartsAfreshWhereAnEarlierOneWasKilled) {
  const TemporaryFolder cache;
  const FakeNpm npm(pack_script("letters", "abc"));
  cache.write("it.fetching/old.tgz", "half an archive");
  EXPECT_EQ(fetch_files(abc, cache / "it", always), Fetched::now);
  EXPECT_FALSE(fs::exists(cache / "it.fetching"));
}

struct Failure {
  std::string script;
  std::string message;
};

TEST(Fetch, AFailureIsExplainedAndLeavesNothing) {
  for (const Failure& failure : std::vector<Failure>{
           {"echo no route to host >&2; exit 1\n", "no route to host"},
           {"exit 0\n", "left no archive"},
           {"echo junk >fake.tgz\n", "tar of fake@1.0.0 failed"},
           {pack_script("others", "abc"), "fake@1.0.0 holds no data/letters"},
           {"mkdir -p package/data; ln -s $0 package/data/letters; tar -czf a.tgz package\n",
            "fake@1.0.0 holds no data/letters"},
           {pack_script("letters", "abd"),
            "found SHA-256 a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9, "
            "expected ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}}) {
    const TemporaryFolder cache;
    const FakeNpm npm(failure.script);
    const std::string message =
        message_of<DataError>([&] { fetch_files(abc, cache / "new/it", always); });
    EXPECT_TRUE(contains(message, failure.message));
    EXPECT_TRUE(contains(message, "put the files letters into " + (cache / "new/it").string()));
    EXPECT_TRUE(fs::is_empty(cache.path())) << failure.message;
  }
}

TEST(Fetch, AMissingNpmIsNamedWithItsRemedy) {
  const TemporaryFolder cache;
  const EnvironmentVariable path("PATH", cache.path().string());
  const std::string message =
      message_of<DataError>([&] { fetch_files(abc, cache / "new/it", always); });
  EXPECT_TRUE(
      contains(message, "npm is needed and is not there: apt-get install npm, or put the files"));
  EXPECT_TRUE(fs::is_empty(cache.path()));
}

TEST(Fetch, StoppedEndsItsChildrenAndLeavesNothing) {
  const TemporaryFolder cache;
  const TemporaryFolder notes;
  const std::string note = (notes / "id").string();
  const FakeNpm npm("sleep 600 & echo $! >" + note + ".part; mv " + note + ".part " + note +
                    "; wait\n");
  const auto until_started = [&](std::uintmax_t) { return !fs::exists(notes / "id"); };
  EXPECT_EQ(fetch_files(abc, cache / "new/it", until_started), Fetched::stopped);
  EXPECT_TRUE(fs::is_empty(cache.path()));
  // The grandchild is gone, or waits as a zombie for whoever inherits it.
  const fs::path status = fs::path("/proc") / std::to_string(std::stoi(contents_of(notes / "id")));
  for (int tries = 0; fs::exists(status) && tries < 1000; ++tries) {
    if (contents_of(status / "stat").find(") Z ") != std::string::npos) return;
    usleep(10000);
  }
  EXPECT_FALSE(fs::exists(status));
}

TEST(DataCache, IsWhereTheEnvironmentSays) {
  const EnvironmentVariable home("HOME", "/home/me");
  const EnvironmentVariable general("XDG_CACHE_HOME", "");
  const EnvironmentVariable own("DRIFTLESS_DATA", "");
  EXPECT_EQ(data_cache(), "/home/me/.cache/driftless");
  const EnvironmentVariable general_set("XDG_CACHE_HOME", "/var/me");
  EXPECT_EQ(data_cache(), "/var/me/driftless");
  const EnvironmentVariable own_set("DRIFTLESS_DATA", "/data");
  EXPECT_EQ(data_cache(), "/data");
  EXPECT_EQ(mnist_folder(), "/data/mnist");
  const EnvironmentVariable no_home("HOME", "");
  const EnvironmentVariable no_general("XDG_CACHE_HOME", "");
  const EnvironmentVariable no_own("DRIFTLESS_DATA", "");
  EXPECT_THROW(data_cache(), ConfigError);
}

TEST(LoadData, TakesMnistAFolderOrAFile) {
  const TemporaryFolder folder;
  write_small_images(folder);
  EXPECT_EQ(load_data(folder.path()).train.features, 4);
  const auto file = folder.write("a.svm", "1 3:1\n");
  EXPECT_EQ(load_data(file).train.features, 3);
  EXPECT_EQ(load_data(file, file).test->samples(), 1);

  const TemporaryFolder cache;
  const EnvironmentVariable own("DRIFTLESS_DATA", cache.path());
  EXPECT_TRUE(
      contains(message_of<DataError>([] { load_data("mnist"); }), "driftless data fetch mnist"));
  fs::copy(folder.path(), cache / "mnist");
  EXPECT_EQ(load_data("mnist").train.samples(), 3);

  EXPECT_THROW(load_data(folder / "none"), DataError);
  EXPECT_THROW(load_data(folder.path(), file), ConfigError);
}

}  // namespace
}  // namespace driftless::testing
