#include "supervisor/translator/emit/branch_targets.h"

namespace tally {

void BranchTargets::SetMisses(HostPc after_return, HostPc after_jump) {
  misses_ = {after_return, after_jump};
  control_->FillTable(Table::kReturn, after_return);
  control_->FillTable(Table::kJump, after_jump);
}

void BranchTargets::Emit(Table table, GuestPc pc, Emitter* out) {
  BranchTarget branch_target{.pc = pc, .at = out->here(), .otherwise = 0, .next = 0, .table = table, .careful = true};
  if (table == Table::kJump) {
    branch_target.otherwise = out->UnlessJumpsToKeepingFlags(pc);
  } else if (all_careful_ || blocks_->LiveIn(pc) != isa::kNoFlags || IsSharedWithFormer(pc)) {
    branch_target.otherwise = out->UnlessReturnsToKeepingFlags(pc);
  } else {
    branch_target.otherwise = out->UnlessReturnsTo(pc);
    branch_target.careful = false;
  }
  if (table == Table::kJump) out->LoadRcx(control::kSpillRcx);
  Chain(branch_target);
}

void BranchTargets::Adopt(const BranchTarget& branch_target) {
  const bool is_safe = branch_target.careful || (!all_careful_ && !IsSharedWithFormer(branch_target.pc));
  if (is_safe && !Has(branch_target.table, branch_target.pc)) Chain(branch_target);
}

bool BranchTargets::IsSharedWithFormer(GuestPc pc) const {
  if (former_.empty()) return false;
  const GuestPc former = former_[static_cast<std::uint16_t>(pc)];
  return former != 0 && former != pc;
}

std::uint32_t BranchTargets::First(Table table, GuestPc pc) const {
  const std::uint32_t* const first = first_[Index(table)].Find(static_cast<std::uint16_t>(pc));
  return first == nullptr ? 0 : *first;
}

bool BranchTargets::Has(Table table, GuestPc pc) const {
  std::uint32_t i = First(table, pc);
  while (i != 0 && branch_targets_[i].pc != pc) i = branch_targets_[i].next;
  return i != 0;
}

// A careful one goes to the front, another behind the careful ones.
void BranchTargets::Chain(const BranchTarget& branch_target) {
  const Table table = branch_target.table;
  if (table == Table::kReturn) returns_.push_back(branch_target.pc);
  const auto added = static_cast<std::uint32_t>(branch_targets_.size());
  std::uint32_t before = 0;
  std::uint32_t after = First(table, branch_target.pc);
  while (!branch_target.careful && after != 0 && branch_targets_[after].careful) {
    before = after;
    after = branch_targets_[after].next;
  }
  branch_targets_.push_back(branch_target);
  branch_targets_[added].next = after;
  linker_->Patch(branch_target.otherwise, after != 0 ? branch_targets_[after].at : misses_[Index(table)]);
  if (before != 0) {
    branch_targets_[before].next = added;
    linker_->Patch(branch_targets_[before].otherwise, branch_target.at);
  } else {
    first_[Index(table)].At(static_cast<std::uint16_t>(branch_target.pc)) = added;
    fronts_.push_back({table, branch_target.pc, branch_target.at});
  }
}

void BranchTargets::Publish() {
  for (const Front& front : fronts_) control_->SetEntry(front.table, front.pc, front.at);
  fronts_.clear();
}

bool BranchTargets::FlagsMayBeLost(GuestPc pc) {
  bool careful = true;
  for (std::uint32_t i = First(Table::kReturn, pc); i != 0; i = branch_targets_[i].next) careful = branch_targets_[i].careful;
  return !careful && blocks_->LiveIn(blocks_->At(pc)) != isa::kNoFlags;  // of the code as it is now
}

void BranchTargets::Clear() {
  former_.resize(control::kTableEntries);
  for (const GuestPc pc : returns_) {
    GuestPc& former = former_[static_cast<std::uint16_t>(pc)];
    former = former == 0 || former == pc ? pc : kSeveral;
  }
  returns_.clear();
  fronts_.clear();
  branch_targets_.assign(1, {});
  for (auto& first : first_) first.Clear();
}

}  // namespace tally
