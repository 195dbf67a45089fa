#include "supervisor/translator/guest/guests.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "base/error.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest_start.h"

namespace tally {

Guest* Guests::Find(pid_t tid) const {
  const auto found = guests_.find(tid);
  return found == guests_.end() ? nullptr : found->second.get();
}

Guest* Guests::FindToAct(pid_t tid) const {
  Guest* const guest = Find(tid);
  if (guest != nullptr) guest->ActAsYourself();
  return guest;
}

bool Guests::HasOfProcess(pid_t process) const {
  return std::any_of(guests_.begin(), guests_.end(), [process](const auto& entry) { return entry.second->process() == process; });
}

bool Guests::Guarded(const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const TaskIsGone&) {
    return false;
  } catch (const NoRoomInProgram&) {
    if (guests_.empty()) throw;  // as it begins: Watch says so
    run_.violation = "counter=translator has no room in the address space: the program fills it, or has as many mappings as there may be";
    return false;
  } catch (const GadgetFaults&) {
    run_.violation = "counter=translator cannot begin the program: its entry point cannot be executed";
    return false;
  } catch (const TaskDoesNotStop&) {
    run_.violation = "counter=translator cannot bring a thread of the program to a stop";
    return false;
  } catch (const SystemError& error) {
    if (error.error() != EEXIST) throw;
    run_.violation = "counter=translator has no room in the address space: the program's own segments lie where its code would";
    return false;
  } catch (const RegisterRefused&) {
    run_.violation = "counter=translator cannot go on with the segment registers as the program has set them";
    return false;
  } catch (const NoDescriptorLeft&) {
    run_.violation = "counter=translator needs a free descriptor when a program or a process with code of its own begins";
    return false;
  }
}

bool Guests::TakesStop(pid_t tid, const WaitStatus& status) {
  if (status.kind() != WaitStatus::Kind::kSignalStop) return false;
  Guest* const guest = FindToAct(tid);
  if (guest == nullptr) return false;
  bool ours = true;  // also when the program was killed meanwhile
  if (status.signal() == SIGTRAP) {
    Guarded([&] { ours = guest->HandleTrap(); });
  } else if (status.signal() == SIGSEGV || status.signal() == SIGBUS) {
    Guarded([&] { ours = guest->HandleFault(); });
  } else {
    ours = false;
  }
  return ours;
}

void Guests::SetClocks(std::optional<pid_t> alone) const {
  for (const auto& [tid, guest] : guests_) {
    const CounterPage page = guest->page();
    page.SetWord(control::kClockOn, 0);
    const VirtualClock& clock = run_.machine.clock();
    if (alone != tid || !clock.TellsTheCount()) continue;
    // Where another ends that was killed, it runs.
    page.SetWord(control::kClockOthers, run_.counts.InstructionsBeside(page));
    page.SetWord(control::kClockSince, static_cast<std::uint64_t>(clock.ahead().count()));
    page.SetWord(control::kClockDate, static_cast<std::uint64_t>((VirtualClock::kEpoch + clock.ahead()).count()));
    page.SetWord(control::kClockTicks, clock.Ticks(0));
    page.SetWord(control::kClockOn, 1);
  }
}

std::unique_ptr<StopBurst> Guests::TakeBurst(pid_t tid) {
  std::unique_ptr<StopBurst> burst = std::move(burst_);
  const bool may_join = run_.machine.Has(VirtualRule::kSystem);
  const bool is_kept = may_join && run_.takes_turns && processor_.Keep(tid);
  if (burst != nullptr && !burst->IsLong()) {
    burst->Follow(tid);
    return burst;
  }
  burst.reset();  // before the next begins: it gives back what it took
  return std::make_unique<StopBurst>(tid, may_join && !is_kept, run_.return_by);
}

}  // namespace tally
