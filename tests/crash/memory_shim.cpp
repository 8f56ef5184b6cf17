// Numbers what the program allocates from the start of main to its end, operator new included. At
// allocation CRASH_POINT the memory is used up: CRASH_HOW is `once`, or `on` for all later ones
// too. What libraries allocate before main is not the program's to answer for.
#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <exception>

#include "tests/crash/shim.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): the names are glibc's
extern "C" {
// Its own functions, under the names that it keeps for those who replace malloc.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

using namespace driftless::shim;

Request asked;
std::atomic<bool> in_main = false;
std::atomic<long> allocations = 0;

// While an exception unwinds there is memory again, that of what it unwinds. Destructors of the
// JSON library count on that: they allocate.
bool refused() {
  if (!in_main) return false;
  const long number = ++allocations;
  const bool later = asked.point > 0 && number > asked.point && asked.how == "on";
  if (number != asked.point && !(later && std::uncaught_exceptions() == 0)) return false;
  errno = ENOMEM;
  return true;
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  asked = read_request();
  in_main = true;
  const int code = real_main(argc, argv, environment);
  in_main = false;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%ld\n", allocations.load());
  tell(asked.log, text.data());
  return code;
}

}  // namespace

extern "C" {

void* malloc(size_t size) noexcept { return refused() ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) noexcept {
  return refused() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) noexcept {
  return refused() ? nullptr : __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) noexcept {
  return refused() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** place, size_t alignment, size_t size) noexcept {
  void* made = memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *place = made;
  return 0;
}

// What starts main; the C library's own is next.
int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*unload)(), void* stack_end) {
  using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  real_main = main;
  auto* const start = reinterpret_cast<Start*>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(counted_main, argc, argv, init, fini, unload, stack_end);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
