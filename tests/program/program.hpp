#pragma once

#include <sys/types.h>

#include <Eigen/Dense>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/types.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {

struct Finished {
  int exit_code = 0;  // −s when signal s ended it
  std::string out;
  std::string err;
};

// The path of the program under test: the build's, or what the environment names as
// DRIFTLESS_PROGRAM.
std::string program_path();
// What starts the program over ranks; more than there are cores, and as root, if need be.
std::vector<std::string> mpirun(int ranks, const std::vector<std::string>& arguments);
// A job whose ranks differ: the first rank has the arguments `first`, the second `second`.
std::vector<std::string> mpirun_of_two(const std::vector<std::string>& first,
                                       const std::vector<std::string>& second);
// A job with a rank in each of the folders.
std::vector<std::string> mpirun_in(const std::vector<std::filesystem::path>& folders,
                                   const std::vector<std::string>& arguments);

// A setting for runs that a test ends in another way.
inline const std::string endless = "run.rounds=1000000000";

// The program as a user starts it: no shell between, its input empty.
class Program {
 public:
  using Arguments = std::vector<std::string>;

  Program(const Arguments& arguments, const std::filesystem::path& folder);
  // Any command, its path first.
  static Program command(const Arguments& command, const std::filesystem::path& folder) {
    return Program(Command{command}, folder);
  }
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // False when the program ends before the condition holds, or the file is there.
  bool lives_until(const std::function<bool()>& condition);
  bool lives_until_there(const std::filesystem::path& file);
  void signal(int signal) const;
  // Sends the signal once the file is there; not at all when the program ends before.
  void signal_once_there(int signal, const std::filesystem::path& file);
  // The same to one rank of a job; false when there is none.
  bool signal_rank_once_there(int rank, int signal, const std::filesystem::path& file);
  std::string out() const;  // what it has told so far on standard output
  Finished wait();

 private:
  struct Command {
    Arguments texts;
  };
  Program(Command command, const std::filesystem::path& folder);
  bool has_ended();

  TemporaryFolder streams_;
  pid_t id_ = 0;
  bool ended_ = false;
  int status_ = 0;
};

inline Finished run_program(const Program::Arguments& arguments,
                            const std::filesystem::path& folder, int ranks = 0) {
  if (ranks > 0) return Program::command(mpirun(ranks, arguments), folder).wait();
  return Program(arguments, folder).wait();
}

// Every file and folder below, as sorted relative paths.
std::vector<std::string> listing(const std::filesystem::path& folder);

// Every file, folder and link below, with its bytes, or the target of a link, and when it was
// written.
using Snapshot = std::map<std::string, std::pair<std::string, std::filesystem::file_time_type>>;
Snapshot snapshot(const std::filesystem::path& folder);

// A NumPy file of doubles, checked to be what the format says; a vector is one row.
Eigen::MatrixXd read_npy(const std::filesystem::path& file);

// A file of comma-separated values without quoted fields.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;

  const std::string& text(std::size_t row, std::string_view column) const;
  double number(std::size_t row, std::string_view column) const {
    return std::stod(text(row, column));
  }
};
Table read_csv(const std::filesystem::path& file);

// Two metrics.csv say the same in everything but the time it took.
void expect_same_metrics(const std::filesystem::path& one, const std::filesystem::path& other);
// The same where a later version may have added columns.
void expect_same_in_old_columns(const std::filesystem::path& old, const std::filesystem::path& now);

}  // namespace driftless::testing
