// Memory for what the translator notes down: taken piece by piece, given back all at once.
//
// A start touches megabytes of it for the first time, and a page fault costs more than what is done with the page; so
// the pool asks for huge pages, and hands out what lies side by side.
#pragma once

#include <cstddef>
#include <vector>

#include "base/mapping.h"

namespace tally {

class Pool {
 public:
  // Zeroed memory, aligned to 64, that lives until Clear.
  void* Take(std::size_t size);
  template <typename Value>
  Value* TakeArray(std::size_t n) {
    return static_cast<Value*>(Take(n * sizeof(Value)));
  }
  void Clear();
  [[nodiscard]] std::size_t taken() const { return taken_; }  // since the last Clear

 private:
  void AddRegion(std::size_t at_least);

  std::vector<Mapping> regions_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t taken_ = 0;
};

}  // namespace tally
