// A hash table from addresses to small values, for the translator: what a program's start costs is mostly looking
// things up and noting them down, some ten thousand times.
//
// Open addressing with linear probing; nothing is ever taken out but everything at once, with the pool. Values move
// when the table grows: keep no pointer over an insertion. What is looked up together mostly has addresses near each
// other, so those lie side by side here too: only the high bits of a key are hashed, and the rest chooses among a few
// neighbours (many would pile up). kGrain: how many low bits of a key say little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "supervisor/translator/cache/pool.h"

namespace tally {

template <typename Value, int kGrain>
class AddressMap {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  explicit AddressMap(Pool* pool) : pool_(pool) {}

  // nullptr: nothing there.
  [[nodiscard]] Value* Find(std::uint64_t key) const {
    if (slots_ == nullptr) return nullptr;
    Slot& slot = *Place(key);
    return slot.tag == 0 ? nullptr : &slot.value;
  }

  // What is there, else a new value, all zero.
  Value& At(std::uint64_t key) {
    if (3 * used_ >= capacity_) Grow();
    Slot& slot = *Place(key);
    if (slot.tag == 0) {
      slot.tag = key + 1;
      ++used_;
    }
    return slot.value;
  }

  // Calls action(key, value) for every value, in no order.
  template <typename Action>
  void ForEach(Action action) const {
    for (std::size_t i = 0; i < capacity_; ++i) {
      if (slots_[i].tag != 0) action(slots_[i].tag - 1, slots_[i].value);
    }
  }

  // Before the pool is cleared.
  void Clear() { *this = AddressMap(pool_); }

 private:
  static constexpr std::size_t kFirstCapacity = 4096;
  static constexpr std::size_t kNeighbours = 16;

  struct Slot {
    std::uint64_t tag;  // key + 1; 0: free
    Value value;
  };

  [[nodiscard]] Slot* Place(std::uint64_t key) const {
    const std::size_t page = (key >> kGrain) / kNeighbours * 0x9e3779b97f4a7c15 >> shift_;  // a product's high bits
    std::size_t at = (page + (key >> kGrain) % kNeighbours) & (capacity_ - 1);
    while (slots_[at].tag != 0 && slots_[at].tag != key + 1) at = (at + 1) & (capacity_ - 1);
    return slots_ + at;
  }

  void Grow() {
    AddressMap bigger(pool_);
    bigger.capacity_ = capacity_ == 0 ? kFirstCapacity : 2 * capacity_;
    bigger.shift_ = __builtin_clzll(bigger.capacity_) + 1;
    bigger.slots_ = pool_->TakeArray<Slot>(bigger.capacity_);
    for (std::size_t i = 0; i < capacity_; ++i) {
      if (slots_[i].tag != 0) *bigger.Place(slots_[i].tag - 1) = slots_[i];
    }
    bigger.used_ = used_;
    *this = bigger;
  }

  Pool* pool_;
  Slot* slots_ = nullptr;
  std::size_t capacity_ = 0;  // a power of two
  std::size_t used_ = 0;
  int shift_ = 0;
};

}  // namespace tally
