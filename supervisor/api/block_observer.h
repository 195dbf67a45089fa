// Whoever wants to know which basic blocks a program executed, in order and without exception (profile/: hotspots).
// The translator tells it, for a run that asks (RunRequest::observer). Such a run takes two to three times as long.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tally {

// A run of instructions that is entered at its beginning and left at its end.
struct ObservedBlock {
  enum class End : std::uint8_t { kPlain, kCall, kReturn };  // kPlain: a jump of any kind, a system call, the next block
  std::uint64_t pc = 0;                    // the program's address
  std::span<const std::uint8_t> lengths;   // of its instructions, in bytes; never empty. Borrowed for the call
  End end = End::kPlain;
};

class BlockObserver {
 public:
  virtual ~BlockObserver() = default;

  // A block that will be executed, by its number from now on; the same block may come again. `task` is stopped, and has
  // its code mapped.
  virtual std::uint32_t AddBlock(pid_t task, const ObservedBlock& block) = 0;
  // What `task` executed since it was last said.
  virtual void Executed(pid_t task, std::span<const std::uint32_t> blocks) = 0;
  // Of the last of these it did not execute the last `instructions`: it left for a handler, or ended there.
  virtual void LeftEarly(pid_t task, std::size_t instructions) = 0;
};

}  // namespace tally
