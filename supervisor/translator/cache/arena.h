// Many small values that stay where they are, side by side in a pool.
#pragma once

#include <cstddef>
#include <type_traits>

#include "supervisor/translator/cache/pool.h"

namespace tally {

template <typename Value>
class Arena {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  explicit Arena(Pool* pool) : pool_(pool) {}

  // Room for `most` values, of which Keep keeps the first ones.
  Value* Room(std::size_t most) {
    if (left_ < most) {
      next_ = pool_->TakeArray<Value>(kChunk);
      left_ = kChunk;
    }
    return next_;
  }
  void Keep(std::size_t n) {
    next_ += n;
    left_ -= n;
  }

  // Before the pool is cleared.
  void Clear() { *this = Arena(pool_); }

 private:
  static constexpr std::size_t kChunk = (64 << 10) / sizeof(Value);

  Pool* pool_;
  Value* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace tally
