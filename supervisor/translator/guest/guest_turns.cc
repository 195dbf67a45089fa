// A task of a program whose tasks take turns (turns/turns.h): the end of its turn, and the calls by which it waits for others.
//
// A turn ends behind an instruction that is the same however the code is translated (MayEndTurn): the first at which more is executed than
// the budget and the margin, or in front of a system call, or of a handler, if the budget is used up there. Translations look at it wherever
// they count, and may pass some such instructions before, but never more than the margin (unit_plan.cc). So behind a look that finds it used up,
// the rest is gone step by step.
#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/one_processor.h"
#include "supervisor/translator/emit/unit_plan.h"
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

// While others have their turns, its count is that of what it has executed, to the unit: their clocks are made of it.
void Guest::CountInTurn(std::int64_t uncounted) {
  const auto change = static_cast<std::uint64_t>(uncounted - counted_);
  page_.SetWord(control::kTurnGiven, page_.Word(control::kTurnGiven) + change);
  counted_between_ = counted_;
  counted_ = uncounted;
}

bool Guest::IsTurnUsedUp() const {
  constexpr std::int64_t kMostUncounted = Entry::kMostPending;
  const auto left = static_cast<std::int64_t>(page_.Word(control::kTurnBudget));
  if (left >= kMostUncounted || kernel_pc_ || other_stop_) return false;
  const std::optional<GuestPlace> place = space_->translator().PlaceOf(Get().rip);
  return place && place->clean && !place->after_call && left < place->uncounted;
}

// A signal on the way ends it there, and so does any call, in front of which its next turn begins: it may wait in the kernel.
bool Guest::GoToEndOfTurn(std::uint64_t later) {
  MakeRoomInLog();
  const OneProcessor together(tid_);
  // No translation needs to look from here on. What is given is what the next turn begins with.
  constexpr std::int64_t kPlenty = std::int64_t{1} << 40;
  GiveInTurn(kPlenty);
  // By what was executed, for one instruction may have two clean places, or in a loop many.
  std::optional<std::uint64_t> until, executed_last;
  bool may_end = false;  // behind the instruction that was executed last
  for (;;) {
    std::uint64_t ahead = until ? 1 : ~0ULL;
    const HostPc at = Get().rip;
    const std::optional<GuestPlace> place = space_->translator().PlaceOf(at);
    if (place && place->clean) {
      const std::uint64_t executed = page_.Instructions() + static_cast<std::uint64_t>(place->uncounted);
      const std::int64_t left = static_cast<std::int64_t>(page_.Word(control::kTurnBudget)) - kPlenty - place->uncounted;
      const bool has_executed = executed_last && executed > *executed_last;
      if (!until && has_executed && may_end && left < -std::int64_t{run_->options.turn_margin}) until = executed + later;
      if ((until && executed >= *until) || IsBeforeCall(at)) break;
      may_end = &place->block->last() == place->instruction && MayEndTurn(*place->block);
      executed_last = executed;
      if (until) ahead = *until - executed;
      // There may be no jump for long.
      if (!until && sys::MonotonicNow() >= run_->return_by) {
        GiveInTurn(-kPlenty);
        turn_event_ = TurnEvent::kIsStillOver;
        return false;
      }
    }
    // Within a unit no turn ends but behind its last instruction. A step costs several times what a trap does, in a virtual machine.
    if (DirectJump()) continue;  // that of a unit in whose place another stands (Translator::Redirect), too
    const HostPc to = space_->translator().Further(at, ahead).value_or(0);
    if (!(at < to ? RunInTurnTo(to) : StepInTurn())) break;
  }
  EndTurnHere();
  return true;
}

void Guest::GiveInTurn(std::int64_t instructions) const {
  page_.SetWord(control::kTurnGiven, page_.Word(control::kTurnGiven) + static_cast<std::uint64_t>(instructions));
  page_.SetWord(control::kTurnBudget, page_.Word(control::kTurnBudget) + static_cast<std::uint64_t>(instructions));
}

