// Numbers the calls that change files: opening for writing, writing, flushing, cutting, renaming,
// removing, linking and making folders. At call CRASH_POINT the program is
//
//   kill    killed before the call,
//   torn    killed when half of the bytes are written,
//   cut     killed before the call, and what was not flushed is lost, as in a power cut,
//   short   told that half of the bytes were written, which is so: no error, only rare,
//   enospc  told that the disk is full, once,
//   eio     told that the disk failed, once,
//   full    told that the disk is full, now and later, by every call that takes room,
//   dead    told that the disk failed, now and later, by every call.
//
// The functions of the C library stand in front of the system's calls here, so what a library does
// past them is not seen: `crash_points --strace` compares with what the kernel saw.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include "tests/crash/shim.hpp"
#include "tests/crash/unflushed.hpp"

namespace {

using namespace driftless::shim;

const Request& request() {
  static const Request read = read_request();
  return read;
}
[[gnu::constructor]] void begin() { request(); }

Unflushed unflushed;  // for `cut` alone
bool may_be_cut() { return request().how == "cut"; }

enum class Fate { passes, fails, does_half };
enum class Takes { room, none };

// Numbers a call; where it fails, errno says why.
Fate fate_of(const char* call, const char* what, Takes takes) {
  static std::atomic<long> calls = 0;
  const long number = ++calls;
  const Request& asked = request();
  if (asked.log >= 0) {
    std::array<char, 512> line{};
    std::snprintf(line.data(), line.size(), "%s %s\n", call, what);
    tell(asked.log, line.data());
  }
  if (asked.point == 0 || number < asked.point) return Fate::passes;
  if (number > asked.point) {
    if (asked.how == "full" && takes == Takes::room) return errno = ENOSPC, Fate::fails;
    if (asked.how == "dead") return errno = EIO, Fate::fails;
    return Fate::passes;
  }
  if (asked.how == "cut") unflushed.lose();
  if (asked.how == "kill" || asked.how == "cut") die();
  if (asked.how == "torn" || asked.how == "short") return Fate::does_half;
  if (asked.how == "full" && takes == Takes::none) return Fate::passes;
  errno = asked.how == "enospc" || asked.how == "full" ? ENOSPC : EIO;
  return Fate::fails;
}

bool fails(const char* call, const char* what, Takes takes = Takes::none) {
  return fate_of(call, what, takes) == Fate::fails;
}

// Streams, pipes, sockets and devices are no files here.
bool is_file(int descriptor) {
  struct stat status {};
  return descriptor > STDERR_FILENO && ::fstat(descriptor, &status) == 0 &&
         (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

bool is_file(std::string_view path) {
  const bool device = path.starts_with("/dev/") && !path.starts_with("/dev/shm/");
  return !device && !path.starts_with("/proc/") && !path.starts_with("/sys/");
}

struct Name {
  explicit Name(int descriptor) {
    if (request().log < 0) return;
    std::array<char, 32> link{};
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link.data(), text.data(), text.size() - 1);
    text[length > 0 ? static_cast<std::size_t>(length) : 0] = '\0';
  }
  std::array<char, 400> text{};
};

// A write of `size` bytes through `real`, which takes the number of bytes to write.
template <class Real>
ssize_t written(const char* call, int descriptor, std::size_t size, Real real) {
  if (!is_file(descriptor)) return real(size);
  const Fate fate = fate_of(call, Name(descriptor).text.data(), Takes::room);
  if (fate == Fate::fails) return -1;
  if (may_be_cut()) unflushed.wrote(descriptor);
  if (fate == Fate::passes) return real(size);
  const bool torn = request().how == "torn";
  const ssize_t half = real(torn ? size / 2 : (size + 1) / 2);  // short, yet never nothing
  if (torn) die();
  return half;
}

ssize_t flushed(const char* call, long number, int descriptor) {
  if (is_file(descriptor) && fails(call, Name(descriptor).text.data(), Takes::room)) return -1;
  if (may_be_cut()) unflushed.flushed(descriptor);
  return syscall(number, descriptor);
}

int opened(const char* call, int folder, const char* path, int flags, mode_t mode) {
  const bool changes = (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_ACCMODE) != O_RDONLY;
  const Takes takes = (flags & O_CREAT) != 0 ? Takes::room : Takes::none;
  if (changes && is_file(path) && fails(call, path, takes)) return -1;
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

bool has_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

FILE* stream(const char* call, const char* path, const char* mode) {
  const bool changes = std::strpbrk(mode, "wa+") != nullptr;
  if (changes && is_file(path) && fails(call, path, Takes::room)) return nullptr;
  return next<FILE*(const char*, const char*)>(call)(path, mode);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = has_mode(flags) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return opened("open", AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = has_mode(flags) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return opened("openat", folder, path, flags, mode);
}
int creat(const char* path, mode_t mode) {
  return opened("creat", AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
[[gnu::alias("open")]] int open64(const char* path, int flags, ...);
[[gnu::alias("openat")]] int openat64(int folder, const char* path, int flags, ...);
[[gnu::alias("creat")]] int creat64(const char* path, mode_t mode);
FILE* fopen(const char* path, const char* mode) { return stream("fopen", path, mode); }
FILE* fopen64(const char* path, const char* mode) { return stream("fopen64", path, mode); }

ssize_t write(int descriptor, const void* data, size_t size) {
  return written("write", descriptor, size,
                 [&](size_t bytes) { return syscall(SYS_write, descriptor, data, bytes); });
}
ssize_t pwrite(int descriptor, const void* data, size_t size, off_t at) {
  return written("pwrite", descriptor, size,
                 [&](size_t bytes) { return syscall(SYS_pwrite64, descriptor, data, bytes, at); });
}
[[gnu::alias("pwrite")]] ssize_t pwrite64(int descriptor, const void* data, size_t size,
                                          off64_t at);
// Torn or short, a write of several pieces ends within the first.
ssize_t writev(int descriptor, const iovec* pieces, int count) {
  const size_t first = count > 0 ? pieces[0].iov_len : 0;
  return written("writev", descriptor, first, [&](size_t bytes) {
    if (bytes == first) return syscall(SYS_writev, descriptor, pieces, count);
    return syscall(SYS_write, descriptor, pieces[0].iov_base, bytes);
  });
}

int fsync(int descriptor) { return static_cast<int>(flushed("fsync", SYS_fsync, descriptor)); }
int fdatasync(int descriptor) {
  return static_cast<int>(flushed("fdatasync", SYS_fdatasync, descriptor));
}
int syncfs(int descriptor) noexcept {
  return static_cast<int>(flushed("syncfs", SYS_syncfs, descriptor));
}

int ftruncate(int descriptor, off_t size) noexcept {
  if (fails("ftruncate", Name(descriptor).text.data())) return -1;
  return static_cast<int>(syscall(SYS_ftruncate, descriptor, size));
}
[[gnu::alias("ftruncate")]] int ftruncate64(int descriptor, off64_t size) noexcept;
int truncate(const char* path, off_t size) noexcept {
  if (fails("truncate", path)) return -1;
  return static_cast<int>(syscall(SYS_truncate, path, size));
}
[[gnu::alias("truncate")]] int truncate64(const char* path, off64_t size) noexcept;
int fallocate(int descriptor, int mode, off_t from, off_t size) {
  if (fails("fallocate", Name(descriptor).text.data(), Takes::room)) return -1;
  return static_cast<int>(syscall(SYS_fallocate, descriptor, mode, from, size));
}
[[gnu::alias("fallocate")]] int fallocate64(int descriptor, int mode, off64_t from, off64_t size);
int posix_fallocate(int descriptor, off_t from, off_t size) {  // gives the error back
  return fallocate(descriptor, 0, from, size) == 0 ? 0 : errno;
}

int renameat2(int from, const char* old, int to, const char* path, unsigned flags) noexcept {
  if (fails("rename", path)) return -1;
  return static_cast<int>(syscall(SYS_renameat2, from, old, to, path, flags));
}
int renameat(int from, const char* old, int to, const char* path) noexcept {
  return renameat2(from, old, to, path, 0);
}
int rename(const char* old, const char* path) noexcept {
  return renameat2(AT_FDCWD, old, AT_FDCWD, path, 0);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  if (fails("unlink", path)) return -1;
  return static_cast<int>(syscall(SYS_unlinkat, folder, path, flags));
}
int unlink(const char* path) noexcept { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char* path) noexcept { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char* path) noexcept {
  if (fails("remove", path)) return -1;
  const long removed = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  const bool folder = removed != 0 && errno == EISDIR;
  return static_cast<int>(folder ? syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR) : removed);
}

int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  if (fails("mkdir", path, Takes::room)) return -1;
  return static_cast<int>(syscall(SYS_mkdirat, folder, path, mode));
}
int mkdir(const char* path, mode_t mode) noexcept { return mkdirat(AT_FDCWD, path, mode); }
char* mkdtemp(char* name) noexcept {
  if (fails("mkdtemp", name, Takes::room)) return nullptr;
  return next<char*(char*)>("mkdtemp")(name);
}

int linkat(int from, const char* old, int to, const char* path, int flags) noexcept {
  if (fails("link", path, Takes::room)) return -1;
  return static_cast<int>(syscall(SYS_linkat, from, old, to, path, flags));
}
int link(const char* old, const char* path) noexcept {
  return linkat(AT_FDCWD, old, AT_FDCWD, path, 0);
}
int symlinkat(const char* target, int folder, const char* path) noexcept {
  if (fails("symlink", path, Takes::room)) return -1;
  return static_cast<int>(syscall(SYS_symlinkat, target, folder, path));
}
int symlink(const char* target, const char* path) noexcept {
  return symlinkat(target, AT_FDCWD, path);
}

}  // extern "C"
