#pragma once

#include <tbb/task_arena.h>

#include <memory>

namespace driftless {

// An arena of so many threads. It is kept for whoever asks for one next: TBB may lose some
// kilobytes of every arena that ends, and a program may have thousands of runs.
class LentArena {
 public:
  // Throws std::bad_alloc, or what TBB does where it finds no memory.
  explicit LentArena(int threads);
  ~LentArena();
  LentArena(const LentArena&) = delete;
  LentArena& operator=(const LentArena&) = delete;

  template <class Work>
  void execute(const Work& work) {
    arena_->execute(work);
  }

 private:
  std::unique_ptr<tbb::task_arena> arena_;
};

}  // namespace driftless