void Guest::EndTurnHere() {
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

namespace {

// Intel SDM vol. 1, appendix B.
bool Holds(unsigned condition, std::uint64_t flags) {
  const auto bit = [flags](unsigned at) { return (flags >> at & 1) != 0; };
  const bool carry = bit(0), parity = bit(2), zero = bit(6), sign = bit(7), overflow = bit(11);
  const bool holds[] = {overflow, carry, zero, carry || zero, sign, parity, sign != overflow, zero || sign != overflow};
  return holds[condition >> 1] != ((condition & 1) != 0);
}

}  // namespace

// A direct jump within translations needs nobody to execute it. False: it stands at something else.
bool Guest::DirectJump() {
  user_regs_struct r = Get();
  if (space_->cache().Holding(r.rip) == nullptr) return false;
  const std::uint8_t* code = space_->cache().Ours(r.rip);
  for (int nops = 0; *code == 0x90 && nops < 8; ++nops) ++code, ++r.rip;  // those in front of a jump that may be changed (emitter.h)
  const bool is_conditional = code[0] == 0x0f && (code[1] & 0xf0) == 0x80;
  if (code[0] != 0xe9 && !is_conditional) return false;
  const std::size_t opcode = is_conditional ? 2 : 1;
  std::int32_t distance = 0;
  std::memcpy(&distance, code + opcode, sizeof distance);
  r.rip += opcode + sizeof distance;
  if (!is_conditional || Holds(code[1] & 0xf, r.eflags)) r.rip += static_cast<std::uint64_t>(std::int64_t{distance});
  Set(r);
  return true;
}

// To a trap there: nobody else executes this code meanwhile.
std::optional<WaitStatus> Guest::RunToTrapAt(HostPc there) {
  constexpr std::uint8_t kTrap = 0xcc;
  std::uint8_t* const ours = space_->cache().Ours(there);
  const std::uint8_t before = std::exchange(*ours, kTrap);
  const std::optional<WaitStatus> status = RunToStop(PTRACE_CONT, tid_, 0);
  *ours = before;
  if (!status || status->kind() != WaitStatus::Kind::kSignalStop || status->signal() != SIGTRAP) return status;
  user_regs_struct r = Get();
  if (r.rip != there + 1 || !ComesFromTrap()) return status;
  r.rip = there;
  Set(r);
  return status;
}

bool Guest::IsBeforeCall(HostPc at) const {
  if (space_->cache().Holding(at) == nullptr) return false;
  const std::uint8_t* const code = space_->cache().Ours(at);
  return code[0] == 0x0f && code[1] == 0x05;
}

// Of a string instruction that is repeated one step would be one repetition.
bool Guest::StepInTurn() {
  const HostPc at = Get().rip;
  const std::size_t repeat = space_->cache().Holding(at) != nullptr ? LengthOfRepeat(space_->cache().Ours(at)) : 0;
  if (repeat != 0) return RunInTurnTo(at + repeat);
  return GoesOnInTurn(StepUnseen(), std::nullopt);
}

bool Guest::RunInTurnTo(HostPc there) { return GoesOnInTurn(RunToTrapAt(there), there); }

// False: it came to something else, which waits for its next turn. `there`: where a trap of ours stood for this.
bool Guest::GoesOnInTurn(std::optional<WaitStatus> status, std::optional<HostPc> there) {
  if (!status) throw TaskIsGone{};
  const bool is_signal = status->kind() == WaitStatus::Kind::kSignalStop;
  const bool is_trap = is_signal && status->signal() == SIGTRAP;
  const int code = is_trap ? SignalInfo().si_code : 0;
  if (is_signal && (status->signal() == SIGSEGV || status->signal() == SIGBUS) && HandleFault()) return !other_stop_;
  const bool is_there = there && is_trap && Get().rip == *there;
  // Ours, or one of the program's own.
  if (!is_there && (code <= 0 || (!HandleTrap() && (there || code != TRAP_TRACE)))) {
    other_stop_ = status;
    return false;
  }
  if (turn_event_ == TurnEvent::kIsOver) turn_event_.reset();
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
