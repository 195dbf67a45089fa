// The numbers of the blocks that a task executed, as translated code writes them down for a BlockObserver.
//
// Theory of operation. Each unit begins with three instructions that store its block's number at the log's end and move
// that, which is a word behind gs (control::kLogEnd). Behind the log lies a page that nobody may touch: the store that
// does not fit any more faults, and the supervisor reads the log, empties it and has the store done again. Nothing else
// is to step over a unit's beginning but with room enough, so the log is read before anything is stepped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "supervisor/translator/control_area.h"

namespace tally {

class BlockLog {
 public:
  static constexpr std::size_t kBytes = std::size_t{1} << 18;

  BlockLog() = default;
  // Of the task that counts in `page`; its memory is at `ours` here, and at `address` for the program.
  BlockLog(CounterPage page, const std::uint8_t* ours, std::uint64_t address) : page_(page), ours_(ours), address_(address) {}

  [[nodiscard]] bool IsKept() const { return ours_ != nullptr; }
  [[nodiscard]] std::uint64_t address() const { return address_; }
  [[nodiscard]] std::uint64_t guard() const { return address_ + kBytes; }
  void Clear() const { page_.SetWord(control::kLogEnd, address_); }
  [[nodiscard]] std::span<const std::uint32_t> Written() const {
    const std::uint64_t bytes = page_.Word(control::kLogEnd) - address_;
    // What the program made of the word is not believed.
    if (bytes > kBytes) return {};
    return {reinterpret_cast<const std::uint32_t*>(ours_), bytes / sizeof(std::uint32_t)};
  }

 private:
  CounterPage page_;
  const std::uint8_t* ours_ = nullptr;
  std::uint64_t address_ = 0;
};

}  // namespace tally
