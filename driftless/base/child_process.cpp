#include "driftless/base/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

namespace driftless {
namespace {

namespace fs = std::filesystem;

void check(int error, const std::string& what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

// How a child begins: in its folder, reading nothing, printing to a file, and leading a process
// group of its own, so that all of it can be ended at once.
class Beginning {
 public:
  Beginning(const fs::path& folder, const fs::path& log) {
    check(posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init");
    check(posix_spawnattr_init(&attributes_), "posix_spawnattr_init");
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~Beginning() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;

  int spawn(pid_t& id, char** arguments) const {
    return posix_spawnp(&id, arguments[0], &actions_, &attributes_, arguments, environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

ChildEnd run_child(const std::vector<std::string>& command, const fs::path& folder,
                   const fs::path& log, FunctionRef<bool()> go_on) {
  std::vector<std::string> texts = command;
  std::vector<char*> arguments;
  arguments.reserve(texts.size() + 1);
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  pid_t id = 0;
  const int error = Beginning(folder, log).spawn(id, arguments.data());
  if (error == ENOENT || error == EACCES) return ChildEnd::missing;
  check(error, "cannot start " + command.front());

  int status = 0;
  while (true) {
    const pid_t ended = waitpid(id, &status, WNOHANG);
    if (ended == id) break;
    if (ended < 0 && errno != EINTR) check(errno, "cannot wait for " + command.front());
    if (!go_on()) {
      kill(-id, SIGKILL);
      while (waitpid(id, &status, 0) < 0 && errno == EINTR) continue;
      return ChildEnd::stopped;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? ChildEnd::succeeded : ChildEnd::failed;
}

}  // namespace driftless
