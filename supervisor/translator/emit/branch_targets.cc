#include "supervisor/translator/emit/branch_targets.h"

#include <algorithm>

namespace tally {

// More than a start has (2,500, dynamic C++), so that they are not moved; pages that are not touched cost nothing.
constexpr std::size_t kExpected = 1U << 14;

BranchTargets::BranchTargets(Blocks* blocks, Linker* linker, ControlArea* control, Pool* pool)
    : blocks_(blocks), linker_(linker), control_(control), pool_(pool) {
  branch_targets_.reserve(kExpected);
  fronts_.reserve(kExpected);
}

void BranchTargets::SetMisses(HostPc after_return, HostPc after_jump) {
  misses_ = {after_return, after_jump};
  control_->FillTable(Table::kReturn, after_return);
  control_->FillTable(Table::kJump, after_jump);
  for (auto& first : first_) first = pool_->TakeArray<std::uint32_t>(control_->entries());
}

void BranchTargets::Emit(Table table, GuestPc pc, Emitter* out) {
  BranchTarget branch_target{.pc = pc, .at = out->here(), .otherwise = 0, .next = 0, .table = table, .careful = true};
  if (table == Table::kJump) {
    branch_target.otherwise = out->UnlessJumpsToKeepingFlags(pc);
  } else if (blocks_->LiveIn(pc) != isa::kNoFlags || IsSharedWithFormer(pc)) {
    branch_target.otherwise = out->UnlessReturnsToKeepingFlags(pc);
  } else {
    branch_target.otherwise = out->UnlessReturnsTo(pc);
    branch_target.careful = false;
  }
  if (table == Table::kJump) out->LoadRcx(control::kSpillRcx);
  Add(branch_target);
}

void BranchTargets::Adopt(const BranchTarget& branch_target) {
  const bool is_safe = branch_target.careful || !IsSharedWithFormer(branch_target.pc);
  if (is_safe && !Has(branch_target.table, branch_target.pc)) Add(branch_target);
}

bool BranchTargets::IsSharedWithFormer(GuestPc pc) const {
  if (former_.empty()) return false;
  const GuestPc former = former_[control_->Slot(pc)];
  return former != 0 && former != pc;
}

bool BranchTargets::Has(Table table, GuestPc pc) const {
  std::uint32_t i = First(table, pc);
  while (i != 0 && branch_targets_[i].pc != pc) i = branch_targets_[i].next;
  return i != 0;
}

void BranchTargets::Expect(std::size_t more) {
  const std::size_t size = branch_targets_.size() + more;
  if (size > branch_targets_.capacity()) branch_targets_.reserve(std::max(size, 2 * branch_targets_.capacity()));
}

void BranchTargets::Add(const BranchTarget& branch_target) {
  branch_targets_.push_back(branch_target);
  Chain(static_cast<std::uint32_t>(branch_targets_.size() - 1));
}

// A careful one goes to the front, another behind the careful ones.
void BranchTargets::Chain(std::uint32_t added) {
  BranchTarget& branch_target = branch_targets_[added];
  const Table table = branch_target.table;
  std::uint32_t before = 0;
  std::uint32_t after = First(table, branch_target.pc);
  while (!branch_target.careful && after != 0 && branch_targets_[after].careful) {
    before = after;
    after = branch_targets_[after].next;
  }
  branch_target.next = after;
  linker_->PatchNow(branch_target.otherwise, after != 0 ? branch_targets_[after].at : misses_[Index(table)]);  // nobody is on the way there
  if (before != 0) {
    branch_targets_[before].next = added;
    linker_->Patch(branch_targets_[before].otherwise, branch_target.at);
  } else {
    First(table, branch_target.pc) = added;
    fronts_.push_back(added);
  }
}

void BranchTargets::Widen() {
  const std::size_t narrow = former_.size();
  control_->Widen();
  SetMisses(misses_[Index(Table::kReturn)], misses_[Index(Table::kJump)]);
  if (narrow != 0) former_.resize(control_->entries());
  for (std::size_t i = narrow; i < former_.size(); ++i) former_[i] = former_[i - narrow];
  for (std::uint32_t i = 1; i < branch_targets_.size(); ++i) Chain(i);
}

void BranchTargets::Publish() {
  for (const std::uint32_t i : fronts_) {
    const BranchTarget& added = branch_targets_[i];
    control_->SetEntry(added.table, added.pc, branch_targets_[First(added.table, added.pc)].at);
  }
  fronts_.clear();
}

bool BranchTargets::FlagsMayBeLost(GuestPc pc) {
  bool careful = true;
  for (std::uint32_t i = First(Table::kReturn, pc); i != 0; i = branch_targets_[i].next) careful = branch_targets_[i].careful;
  return !careful && blocks_->LiveIn(blocks_->At(pc)) != isa::kNoFlags;  // of the code as it is now
}

void BranchTargets::Clear() {
  former_.resize(control_->entries());
  ForEach([this](const BranchTarget& branch_target) {
    if (branch_target.table != Table::kReturn || !branch_target.careful) return;  // nobody there reads flags
    GuestPc& former = former_[control_->Slot(branch_target.pc)];
    former = former == 0 || former == branch_target.pc ? branch_target.pc : kSeveral;
  });
  fronts_.clear();
  branch_targets_.assign(1, {});
}

}  // namespace tally
