#include "supervisor/translator/guest/guest.h"

#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <utility>

#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest_start.h"

namespace tally {
namespace {

// A jump to another address faults; to one that is, the kernel's too, the instruction behind it does.
bool IsCanonical(GuestPc pc) {
  constexpr std::uint64_t kHalf = 1ULL << 47;
  return pc + kHalf < 2 * kHalf;
}

}  // namespace

user_regs_struct Guest::Get() const {
  user_regs_struct r{};
  if (!Registers(tid_, &r)) throw TaskIsGone{};
  return r;
}

void Guest::Set(const user_regs_struct& r) const {
  if (!SetRegisters(tid_, r)) throw TaskIsGone{};
}

// Of the signal-delivery stop the task is in.
siginfo_t Guest::SignalInfo() const {
  siginfo_t info{};
  if (::ptrace(PTRACE_GETSIGINFO, tid_, nullptr, &info) != 0) throw TaskIsGone{};
  return info;
}

// Beginning and end --------------------------------------------------------------------------------------

void Guest::BeginProgram() {
  if (Get().cs != kCodeSegment) {
    run_->violation = "counter=translator does not run 32-bit programs: compile it for x86-64 (without -m32), or count by counter=perf or step";
    return;
  }
  memory_ = ++run_->memories;
  std::shared_ptr<CodeSpace> space = TakeOverProgram(tid_, *run_);
  if (run_->KeepsOneMore()) run_->begun.push_back(space);
  user_regs_struct r = Get();
  r.orig_rax = ~0ULL;
  Begin(std::move(space), &r, r.rip);
}

void Guest::BeginThread(const Guest& parent, GuestPc pc, bool shares_handlers) {
  memory_ = parent.memory_;
  segment_ = parent.segment_;
  actions_ = shares_handlers ? parent.actions_ : std::make_shared<SignalActions>(*parent.actions_);
  user_regs_struct r = Get();
  r.rcx = pc;
  Begin(parent.space_, &r, pc);
}

// Code that may be written is written by one of the two only.
void Guest::BeginFork(const Guest& parent, GuestPc pc) {
  memory_ = ++run_->memories;
  if (parent.space_->code().IsShared()) {
    run_->violation = "counter=translator does not execute shared memory of two processes";
    throw TaskIsGone{};
  }
  segment_ = parent.segment_;
  *actions_ = *parent.actions_;
  std::shared_ptr<CodeSpace> space = parent.space_;
  if (space->code().HasWritable()) space = TakeOverCopy(space.get(), tid_, *run_);
  user_regs_struct r = Get();
  r.rcx = pc;
  Begin(std::move(space), &r, pc);
}

void Guest::Begin(std::shared_ptr<CodeSpace> space, user_regs_struct* r, GuestPc pc) {
  space->ActAs(tid_);
  page_ = space->Enter(this);
  space_ = std::move(space);
  log_ = space_->LogOf(page_);
  run_->counts.Enter(page_);
  SeeFlags(*r);
  r->gs_base = page_.address();
  if (!space_->code().IsExecutable(pc)) {
    FaultAt(r, pc);
    return;
  }
  EnterTranslation(r, pc);
}

void Guest::Leave() {
  if (space_ == nullptr) return;
  ReportBlocks();
  run_->counts.Leave(page_);
  space_->Leave(this);
  space_.reset();
}

// Forgets all translations of its address space. The task must stand outside; others are brought out.
void Guest::Forget() {
  const CodeSpace::StoppedWorld stopped_world(space_.get(), this);
  space_->translator().Clear();
}

// The same, to translate otherwise from now on.
void Guest::Restart() {
  const CodeSpace::StoppedWorld stopped_world(space_.get(), this);
  space_->translator().Restart();
}

// Sends the program on at a guest address, its registers being the guest's.
void Guest::GoTo(user_regs_struct* r, GuestPc pc) {
  if (!IsExecutable(pc)) {
    FaultAt(r, pc);
    return;
  }
  if (space_->MustForget()) Forget();
  EnterTranslation(r, pc);
}

// From outside, r11 is lent at once, as most code expects it.
void Guest::EnterTranslation(user_regs_struct* r, GuestPc pc) {
  faults_at_.reset();
  page_.SetWord(control::kLentR11, r->r11);
  r->rip = space_->translator().Translate({pc, near_end_ ? Entry::kNearEnd : 0, true});
  Set(*r);
}

// Where nothing is executable the program goes in truth, and faults: where its instruction at `pc` begins, or where what
// there is of that ends. The exception is the code cache.
void Guest::FaultAt(user_regs_struct* r, GuestPc pc, std::uint64_t behind) {
  if (space_->cache().Holding(pc) != nullptr) {
    run_->violation = fmt::format("jump to {:#x}: there the translator keeps its code", pc);
    throw TaskIsGone{};
  }
  if (AnswerVsyscall(pc, r)) return;
  faults_at_ = {.pc = pc, .at = pc + behind};
  r->rip = pc + behind;
  Set(*r);
}

// Traps ------------------------------------------------------------------------------------------------

bool Guest::HandleTrap() {
  HostPc at = 0;
  if (!InstructionPointer(tid_, &at)) throw TaskIsGone{};
  const std::optional<Trap> trap = space_->translator().TrapAt(--at);
  if (!trap) return false;
  const bool from_kernel = SignalInfo().si_code == SI_KERNEL;
  const bool was_blocked = RestoreAction(SIGTRAP);
  // A step or a signal SIGTRAP may come right behind a trap, too.
  if (!from_kernel && !was_blocked) return false;
  // Of a signal that waited already, blocked, and ours the kernel has made one.
  if (!from_kernel) ::syscall(SYS_tkill, tid_, SIGTRAP);
  if (trap->kind == Trap::Kind::kStub && !space_->MustForget()) {  // most traps of a start: nothing else changes
    if (!SetInstructionPointer(tid_, space_->translator().Translate(trap->entry))) throw TaskIsGone{};
  } else {
    user_regs_struct r = Get();
    Answer(*trap, at, &r);
  }
  if (!other_stop_ && space_->translator().NeedsWideTables()) WidenTables();  // from that stop our calls would lead away
  return true;
}

bool Guest::HandleFault() {
  siginfo_t info = SignalInfo();
  if (info.si_signo != SIGSEGV) return AnswerFault(info);
  // Signals that waited, blocked, come before ours, which took the block away, or the kernel has made one of the two: alone, ours comes
  // again. One of the thread's may wait and one of the process's.
  std::vector<siginfo_t> waited;
  bool faults = true;
  while (faults && waited.size() < 2 && !IsFromTheProcessor(SIGSEGV, info.si_code) && HasLostAction(SIGSEGV)) {
    waited.push_back(info);
    const std::optional<WaitStatus> status = RunToStop(PTRACE_SINGLESTEP, tid_, 0);
    if (!status) throw TaskIsGone{};
    const bool is_signal = status->kind() == WaitStatus::Kind::kSignalStop;
    faults = is_signal && status->signal() == SIGSEGV;
    if (faults) {
      info = SignalInfo();
    } else if (is_signal && status->signal() == SIGTRAP) {
      HandleTrap();  // or the step's
    } else {
      other_stop_ = status;
    }
  }
  if (faults && !AnswerFault(info)) return false;
  RestoreAction(SIGSEGV);
  for (const siginfo_t& one : waited) SendAgain(one);
  return true;
}

bool Guest::AnswerFault(const siginfo_t& info) {
  user_regs_struct r = Get();
  if (IsFromTheProcessor(info.si_signo, info.si_code)) {  // a signal that somebody sent is none of that
    const Translator& translator = space_->translator();
    const auto call = translator.clock().AfterFaultAt(r.rip);
    if (const auto after = call ? call : translator.status().AfterFaultAt(r.rip)) {
      r.rip = *after;
      Set(r);
      return true;
    }
  }
  if (info.si_signo != SIGSEGV || info.si_code != SEGV_ACCERR) return false;
  const auto address = reinterpret_cast<GuestPc>(info.si_addr);
  // The kernel entered a handler that another task set in the moment in which the signal was delivered (guest_signals.cc). The registers
  // are the guest's. Where there is no other, nothing but an escape from translated code leads here.
  if (r.rip == address && !WasSentTo(address) && space_->cache().Holding(address) == nullptr && space_->code().IsExecutable(address)) {
    if (space_->tasks() == 1) run_->violation = fmt::format("counter=translator does not go on at {:#x}: the program left translated code", address);
    else GoTo(&r, address);
    return true;
  }
  if (EmptyFullLog(address)) return true;
  const std::optional<GuestCode::Range> changed = space_->code().GuardedWith(address);
  if (!changed) {
    if (FollowGrowth(address)) return true;
    // Of two tasks that write there at the same time, the second may write already.
    const bool in_translation = space_->cache().Holding(r.rip) != nullptr;
    return in_translation && space_->tasks() > 1 && space_->code().IsWritable(address);
  }
  // The processor sees what an instruction writes into the code behind it, in the same block, too.
  const std::optional<GuestPlace> place = space_->translator().PlaceOf(r.rip);
  const bool writes_own_block = !place || (place->block->next() + kLongestInstruction > changed->begin && place->block->pc < changed->end);
  LetWrite(*changed);
  return !writes_own_block || ExecuteUnguarded();
}

void Guest::LetWrite(GuestCode::Range guarded) {
  space_->translator().SetAside(guarded.begin, guarded.end);
  space_->code().Unguard(guarded);
}

// The instruction that writes may lie beside what it writes, so to guard its bytes again before it has written would
// lead nowhere. It is translated from bytes that nobody guards, and stepped over, while nobody else runs.
bool Guest::ExecuteUnguarded() {
  const CodeSpace::StoppedWorld stopped_world(space_.get(), this);
  user_regs_struct r = ToGuest(true);
  const GuestPc pc = r.rip;
  space_->translator().Clear();
  space_->code().ReadUnguarded(true);
  GoTo(&r, pc);
  bool faults = false;  // it has a fault of its own
  const SignalsHeld held(tid_);
  bool done = false;
  while (!done) {
    const std::optional<WaitStatus> status = RunToStop(PTRACE_SINGLESTEP, tid_, 0);
    if (!status) throw TaskIsGone{};
    siginfo_t info{};
    ::ptrace(PTRACE_GETSIGINFO, tid_, nullptr, &info);
    if (status->signal() == SIGSEGV) {
      if (info.si_code == SEGV_ACCERR && space_->code().UnguardWith(reinterpret_cast<GuestPc>(info.si_addr))) continue;
      faults = true;
      break;
    }
    if (status->signal() == SIGTRAP) HandleTrap();
    if (const auto other = TakeOtherStop()) {
      siginfo_t fault = SignalInfo();
      faults = fault.si_code != SEGV_ACCERR || !space_->code().UnguardWith(reinterpret_cast<GuestPc>(fault.si_addr));
      if (faults) break;
      r = Get();
      GoTo(&r, pc);
      continue;
    }
    const std::optional<GuestPlace> place = space_->translator().PlaceOf(Get().rip);
    done = place && place->clean && place->pc != pc;
  }
  r = ToGuest(faults);
  space_->code().ReadUnguarded(false);
  space_->translator().Clear();
  if (!faults) GoTo(&r, r.rip);
  return !faults;
}

void Guest::Answer(const Trap& trap, HostPc at, user_regs_struct* r) {
  if (trap.entry.lent) r->r11 = page_.Word(control::kLentR11);
  switch (trap.kind) {
    case Trap::Kind::kStub: ContinueAt(trap.entry, r); return;
    case Trap::Kind::kStale: ContinueBehindStale(trap.entry, at, r); return;
    case Trap::Kind::kReturnMiss: {
      r->r11 = page_.Word(control::kLentR11);
      GuestPc target = 0;
      ReadTracee(tid_, r->rsp - 8, &target, sizeof target);
      Arrive(Table::kReturn, target, r);
      return;
    }
    case Trap::Kind::kReturnAside: {
      const GuestPc target = r->r11;
      r->r11 = page_.Word(control::kLentR11);
      page_.Correct(trap.entry.pending, 0);
      Arrive(Table::kReturn, target, r, true);
      return;
    }
    case Trap::Kind::kJumpMiss: {
      const GuestPc target = r->r11;
      r->r11 = page_.Word(control::kLentR11);
      r->rcx = page_.Word(control::kSpillRcx);
      Arrive(Table::kJump, target, r);
      return;
    }
    case Trap::Kind::kInlineCache: Remember(trap.entry.pc, at, r); return;
    case Trap::Kind::kBadAddress: MakeCallAgain(at - trap.entry.pending, trap.entry.pc, r); return;
    case Trap::Kind::kEmulate:  // counted already; the program goes on behind the trap
      run_->machine.Execute(*trap.instruction, run_->counts.Instructions(), r);
      Set(*r);
      return;
    case Trap::Kind::kSingleStep: SingleStep(*trap.instruction, at + 1, r); return;
    case Trap::Kind::kRefused: Refuse(*trap.instruction); return;
    case Trap::Kind::kTurnIsOver:
      page_.Correct(trap.entry.pending, 0);
      ComeNearEndOfTurn();
      GoTo(r, trap.entry.pc);
      return;
    case Trap::Kind::kTurnEnds:
      page_.Correct(trap.entry.pending, trap.entry.pending);
      if (near_end_ || IsBudgetUsedUp()) ComeToEndOfTurn();
      GoTo(r, trap.entry.pc);
      return;
    case Trap::Kind::kTurnReturn:
    case Trap::Kind::kTurnJump: {
      const GuestPc target = r->r11;
      r->r11 = page_.Word(control::kLentR11);
      ArriveNearEnd(trap.kind == Trap::Kind::kTurnReturn ? Table::kReturn : Table::kJump, target, r);
      return;
    }
    case Trap::Kind::kTurnCall:
      if ((r->rax & 0xffff'ffff) == SYS_set_tid_address) clears_at_end = r->rdi;
      if (run_->takes_turns) turn_event_ = TurnEvent::kCall;
      return;
    case Trap::Kind::kRunsOff: RunOff(trap.entry.pc, at, r); return;
  }
}

// There was no code, or none behind a part of an instruction. Meanwhile something may have been mapped.
void Guest::RunOff(GuestPc pc, HostPc at, user_regs_struct* r) {
  const std::span<const std::uint8_t> bytes = IsExecutable(pc) ? space_->code().BytesAt(pc) : std::span<const std::uint8_t>{};
  if (Decode(pc, bytes, run_->machine.cpu().level()).length == 0) {
    FaultAt(r, pc, bytes.size() < kLongestInstruction ? bytes.size() : 0);
    return;
  }
  space_->translator().RenewBefore(at);
  GoTo(r, pc);
}

void Guest::ContinueAt(Entry entry, user_regs_struct* r) {
  if (space_->MustForget()) {
    page_.Correct(entry.uncounted(), 0);
    GoTo(r, entry.pc);
    return;
  }
  r->rip = space_->translator().Translate(entry);
  Set(*r);
}

void Guest::ContinueBehindStale(Entry entry, HostPc at, user_regs_struct* r) {
  const std::uint64_t before = space_->translator().forgotten();
  ContinueAt(entry, r);
  // Stopping the world within itself would wait for the task that began it; then this one will trap here once more.
  if (space_->IsWorldStopped() || space_->translator().forgotten() != before) return;
  const CodeSpace::StoppedWorld stopped_world(space_.get(), this);
  if (r->rip != at) space_->translator().Redirect(at, r->rip);
}

// The jump itself faults, and is not counted.
void Guest::TakeBackJump(Table table, user_regs_struct* r) {
  page_.Correct(-1, 0);
  ReportNotExecuted(1);
  if (table == Table::kReturn) r->rsp -= 8;
}

void Guest::Arrive(Table table, GuestPc target, user_regs_struct* r, bool compared) {
  if (!IsCanonical(target)) TakeBackJump(table, r);
  const bool executable = IsExecutable(target);
  const bool flags_are_lost = table == Table::kReturn && executable && !settles_flags_ &&
                              (compared ? !space_->translator().AreFlagsDeadAt(target) : space_->translator().FlagsMayBeLost(target));
  if (executable && !flags_are_lost && !space_->MustForget()) space_->translator().AddBranchTarget(table, target);
  GoTo(r, target);
  if (!flags_are_lost) return;
  SettleFlags(target);
  if (!other_stop_ && !space_->MustForget()) space_->translator().AddBranchTarget(table, target);  // not of a run that is given up: it would be kept for the next
}

void Guest::ArriveNearEnd(Table table, GuestPc target, user_regs_struct* r) {
  if (!IsCanonical(target)) TakeBackJump(table, r);
  else if (IsBudgetUsedUp()) ComeToEndOfTurn();
  GoTo(r, target);
}

void Guest::Remember(GuestPc call, HostPc at, user_regs_struct* r) {
  const GuestPc target = r->r11;
  if (IsExecutable(target) && !space_->MustForget()) {
    r->rip = space_->translator().Remember(at, call, target);
    Set(*r);
    return;
  }
  r->rcx = page_.Word(control::kSpillRcx);
  r->r11 = page_.Word(control::kLentR11);
  if (!IsCanonical(target)) TakeBackJump(Table::kJump, r);
  GoTo(r, target);
}

void Guest::Refuse(const Instruction& instruction) {
  std::string text;
  for (std::size_t i = 0; i < 8; ++i) text += fmt::format(" {:02x}", instruction.bytes[i]);
  run_->violation = fmt::format("counter=translator does not execute the instruction at {:#x}:{}", instruction.pc, text);
}

}  // namespace tally
