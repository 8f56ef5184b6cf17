#pragma once

// What the two shims share. A shim is a library for LD_PRELOAD. It numbers the calls of a program
// that matter to it, from 1, and at call CRASH_POINT it does what CRASH_HOW says. Where CRASH_LOG
// names a file, the shim tells there what it saw.

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace driftless::shim {

struct Request {
  long point = 0;  // 0: only count
  std::string_view how;
  int log = -1;  // a descriptor
};

// The environment is read once, before main. Children of the program are left alone.
inline Request read_request() {
  Request request;
  const char* point = std::getenv("CRASH_POINT");
  const char* how = std::getenv("CRASH_HOW");
  const char* log = std::getenv("CRASH_LOG");
  if (point != nullptr) request.point = std::strtol(point, nullptr, 10);
  if (how != nullptr) request.how = how;
  if (log != nullptr) {
    constexpr int out_of_the_way = 200;  // the program's own descriptors stay as they would be
    const long opened = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    request.log = fcntl(static_cast<int>(opened), F_DUPFD_CLOEXEC, out_of_the_way);
    syscall(SYS_close, opened);
  }
  unsetenv("LD_PRELOAD");
  return request;
}

inline void tell(int log, std::string_view text) {
  if (log >= 0) syscall(SYS_write, log, text.data(), text.size());
}

// As the kernel does it to a program that uses too much, or an administrator: nothing is flushed.
[[noreturn]] inline void die() {
  kill(getpid(), SIGKILL);
  while (true) pause();
}

}  // namespace driftless::shim
