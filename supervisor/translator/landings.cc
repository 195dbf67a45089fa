#include "supervisor/translator/landings.h"

#include <algorithm>

namespace tally {

void Landings::SetMisses(HostPc after_return, HostPc after_jump) {
  misses_ = {after_return, after_jump};
  control_->FillTable(Table::kReturn, after_return);
  control_->FillTable(Table::kJump, after_jump);
}

void Landings::Emit(Table table, GuestPc pc, Emitter* out) {
  Landing landing{.at = out->here(), .otherwise = 0, .careful = true};
  if (table == Table::kJump) {
    landing.otherwise = out->UnlessJumpsToKeepingFlags(pc);
  } else if (blocks_->LiveIn(pc) != isa::kNoFlags) {
    landing.otherwise = out->UnlessReturnsToKeepingFlags(pc);
  } else {
    landing.otherwise = out->UnlessReturnsTo(pc);
    landing.careful = false;
  }
  out->LoadR11(control::kSpillR11);
  if (table == Table::kReturn) out->DropReturnAddress();
  made_[Index(table)].insert(pc);
  Chain(table, pc, landing);
}

void Landings::Chain(Table table, GuestPc pc, Landing landing) {
  std::vector<Landing>& chain = chains_[Index(table)][static_cast<std::uint16_t>(pc)];
  const auto place = landing.careful ? chain.begin()
                                     : std::find_if(chain.begin(), chain.end(), [](const Landing& l) { return !l.careful; });
  chain.insert(place, landing);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    linker_->Patch(chain[i].otherwise, i + 1 < chain.size() ? chain[i + 1].at : misses_[Index(table)]);
  }
  fronts_.push_back({table, pc, chain.front().at});
}

void Landings::Publish() {
  for (const Front& front : fronts_) control_->SetEntry(front.table, front.pc, front.at);
  fronts_.clear();
}

bool Landings::FlagsMayBeLost(GuestPc pc) {
  const auto found = chains_[Index(Table::kReturn)].find(static_cast<std::uint16_t>(pc));
  if (found == chains_[Index(Table::kReturn)].end() || found->second.back().careful) return false;
  return blocks_->LiveIn(pc) != isa::kNoFlags;
}

void Landings::Clear() {
  fronts_.clear();
  for (auto& made : made_) made.clear();
  for (auto& chains : chains_) chains.clear();
}

}  // namespace tally
