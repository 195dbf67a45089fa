// A task of a program whose tasks take turns (turns/turns.h): the end of its turn, and the calls by which it waits for others.
//
// A turn ends behind an instruction that is the same however the code is translated (MayEndTurn): the first at which more is executed than
// the budget and the margin, or in front of a system call, or of a handler, if the budget is used up there. Translations look at it wherever
// they count, and may pass some such instructions before, but never more than the margin (fragment_plan.cc). What finds it used up traps; from
// there on the margin is given too, and translations for the ends of turns (translator.h) come to that instruction. By a seed a turn ends
// some instructions later still, which are gone step by step.
#include <linux/audit.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "base/error.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/int_arguments.h"
#include "supervisor/tracing/one_processor.h"
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
  near_end_ = false;
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
  // A turn does not end within a call.
  const std::uint64_t left = page_.Word(control::kTurnBudget);
  const auto most = static_cast<std::uint64_t>(std::max<std::int64_t>(static_cast<std::int64_t>(left), 0));
  const std::uint64_t spent = std::min(instructions, most);
  page_.SetWord(control::kTurnGiven, page_.Word(control::kTurnGiven) - spent);
  page_.SetWord(control::kTurnBudget, left - spent);
  run_->machine.clock().Pass(VirtualClock::CpuTime(instructions));
}

void Guest::LimitTurn(std::uint64_t instructions) const {
  const std::uint64_t left = page_.Word(control::kTurnBudget);
  if (static_cast<std::int64_t>(left) <= static_cast<std::int64_t>(instructions)) return;
  page_.SetWord(control::kTurnGiven, page_.Word(control::kTurnGiven) - (left - instructions));
  page_.SetWord(control::kTurnBudget, instructions);
}

// While others have their turns, its count is that of what it has executed, to the instruction: their clocks are made of it.
void Guest::CountInTurn(std::int64_t uncounted) {
  const auto change = static_cast<std::uint64_t>(uncounted - counted_);
  page_.SetWord(control::kTurnGiven, page_.Word(control::kTurnGiven) + change);
  counted_between_ = counted_;
  counted_ = uncounted;
}

std::int64_t Guest::BudgetLeft() const { return static_cast<std::int64_t>(page_.Word(control::kTurnBudget)); }

bool Guest::IsTurnUsedUp() const {
  if (kernel_pc_ || other_stop_) return false;
  const std::int64_t left = BudgetLeft() - (near_end_ ? run_->options.turn_margin : 0);
  if (left >= Entry::kMostPending) return false;
  HostPc at = 0;
  if (!InstructionPointer(tid_, &at)) throw TaskIsGone{};
  const std::optional<GuestPlace> place = space_->translator().PlaceOf(at);
  return place && place->clean && !place->after_call && left < place->uncounted;
}

// The margin is given once, however often a translation finds the budget used up.
void Guest::ComeNearEndOfTurn() {
  if (!std::exchange(near_end_, true)) GiveInTurn(run_->options.turn_margin);
}

// Who comes here without having been near has code of its last turn's end to execute still.
void Guest::ComeToEndOfTurn() {
  if (!near_end_) {
    ComeNearEndOfTurn();
    return;
  }
  near_end_ = false;
  turn_event_ = TurnEvent::kIsOver;
}

// Any call ends it, in front of which its next turn begins: it may wait in the kernel.
void Guest::GoFurther(std::uint64_t later) {
  MakeRoomInLog();
  const OneProcessor together(tid_);
  constexpr std::int64_t kPlenty = std::int64_t{1} << 40;
  GiveInTurn(kPlenty);
  // By what was executed, for one instruction may have two clean places, or in a loop many.
  std::optional<std::uint64_t> until;
  for (;;) {
    const HostPc at = Get().rip;
    const std::optional<GuestPlace> place = space_->translator().PlaceOf(at);
    if (place && place->clean) {
      const std::uint64_t executed = page_.Instructions() + static_cast<std::uint64_t>(place->uncounted);
      if (!until) until = executed + later;
      if (executed >= *until || IsBeforeCall(at)) return;
    }
    if (!StepInTurn()) return;
  }
}

