// How often each block of a program was executed, and what each function and each line cost with all they called.
//
// Theory of operation. The blocks come in the order in which they were executed. Those that end in a call or a return
// say what happened to the stack, so a stack of functions is kept for each task; what a function costs "inclusively" is
// what was executed between its entry and its end, counted once where it calls itself. Programs do not only call and
// return, so the stack follows what they do rather than what they should:
//   a return        ends the frame that was to be returned to there, and all above it (longjmp, exceptions);
//   a jump to the beginning of another function is a call from the end of the one before (a tail call, a procedure
//                   linkage table): a frame that ends together with the one below;
//   any other jump into another function goes back to that function's frame (an exception's handler, siglongjmp, the
//                   end of a signal handler).
// Functions inlined into others have no frames, nor have lines. What they cost is what was executed of them, and what was
// called from there, unless the same one was being counted already.
//
// A library costs inclusively what is executed while a function of it is on the stack, but for what runs before the program and
// calls it: the C library calls main, and all of the program would be its cost. So a library's frames at the bottom of a stack
// wait while what they called is there.
//
// No instruction is sampled or estimated: the sum over all blocks is the run's count.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "profile/hotspots/code_map.h"
#include "supervisor/api/block_observer.h"

namespace tally {

class BlockProfile : public BlockObserver {
 public:
  // `map` is borrowed.
  explicit BlockProfile(CodeMap* map) : map_(map) {}

  std::uint32_t AddBlock(pid_t task, const ObservedBlock& block) override;
  void Executed(pid_t task, std::span<const std::uint32_t> blocks) override;
  void LeftEarly(pid_t task, std::size_t instructions) override;
  // The run is over: functions that did not return end, too.
  void Finish();

  struct Block {
    std::uint64_t pc = 0;
    std::uint64_t address = 0;  // as SourceMap has it; 0: not in the program's own file
    std::vector<std::uint8_t> lengths;
    FunctionNumber function = 0;
    bool is_start = false;
    ObservedBlock::End end = ObservedBlock::End::kPlain;
    // Lines of it and functions inlined in it, with how many of its instructions; and those at its last instruction.
    std::vector<std::pair<CentreNumber, std::uint32_t>> centres;
    std::vector<CentreNumber> centres_at_end;
    std::uint64_t count = 0;
    std::map<std::size_t, std::uint64_t> left_at;  // it was left in front of this instruction so often

    [[nodiscard]] std::uint64_t next() const;
  };
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] std::uint64_t InclusiveOf(CentreNumber centre) const;
  [[nodiscard]] std::uint64_t total() const;
  [[nodiscard]] const CodeMap& map() const { return *map_; }

 private:
  struct Frame {
    FunctionNumber function;
    std::uint64_t back;           // where it is to return to; 0: nowhere, or where the frame below is
    bool is_tail;                 // it ends together with the frame below
    std::uint64_t total_before;
    std::vector<CentreNumber> centres;  // at the call
  };
  struct LibraryState {
    CentreNumber library;
    std::uint32_t frames;
    std::uint64_t since;  // the total when the first of them came
  };
  struct Task {
    std::vector<Frame> stack;
    std::vector<std::uint32_t> active;  // frames of each function, and those that were called in each line and inlined function
    FunctionNumber function = 0;        // of the frame on top
    ObservedBlock::End end = ObservedBlock::End::kPlain;  // of the last block
    std::uint32_t last = 0;
    bool left_early = false;  // the last block, and so not at its end
    std::vector<LibraryState> libraries;
    std::vector<LibraryState> waiting;  // below the program
    std::size_t program = 0;            // the frame that these called; 0: none yet
    std::uint64_t total = 0;
  };
  void Move(Task* task, const Block& to);
  void Jump(Task* task, const Block& to);
  void Return(Task* task, const Block& to);
  void Push(Task* task, Frame frame);
  void PopTo(Task* task, std::size_t depth);
  void Enter(Task* task, CentreNumber centre) const;
  void End(Task* task, CentreNumber centre, std::uint64_t cost);
  void AddCentres(Task* task, const Block& block);
  void EnterLibrary(Task* task, CentreNumber library) const;
  void EndLibrary(Task* task, CentreNumber library);
  void BeginProgram(Task* task);
  void EndProgram(Task* task) const;
  [[nodiscard]] CentreNumber LibraryOf(FunctionNumber function) const { return map_->Centre(function).library; }

  CodeMap* map_;
  std::vector<Block> blocks_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_pc_;
  std::unordered_map<pid_t, Task> tasks_;
  std::vector<std::uint64_t> inclusive_;  // by centre
};

}  // namespace tally
