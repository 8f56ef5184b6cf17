#include "driftless/base/lent_arena.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace driftless {
namespace {

class KeptArenas {
 public:
  // Null: there is none of so many threads.
  std::unique_ptr<tbb::task_arena> take(int threads) {
    const std::lock_guard lock(mutex_);
    for (std::unique_ptr<tbb::task_arena>& each : arenas_) {
      if (each->max_concurrency() != threads) continue;
      std::swap(each, arenas_.back());
      std::unique_ptr<tbb::task_arena> taken = std::move(arenas_.back());
      arenas_.pop_back();
      return taken;
    }
    return nullptr;
  }
  void keep(std::unique_ptr<tbb::task_arena> arena) {
    const std::lock_guard lock(mutex_);
    arenas_.push_back(std::move(arena));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<tbb::task_arena>> arenas_;
};

// Never destroyed: when the program ends, TBB may have ended before.
KeptArenas& kept_arenas() {
  static auto* const kept = new KeptArenas;
  return *kept;
}

}  // namespace

LentArena::LentArena(int threads) : arena_(kept_arenas().take(threads)) {
  if (arena_) return;
  arena_ = std::make_unique<tbb::task_arena>(threads);
  arena_->initialize();
}

LentArena::~LentArena() {
  try {
    kept_arenas().keep(std::move(arena_));
  } catch (...) {  // no room in the list: the arena ends
    arena_.reset();
  }
}

}  // namespace driftless
