// A return to an address that nobody called, where the flags may be alive (branch_targets.h): on its way to the chain's end the flags were
// overwritten. Coroutines begin so (makecontext(3)), and retpolines jump so.
//
// Theory of operation. Whether anything reads the flags is known only of what is executed: behind a `push` and a jump through a library's
// table of addresses they may be alive, as far as translations are concerned, and are dead at the first `sub` there. So the task is stepped
// until all flags are overwritten, or to a system call behind which they are dead: what that leaves of them in r11 nobody looks at. Where an
// instruction reads one before that, it would read what we have made of it, and the run is given up.
#include <fmt/format.h>

#include <csignal>

#include "supervisor/resources/proc_status.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"
#include "supervisor/x86/isa/shape.h"

namespace tally {

void Guest::SettleFlags(GuestPc returned_to) {
  settles_flags_ = true;
  const bool are_overwritten = StepToOverwrittenFlags();
  settles_flags_ = false;
  if (are_overwritten) return;
  run_->violation = fmt::format("counter=translator does not execute the return to {:#x}: it may have lost the flags", returned_to);
  throw TaskIsGone{};
}

bool Guest::StepToOverwrittenFlags() {
  constexpr int kMostSteps = 1000;
  const SignalsHeld held(tid_);
  unsigned unknown = isa::kAllFlags;
  GuestPc last = 0;
  for (int steps = 0; steps < kMostSteps && !turn_event_; ++steps) {
    const std::optional<GuestPlace> place = space_->translator().PlaceOf(Get().rip);
    if (place && place->clean && place->pc != last) {
      last = place->pc;
      if (place->instruction->flow == Flow::kSystemCall) return space_->translator().AreFlagsDeadAt(place->instruction->next());
      if ((place->instruction->read & unknown) != 0) return false;
      unknown &= ~static_cast<unsigned>(place->instruction->killed);
      if (unknown == 0) return true;
    }
    const std::optional<WaitStatus> status = StepUnseen();
    if (!status) throw TaskIsGone{};
    const bool stepped = status->kind() == WaitStatus::Kind::kSignalStop && status->signal() == SIGTRAP && SignalInfo().si_code > 0;
    if (stepped) HandleTrap();  // or the step's
    else other_stop_ = status;
    if (other_stop_) return EndsByFault(*other_stop_);
  }
  return false;
}

// A handler would see the flags.
bool Guest::EndsByFault(const WaitStatus& stop) const {
  if (stop.kind() != WaitStatus::Kind::kSignalStop || !IsFromTheProcessor(stop.signal(), SignalInfo().si_code)) return false;
  const std::optional<SignalSets> sets = SignalSetsOf(tid_);
  return sets && (sets->caught & (1ULL << (stop.signal() - 1))) == 0;
}

}  // namespace tally
