#include "tests/program/program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace driftless::testing {

namespace fs = std::filesystem;

namespace {

void check(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

}  // namespace

// Its streams go to files: nothing can block, however much it says.
Program::Program(const Arguments& arguments, const fs::path& folder, int ranks) {
  std::vector<std::string> texts{DRIFTLESS_PROGRAM};
  if (ranks > 0) {
    texts = {DRIFTLESS_MPIEXEC, "-n", std::to_string(ranks), DRIFTLESS_PROGRAM};
    for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                             "OMPI_MCA_rmaps_base_oversubscribe"}) {
      setenv(name, "1", 1);
    }
  }
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  check(posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init");
  constexpr int writing = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, (streams_ / "out").c_str(), writing,
                                   0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (streams_ / "err").c_str(), writing,
                                   0600);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  const int error =
      posix_spawn(&id_, pointers.front(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  check(error, "cannot start " DRIFTLESS_PROGRAM);
}

Program::~Program() {
  if (ended_) return;
  kill(id_, SIGKILL);
  waitpid(id_, &status_, 0);
}

bool Program::has_ended() {
  if (!ended_) ended_ = waitpid(id_, &status_, WNOHANG) == id_;
  return ended_;
}

void Program::signal_once_there(int signal, const fs::path& file) {
  while (!fs::exists(file) && !has_ended()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (!has_ended()) kill(id_, signal);
}

Finished Program::wait() {
  if (!ended_ && waitpid(id_, &status_, 0) != id_) check(errno, "waitpid");
  ended_ = true;
  return {.exit_code = WIFSIGNALED(status_) ? -WTERMSIG(status_) : WEXITSTATUS(status_),
          .out = contents_of(streams_ / "out"),
          .err = contents_of(streams_ / "err")};
}

std::vector<std::string> listing(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    names.push_back(entry.path().lexically_relative(folder).string());
  }
  std::ranges::sort(names);
  return names;
}

Eigen::MatrixXd read_npy(const fs::path& file) {
  const std::string bytes = contents_of(file);
  const auto wrong = [&](const char* what) { return std::runtime_error(file.string() + what); };
  if (!bytes.starts_with(std::string_view("\x93NUMPY\x01\x00", 8))) throw wrong(": not NumPy 1.0");
  const std::size_t length =
      static_cast<unsigned char>(bytes.at(8)) + 256U * static_cast<unsigned char>(bytes.at(9));
  const std::string header = bytes.substr(10, length);
  if ((10 + length) % 64 != 0 || !header.ends_with('\n')) throw wrong(": header is not aligned");
  static const std::regex form(
      R"(\{'descr': '<f8', 'fortran_order': False, 'shape': \((\d+),(?: (\d+))?\), \} *\n)");
  std::smatch found;
  if (!std::regex_match(header, found, form)) throw wrong(": header is not as expected");
  const Eigen::Index first = std::stol(found[1]);
  const bool is_vector = !found[2].matched;
  const Eigen::Index rows = is_vector ? 1 : first;
  const Eigen::Index columns = is_vector ? first : std::stol(found[2]);
  if (bytes.size() != 10 + length + 8 * static_cast<std::size_t>(rows * columns)) {
    throw wrong(": its size does not fit its shape");
  }
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values(rows, columns);
  std::memcpy(values.data(), bytes.data() + 10 + length, bytes.size() - 10 - length);
  return values;
}

const std::string& Table::text(std::size_t row, std::string_view column) const {
  const auto found = std::ranges::find(header, column);
  if (found == header.end()) throw std::runtime_error("no column " + std::string(column));
  return rows.at(row).at(static_cast<std::size_t>(found - header.begin()));
}

Table read_csv(const fs::path& file) {
  std::istringstream lines(contents_of(file));
  std::vector<std::vector<std::string>> all;
  std::string line;
  while (std::getline(lines, line)) {
    auto& fields = all.emplace_back();
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find(',', begin), line.size());
      fields.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    if (fields.size() != all.front().size()) {
      throw std::runtime_error(file.string() + ": lines of different lengths");
    }
  }
  if (all.empty()) throw std::runtime_error(file.string() + ": empty");
  return {.header = all.front(), .rows = {all.begin() + 1, all.end()}};
}

}  // namespace driftless::testing
