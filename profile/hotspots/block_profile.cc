#include "profile/hotspots/block_profile.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tally {

using EndKind = ObservedBlock::End;

std::uint64_t BlockProfile::Block::next() const {
  return pc + std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
}

std::uint32_t BlockProfile::AddBlock(pid_t task, const ObservedBlock& observed) {
  const auto [first, last] = by_pc_.equal_range(observed.pc);
  for (auto at = first; at != last; ++at) {
    const Block& known = blocks_[at->second];
    if (std::equal(known.lengths.begin(), known.lengths.end(), observed.lengths.begin(), observed.lengths.end()) &&
        known.end == observed.end) {
      return at->second;
    }
  }
  Block block{.pc = observed.pc, .lengths{observed.lengths.begin(), observed.lengths.end()}, .end = observed.end};
  const CodePlace place = map_->PlaceOf(task, observed.pc);
  block.function = place.function;
  block.is_start = place.is_start;
  block.address = place.address;
  std::map<CentreNumber, std::uint32_t> centres;
  std::uint64_t address = place.address;
  for (const std::uint8_t length : block.lengths) {
    if (place.address == 0) break;
    block.centres_at_end = map_->CentresAt(address);
    for (const CentreNumber centre : block.centres_at_end) ++centres[centre];
    address += length;
  }
  block.centres.assign(centres.begin(), centres.end());
  blocks_.push_back(std::move(block));
  const auto number = static_cast<std::uint32_t>(blocks_.size() - 1);
  by_pc_.emplace(observed.pc, number);
  inclusive_.resize(map_->centres());
  return number;
}

void BlockProfile::Executed(pid_t tid, std::span<const std::uint32_t> numbers) {
  if (numbers.empty()) return;
  Task& task = tasks_[tid];
  task.active.resize(map_->centres());
  for (const std::uint32_t number : numbers) {
    if (number >= blocks_.size()) continue;  // the program wrote into the log
    Block& block = blocks_[number];
    if (task.end != EndKind::kPlain || block.function != task.function || task.stack.empty()) Move(&task, block);
    ++block.count;
    AddCentres(&task, block);
    task.total += block.lengths.size();
    task.end = block.end;
    task.last = number;
    task.left_early = false;
  }
}

void BlockProfile::LeftEarly(pid_t tid, std::size_t instructions) {
  const auto found = tasks_.find(tid);
  if (found == tasks_.end() || blocks_[found->second.last].lengths.size() < instructions) return;
  Task& task = found->second;
  Block& block = blocks_[task.last];
  ++block.left_at[block.lengths.size() - instructions];
  task.total -= instructions;
  task.end = EndKind::kPlain;
  task.left_early = true;
}

void BlockProfile::AddCentres(Task* task, const Block& block) {
  for (const auto& [centre, instructions] : block.centres) {
    if (task->active[centre] == 0) inclusive_[centre] += instructions;
  }
}

void BlockProfile::Move(Task* task, const Block& to) {
  if (task->stack.empty()) {
    Push(task, {to.function, 0, false, task->total, {}});
  } else if (task->end == EndKind::kCall) {
    const Block& from = blocks_[task->last];
    Push(task, {to.function, from.next(), false, task->total, from.centres_at_end});
  } else if (task->end == EndKind::kReturn) {
    Return(task, to);
  } else {
    Jump(task, to);
  }
}

void BlockProfile::Return(Task* task, const Block& to) {
  for (std::size_t depth = task->stack.size(); depth-- > 1;) {
    if (task->stack[depth].back != to.pc) continue;
    PopTo(task, depth);
    break;
  }
  if (task->function != to.function) Jump(task, to);
}

void BlockProfile::Jump(Task* task, const Block& to) {
  const auto& stack = task->stack;
  for (std::size_t depth = stack.size(); depth-- > 0;) {
    if (stack[depth].function == to.function) {
      PopTo(task, depth + 1);
      return;
    }
    // A function's beginning is not gone back to, but within one chain of such jumps.
    if (to.is_start && !stack[depth].is_tail) break;
  }
  const bool calls = to.is_start && task->end == EndKind::kPlain && !task->left_early;
  Push(task, {to.function, 0, true, task->total, calls ? blocks_[task->last].centres_at_end : std::vector<CentreNumber>{}});
}

void BlockProfile::Enter(Task* task, CentreNumber centre) const { ++task->active[centre]; }

void BlockProfile::End(Task* task, CentreNumber centre, std::uint64_t cost) {
  if (--task->active[centre] == 0) inclusive_[centre] += cost;
}

void BlockProfile::EnterLibrary(Task* task, CentreNumber library) const {
  for (LibraryState& state : task->libraries) {
    if (state.library != library) continue;
    if (state.frames++ == 0) state.since = task->total;
    return;
  }
  task->libraries.push_back({library, 1, task->total});
}

void BlockProfile::EndLibrary(Task* task, CentreNumber library) {
  for (LibraryState& state : task->libraries) {
    if (state.library == library && --state.frames == 0) inclusive_[library] += task->total - state.since;
  }
}

void BlockProfile::BeginProgram(Task* task) {
  for (const LibraryState& state : task->libraries) {
    if (state.frames > 0) inclusive_[state.library] += task->total - state.since;
  }
  task->waiting = std::exchange(task->libraries, {});
  task->program = task->stack.size();
}

void BlockProfile::EndProgram(Task* task) const {
  task->libraries = std::exchange(task->waiting, {});
  for (LibraryState& state : task->libraries) state.since = task->total;
  task->program = 0;
}

void BlockProfile::Push(Task* task, Frame frame) {
  if (const CentreNumber library = LibraryOf(frame.function); library != kNoCentre) {
    EnterLibrary(task, library);
  } else if (task->program == 0 && !task->stack.empty() && LibraryOf(task->stack.back().function) != kNoCentre) {
    BeginProgram(task);
  }
  for (const CentreNumber centre : frame.centres) Enter(task, centre);
  Enter(task, frame.function);
  task->function = frame.function;
  task->stack.push_back(std::move(frame));
}

// `depth` frames are left.
void BlockProfile::PopTo(Task* task, std::size_t depth) {
  while (task->stack.size() > depth) {
    const Frame frame = std::move(task->stack.back());
    task->stack.pop_back();
    const std::uint64_t cost = task->total - frame.total_before;
    End(task, frame.function, cost);
    for (const CentreNumber centre : frame.centres) End(task, centre, cost);
    if (const CentreNumber library = LibraryOf(frame.function); library != kNoCentre) EndLibrary(task, library);
    if (task->program != 0 && task->stack.size() == task->program) EndProgram(task);
  }
  if (!task->stack.empty()) task->function = task->stack.back().function;
}

void BlockProfile::Finish() {
  for (auto& [tid, task] : tasks_) PopTo(&task, 0);
}

std::uint64_t BlockProfile::InclusiveOf(CentreNumber centre) const {
  return centre < inclusive_.size() ? inclusive_[centre] : 0;
}

std::uint64_t BlockProfile::total() const {
  std::uint64_t sum = 0;
  for (const auto& [tid, task] : tasks_) sum += task.total;
  return sum;
}

}  // namespace tally
