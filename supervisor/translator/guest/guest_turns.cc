// A task of a program whose tasks take turns (turns/turns.h): the end of its turn, and the calls by which it waits for others.
//
// A turn ends behind an instruction that is the same however the code is translated (MayEndTurn), though where in the block the
// budget is looked at depends on the flags. So from there it goes on step by step.
#include "base/error.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"

namespace tally {

// It comes back from its call in a new translation.
void Guest::TakeTurns() {
  ToGuest(false);
  space_->translator().TakeTurns();
  user_regs_struct r = Get();
  EnterTranslation(&r, r.rip);
}

void Guest::TakeTurnsAt(const StoppedCall& call) {
  const GuestPc pc = TakeBackCall(call);
  space_->translator().TakeTurns();
  user_regs_struct r = Get();
  GoTo(&r, pc);
}

// What it has executed and not counted yet, or the reverse, comes off its budget later, though it belongs to its last turn.
void Guest::BeginTurn(std::uint64_t length) {
  CountInTurn(0);
  const std::uint64_t budget = length + static_cast<std::uint64_t>(counted_between_);
  const std::uint64_t left = page_.Word(control::kTurnBudget);
  page_.SetWord(control::kTurnGiven, page_.Word(control::kTurnGiven) + budget - left);
  page_.SetWord(control::kTurnBudget, budget);
}

pid_t Guest::process() const {
  if (process_ == 0) process_ = static_cast<pid_t>(ProcStatusNumber(tid_, "Tgid").value_or(0));
  return process_;
}

void Guest::SpendTurn(std::uint64_t instructions) const {
  page_.SetWord(control::kTurnGiven, page_.Word(control::kTurnGiven) - instructions);
  page_.SetWord(control::kTurnBudget, page_.Word(control::kTurnBudget) - instructions);
  run_->machine.clock().Pass(VirtualClock::CpuTime(instructions));
}

void Guest::LimitTurn(std::uint64_t instructions) const {
  const std::uint64_t left = page_.Word(control::kTurnBudget);
  if (static_cast<std::int64_t>(left) <= static_cast<std::int64_t>(instructions)) return;
  page_.SetWord(control::kTurnGiven, page_.Word(control::kTurnGiven) - (left - instructions));
  page_.SetWord(control::kTurnBudget, instructions);
}

// While others have their turns, its count is that of what it has executed, to the unit: their clocks are made of it.
void Guest::CountInTurn(std::int64_t uncounted) {
  const auto change = static_cast<std::uint64_t>(uncounted - counted_);
  page_.SetWord(control::kTurnGiven, page_.Word(control::kTurnGiven) + change);
  counted_between_ = counted_;
  counted_ = uncounted;
}

// A signal on the way ends it there, and so does a call, in front of which its next turn begins.
void Guest::GoToEndOfTurn(GuestPc last, std::uint64_t later) {
  MakeRoomInLog();
  // By what was executed, for one instruction may have two clean places, or in a loop many.
  std::optional<std::uint64_t> until;
  for (;;) {
    const std::optional<GuestPlace> place = space_->translator().PlaceOf(Get().rip);
    if (place && place->clean) {
      const std::uint64_t executed = page_.Instructions() + static_cast<std::uint64_t>(place->uncounted);
      if (until && executed >= *until) {
        CountInTurn(place->uncounted);
        return;
      }
      if (!until && place->pc == last) until = executed + 1 + later;
    }
    if (!StepInTurn()) return;
  }
}

// False: it came to something else, which waits for its next turn.
bool Guest::StepInTurn() {
  const std::optional<WaitStatus> status = RunToStop(PTRACE_SINGLESTEP, tid_, 0);
  if (!status) throw TaskIsGone{};
  const bool is_trap = status->kind() == WaitStatus::Kind::kSignalStop && status->signal() == SIGTRAP && SignalInfo().si_code > 0;
  if (!is_trap) {
    other_stop_ = status;
    return false;
  }
  HandleTrap();
  if (turn_event_ && !turn_event_->is_call) turn_event_.reset();
  return !turn_event_ && !other_stop_;
}

StoppedCall Guest::CallAhead() const {
  const user_regs_struct r = Get();
  return {.arch = 0, .number = r.rax & 0xffff'ffff, .arguments = {r.rdi, r.rsi, r.rdx, r.r10, r.r8, r.r9}, .code = 0};
}

// It stands behind the trap in front of the call, or where the call's new translation begins (guest_halt.cc).
void Guest::AnswerCallAhead(std::int64_t result) {
  constexpr std::uint64_t kTrapFlag = 1 << 8;
  user_regs_struct r = Get();
  const std::optional<GuestPlace> place = space_->translator().PlaceOf(r.rip);
  if (!place) throw SystemError("turns: a system call from nowhere", 0);
  r.rax = static_cast<std::uint64_t>(result);
  r.r11 = r.eflags & ~kTrapFlag;
  if (place->uncounted_calls == 0) {
    page_.Correct(1, 1);
    r.rcx = place->instruction->next();
    GoTo(&r, r.rcx);
    return;
  }
  r.rip += kSyscallLength;
  Set(r);
}

std::int64_t Guest::Make(long number, std::initializer_list<std::uint64_t> arguments) const {
  return Injector(tid_, space_->translator().gadget()).Call(number, arguments);
}

}  // namespace tally
