#include "supervisor/translator/emit/landings.h"

namespace tally {

void Landings::SetMisses(HostPc after_return, HostPc after_jump) {
  misses_ = {after_return, after_jump};
  control_->FillTable(Table::kReturn, after_return);
  control_->FillTable(Table::kJump, after_jump);
}

void Landings::Emit(Table table, GuestPc pc, Emitter* out) {
  Landing landing{.pc = pc, .at = out->here(), .otherwise = 0, .next = 0, .table = table, .careful = true};
  if (table == Table::kJump) {
    landing.otherwise = out->UnlessJumpsToKeepingFlags(pc);
  } else if (all_careful_ || blocks_->LiveIn(pc) != isa::kNoFlags || IsSharedWithFormer(pc)) {
    landing.otherwise = out->UnlessReturnsToKeepingFlags(pc);
  } else {
    landing.otherwise = out->UnlessReturnsTo(pc);
    landing.careful = false;
  }
  if (table == Table::kJump) out->LoadRcx(control::kSpillRcx);
  Chain(landing);
}

void Landings::Adopt(const Landing& landing) {
  const bool is_safe = landing.careful || (!all_careful_ && !IsSharedWithFormer(landing.pc));
  if (is_safe && !Has(landing.table, landing.pc)) Chain(landing);
}

bool Landings::IsSharedWithFormer(GuestPc pc) const {
  if (former_.empty()) return false;
  const GuestPc former = former_[static_cast<std::uint16_t>(pc)];
  return former != 0 && former != pc;
}

std::uint32_t Landings::First(Table table, GuestPc pc) const {
  const std::uint32_t* const first = first_[Index(table)].Find(static_cast<std::uint16_t>(pc));
  return first == nullptr ? 0 : *first;
}

bool Landings::Has(Table table, GuestPc pc) const {
  std::uint32_t i = First(table, pc);
  while (i != 0 && landings_[i].pc != pc) i = landings_[i].next;
  return i != 0;
}

// A careful one goes to the front, another behind the careful ones.
void Landings::Chain(const Landing& landing) {
  const Table table = landing.table;
  if (table == Table::kReturn) returns_.push_back(landing.pc);
  const auto added = static_cast<std::uint32_t>(landings_.size());
  std::uint32_t before = 0;
  std::uint32_t after = First(table, landing.pc);
  while (!landing.careful && after != 0 && landings_[after].careful) {
    before = after;
    after = landings_[after].next;
  }
  landings_.push_back(landing);
  landings_[added].next = after;
  linker_->Patch(landing.otherwise, after != 0 ? landings_[after].at : misses_[Index(table)]);
  if (before != 0) {
    landings_[before].next = added;
    linker_->Patch(landings_[before].otherwise, landing.at);
  } else {
    first_[Index(table)].At(static_cast<std::uint16_t>(landing.pc)) = added;
    fronts_.push_back({table, landing.pc, landing.at});
  }
}

void Landings::Publish() {
  for (const Front& front : fronts_) control_->SetEntry(front.table, front.pc, front.at);
  fronts_.clear();
}

bool Landings::FlagsMayBeLost(GuestPc pc) {
  bool careful = true;
  for (std::uint32_t i = First(Table::kReturn, pc); i != 0; i = landings_[i].next) careful = landings_[i].careful;
  return !careful && blocks_->LiveIn(blocks_->At(pc)) != isa::kNoFlags;  // of the code as it is now
}

void Landings::Clear() {
  former_.resize(control::kTableEntries);
  for (const GuestPc pc : returns_) {
    GuestPc& former = former_[static_cast<std::uint16_t>(pc)];
    former = former == 0 || former == pc ? pc : kSeveral;
  }
  returns_.clear();
  fronts_.clear();
  landings_.assign(1, {});
  for (auto& first : first_) first.Clear();
}

}  // namespace tally
