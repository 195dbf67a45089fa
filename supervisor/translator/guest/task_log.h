// What translated code writes down of a task, for whoever observes the run: the numbers of the blocks it executed
// (block_observer.h), or its system calls (call_observer.h).
//
// Theory of operation. The code stores at the log's end, which is a word behind gs (control::kLogEnd), and moves that.
// Behind the log lies a page that nobody may touch: the first store of what does not fit any more faults, and the
// supervisor reads the log, empties it and has the store done again (Guest::EmptyFullLog). Where single instructions are
// stepped over, there must be room for what they write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "supervisor/translator/cache/control_area.h"

namespace tally {

class TaskLog {
 public:
  static constexpr std::size_t kBytes = std::size_t{1} << 18;

  TaskLog() = default;
  // Of the task that counts in `page`; its memory is at `ours` here, and at `address` for the program.
  TaskLog(CounterPage page, std::uint8_t* ours, std::uint64_t address) : page_(page), ours_(ours), address_(address) {}

  [[nodiscard]] bool IsKept() const { return ours_ != nullptr; }
  [[nodiscard]] std::uint64_t address() const { return address_; }
  [[nodiscard]] std::uint64_t guard() const { return address_ + kBytes; }
  void Clear() const { page_.SetWord(control::kLogEnd, address_); }
  [[nodiscard]] bool IsFull() const { return BytesWritten() == kBytes; }

  // The entries behind the first `skipped`.
  template <typename Entry>
  [[nodiscard]] std::span<const Entry> Written(std::size_t skipped = 0) const {
    const std::size_t count = BytesWritten() / sizeof(Entry);
    if (skipped >= count) return {};
    return {reinterpret_cast<const Entry*>(ours_) + skipped, count - skipped};
  }
  // The one that is being written; nullptr: there is no room for one.
  template <typename Entry>
  [[nodiscard]] Entry* Next() const {
    return IsFull() ? nullptr : reinterpret_cast<Entry*>(ours_ + BytesWritten());
  }
  void Advance(std::size_t bytes) const { page_.SetWord(control::kLogEnd, address_ + BytesWritten() + bytes); }

 private:
  // What the program made of the word is not believed.
  [[nodiscard]] std::size_t BytesWritten() const {
    const std::uint64_t bytes = page_.Word(control::kLogEnd) - address_;
    return bytes <= kBytes ? bytes : 0;
  }

  CounterPage page_;
  std::uint8_t* ours_ = nullptr;
  std::uint64_t address_ = 0;
};

}  // namespace tally
