#include "tests/program/program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace driftless::testing {

namespace fs = std::filesystem;

namespace {

using Texts = std::vector<std::string>;

void check(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

Texts started_by(Texts launcher, const Texts& arguments) {
  launcher.push_back(program_path());
  launcher.insert(launcher.end(), arguments.begin(), arguments.end());
  return launcher;
}

// Open MPI reads these names, and MPICH none.
void allow_root_and_many_ranks() {
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                           "OMPI_MCA_rmaps_base_oversubscribe"}) {
    setenv(name, "1", 1);
  }
}

// A program under LeakSanitizer would be blamed for what MPI's library leaves at its end.
constexpr const char* ignore_leaks = "LSAN_OPTIONS=detect_leaks=0";

// Empty where the process is gone, or another's.
std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The rank that a process was started as, read from what its launcher left in its environment.
int rank_of_process(const fs::path& entry) {
  const std::string variables = text_of(entry / "environ");
  for (const std::string name : {"OMPI_COMM_WORLD_RANK=", "PMI_RANK="}) {
    const std::size_t at = variables.find(name);
    if (at != std::string::npos) return std::stoi(variables.substr(at + name.size()));
  }
  return -1;
}

// The parent of a process: the second field after its name in parentheses.
pid_t parent_of_process(const fs::path& entry) {
  const std::string stat = text_of(entry / "stat");
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;  // gone already
  return std::stoi(stat.substr(name_end + 4));
}

bool descends_from(pid_t process, pid_t ancestor) {
  while (process > 1 && process != ancestor) {
    process = parent_of_process(fs::path("/proc") / std::to_string(process));
  }
  return process == ancestor;
}

}  // namespace

std::string program_path() {
  const char* named = std::getenv("DRIFTLESS_PROGRAM");
  return named != nullptr ? named : DRIFTLESS_PROGRAM;
}

std::vector<std::string> mpirun(int ranks, const Texts& arguments) {
  allow_root_and_many_ranks();
  return started_by({DRIFTLESS_MPIEXEC, "-n", std::to_string(ranks), "/usr/bin/env", ignore_leaks},
                    arguments);
}

std::vector<std::string> mpirun_of_two(const Texts& first, const Texts& second) {
  Texts command = mpirun(1, first);
  const Texts other = started_by({":", "-n", "1", "/usr/bin/env", ignore_leaks}, second);
  command.insert(command.end(), other.begin(), other.end());
  return command;
}

std::vector<std::string> mpirun_in(const std::vector<fs::path>& folders, const Texts& arguments) {
  allow_root_and_many_ranks();
  Texts command{DRIFTLESS_MPIEXEC};
  for (const fs::path& folder : folders) {
    if (command.size() > 1) command.emplace_back(":");
    const Texts rank =
        started_by({"-n", "1", "--wdir", folder.string(), "/usr/bin/env", ignore_leaks}, arguments);
    command.insert(command.end(), rank.begin(), rank.end());
  }
  return command;
}

Program::Program(const Arguments& arguments, const fs::path& folder)
    : Program(Command{started_by({}, arguments)}, folder) {}

// Its streams go to files: nothing can block, however much it says.
Program::Program(Command command, const fs::path& folder) {
  std::vector<char*> pointers;
  for (std::string& text : command.texts) pointers.push_back(text.data());
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
  check(error, pointers.front());
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

bool Program::lives_until(const std::function<bool()>& condition) {
  while (!condition() && !has_ended()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return !has_ended();
}

bool Program::lives_until_there(const fs::path& file) {
  return lives_until([&] { return fs::exists(file); });
}

void Program::signal(int signal) const { kill(id_, signal); }

void Program::signal_once_there(int signal, const fs::path& file) {
  if (lives_until_there(file)) kill(id_, signal);
}

bool Program::signal_rank_once_there(int rank, int signal, const fs::path& file) {
  if (!lives_until_there(file)) return false;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (rank_of_process(entry.path()) != rank) continue;
    if (!descends_from(std::stoi(name), id_)) continue;
    kill(std::stoi(name), signal);
    return true;
  }
  return false;
}

std::string Program::out() const { return contents_of(streams_ / "out"); }

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

Snapshot snapshot(const fs::path& folder) {
  Snapshot all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    auto& [contents, written] = all[fs::relative(entry.path(), folder)];
    if (entry.is_symlink()) {
      contents = "-> " + fs::read_symlink(entry.path()).string();
      continue;
    }
    if (entry.is_regular_file()) contents = contents_of(entry.path());
    written = entry.last_write_time();
  }
  return all;
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

void expect_same_in_old_columns(const fs::path& old, const fs::path& now) {
  const Table a = read_csv(old);
  const Table b = read_csv(now);
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t row = 0; row < a.rows.size(); ++row) {
    for (const std::string& column : a.header) {
      if (column == "seconds") continue;
      EXPECT_EQ(a.text(row, column), b.text(row, column)) << column << " of row " << row;
    }
  }
}

void expect_same_metrics(const fs::path& one, const fs::path& other) {
  ASSERT_EQ(read_csv(one).header, read_csv(other).header);
  expect_same_in_old_columns(one, other);
}

}  // namespace driftless::testing
