// Which blocks a task executed, for whoever observes that (block_log.h tells how they are noted down).
#include "supervisor/block_observer.h"
#include "supervisor/translator/guest.h"

namespace tally {

// Also makes room for whatever is stepped.
void Guest::ReportBlocks() const {
  if (!log_.IsKept()) return;
  run_->observer->Executed(tid_, log_.Written());
  log_.Clear();
}

// The last so many of its last block.
void Guest::ReportNotExecuted(std::size_t instructions) const {
  if (!log_.IsKept() || instructions == 0) return;
  ReportBlocks();
  run_->observer->LeftEarly(tid_, instructions);
}

// In the middle of noting down a block, r11 has the log's end, which is about to change. The task goes back to where
// that began.
void Guest::LeaveNote() const {
  if (!log_.IsKept()) return;
  user_regs_struct r = Get();
  const std::optional<GuestPlace> place = space_->translator().PlaceOf(r.rip);
  if (!place || place->before_note == 0 || place->before_note == r.rip) return;
  if (!place->lent && r.rip - place->before_note >= Emitter::kLoadR11Size) r.r11 = page_.Word(control::kSpillForCount);
  r.rip = place->before_note;
  Set(r);
}

// Was it a store behind the log's end? Then it is made at the beginning.
bool Guest::EmptyFullLog(std::uint64_t fault) {
  if (!log_.IsKept() || fault != log_.guard()) return false;
  user_regs_struct r = Get();
  ReportBlocks();
  r.r11 = log_.address();
  Set(r);
  return true;
}

}  // namespace tally