void Guest::GiveInTurn(std::int64_t instructions) const {
  page_.SetWord(control::kTurnGiven, page_.Word(control::kTurnGiven) + static_cast<std::uint64_t>(instructions));
  page_.SetWord(control::kTurnBudget, page_.Word(control::kTurnBudget) + static_cast<std::uint64_t>(instructions));
}

void Guest::EndTurnHere() {
  near_end_ = false;
  const std::optional<GuestPlace> place = space_->translator().PlaceOf(Get().rip);
  if (place && place->clean) CountInTurn(place->uncounted);
}

namespace {

// The length of a repeated string instruction, which the processor steps through one repetition at a time; 0: that is none.
std::size_t LengthOfRepeat(const std::uint8_t* code) {
  std::size_t at = 0;
  bool repeats = false;
  for (; at < 14; ++at) {
    if (code[at] == 0xf2 || code[at] == 0xf3) repeats = true;
    else if (code[at] != 0x66 && code[at] != 0x67) break;
  }
  if ((code[at] & 0xf0) == 0x40) ++at;  // REX
  const std::uint8_t opcode = code[at];
  const bool is_string = (opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf);
  return repeats && is_string ? at + 1 : 0;
}

}  // namespace

// One that is repeated is one step, to a trap behind it: nobody else executes this code meanwhile.
std::optional<WaitStatus> Guest::StepOverRepeat(std::size_t length) {
  constexpr std::uint8_t kTrap = 0xcc;
  user_regs_struct r = Get();
  const HostPc behind = r.rip + length;
  std::uint8_t* const ours = space_->cache().Ours(behind);
  const std::uint8_t before = std::exchange(*ours, kTrap);
  const std::optional<WaitStatus> status = RunToStop(PTRACE_CONT, tid_, 0);
  *ours = before;
  if (!status || status->kind() != WaitStatus::Kind::kSignalStop || status->signal() != SIGTRAP) return status;
  r = Get();
  if (r.rip != behind + 1) return status;
  r.rip = behind;
  Set(r);
  return status;
}

bool Guest::IsBeforeCall(HostPc at) const {
  if (space_->cache().Holding(at) == nullptr) return false;
  const std::uint8_t* const code = space_->cache().Ours(at);
  return code[0] == 0x0f && code[1] == 0x05;
}

// False: it came to something else, which waits for its next turn.
bool Guest::StepInTurn() {
  const HostPc at = Get().rip;
  const std::size_t repeat = space_->cache().Holding(at) != nullptr ? LengthOfRepeat(space_->cache().Ours(at)) : 0;
  const std::optional<WaitStatus> status = repeat != 0 ? StepOverRepeat(repeat) : StepUnseen();
  if (!status) throw TaskIsGone{};
  const bool is_signal = status->kind() == WaitStatus::Kind::kSignalStop;
  if (is_signal && (status->signal() == SIGSEGV || status->signal() == SIGBUS) && HandleFault()) return !other_stop_;
  const int code = is_signal && status->signal() == SIGTRAP ? SignalInfo().si_code : 0;
  const bool is_step = code == TRAP_TRACE || (repeat != 0 && Get().rip == at + repeat);
  // Ours, or one of the program's own.
  if (code <= 0 || (!HandleTrap() && !is_step)) {
    other_stop_ = status;
    return false;
  }
  return !turn_event_ && !other_stop_;
}

StoppedCall Guest::CallAhead() const {
  const user_regs_struct r = Get();
  return MakeStoppedCall(AUDIT_ARCH_X86_64, r.rax & 0xffff'ffff, {r.rdi, r.rsi, r.rdx, r.r10, r.r8, r.r9}, 0);
}

// It stands behind the trap in front of the call, or where the call's new translation begins (guest_stop.cc).
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

std::int64_t Guest::Make(long number, const CallArguments& arguments) const {
  return Injector(tid_, space_->translator().gadget()).Call(number, arguments);
}

}  // namespace tally
