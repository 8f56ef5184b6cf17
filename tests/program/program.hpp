#pragma once

#include <sys/types.h>

#include <Eigen/Dense>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {

struct Finished {
  int exit_code = 0;  // −s when signal s ended it
  std::string out;
  std::string err;
};

// The program as a user starts it: no shell between, its input empty. With ranks mpirun starts it
// so many times; more than there are cores, and as root, if need be.
class Program {
 public:
  using Arguments = std::vector<std::string>;

  Program(const Arguments& arguments, const std::filesystem::path& folder, int ranks = 0);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Sends the signal once the file is there; not at all when the program ends before.
  void signal_once_there(int signal, const std::filesystem::path& file);
  Finished wait();

 private:
  bool has_ended();

  TemporaryFolder streams_;
  pid_t id_ = 0;
  bool ended_ = false;
  int status_ = 0;
};

inline Finished run_program(const Program::Arguments& arguments,
                            const std::filesystem::path& folder, int ranks = 0) {
  return Program(arguments, folder, ranks).wait();
}

// Every file and folder below, as sorted relative paths.
std::vector<std::string> listing(const std::filesystem::path& folder);

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

}  // namespace driftless::testing
