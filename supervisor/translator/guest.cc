#include "supervisor/translator/guest.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/proc_status.h"
#include "supervisor/translator/guest_start.h"
#include "supervisor/translator/injection.h"
#include "supervisor/translator/own_ranges.h"

namespace tally {
namespace {

constexpr int kMostSteps = 200;  // from any host address to the next guest instruction
constexpr std::uint64_t kPage = 4096;

bool IsFromTheProcessor(int signal, int code) {
  const bool can_be = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP;
  return can_be && code > 0;
}

bool EndsAProcess(int signal) {
  switch (signal) {
    case SIGCHLD: case SIGURG: case SIGWINCH: case SIGCONT:
    case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: return false;
    default: return true;
  }
}

enum class Disposition { kHandler, kIgnored, kDefault };

Disposition DispositionOf(pid_t tid, int signal) {
  const std::uint64_t bit = 1ULL << (signal - 1);
  if ((ProcStatusMask(tid, "SigCgt") & bit) != 0) return Disposition::kHandler;
  if ((ProcStatusMask(tid, "SigIgn") & bit) != 0) return Disposition::kIgnored;
  return Disposition::kDefault;
}

// The line of /proc/PID/maps that `address` is in says 's' where changes are shared (proc(5)).
bool IsShared(pid_t tid, std::uint64_t address) {
  std::istringstream maps(sys::TryReadFile(fmt::format("/proc/{}/maps", tid)).value_or(""));
  for (std::string line; std::getline(maps, line);) {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    char rights[5] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights) != 3) continue;
    if (begin <= address && address < end) return rights[3] == 's';
  }
  return false;
}

bool HasFailed(const user_regs_struct& r) {
  const auto result = static_cast<std::int64_t>(r.rax);
  return result < 0 && result > -static_cast<std::int64_t>(kPage);
}

constexpr std::uint64_t kEndOfUserSpace = 1ULL << 47;
constexpr std::uint64_t kCodeSegment = 0x33;  // __USER_CS (arch/x86/include/asm/segment.h)

constexpr bool IsThroughR11(Flow flow) {
  return flow == Flow::kReturn || flow == Flow::kIndirectCall || flow == Flow::kIndirectJump;
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
    run_->violation = "counter=translator does not run 32-bit programs";
    return;
  }
  memory_ = ++run_->memories;
  std::shared_ptr<CodeSpace> space = TakeOverProgram(tid_, *run_);
  user_regs_struct r = Get();
  r.orig_rax = ~0ULL;
  Begin(std::move(space), &r, r.rip);
}

void Guest::BeginThread(const Guest& parent, GuestPc pc) {
  memory_ = parent.memory_;
  user_regs_struct r = Get();
  r.rcx = pc;
  Begin(parent.space_, &r, pc);
}

// Code that may be written is written by one of the two only.
void Guest::BeginFork(const Guest& parent, GuestPc pc) {
  memory_ = ++run_->memories;
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
  run_->counts.Enter(page_);
  r->gs_base = page_.address();
  if (!space_->code().IsExecutable(pc)) {
    FaultAt(r, pc);
    return;
  }
  r->rip = space_->translator().Translate(pc);
  Set(*r);
}

void Guest::Leave() {
  if (space_ == nullptr) return;
  run_->counts.Leave(page_);
  space_->Leave(this);
  space_.reset();
}

// Forgets all translations of its address space. The task must stand outside; others are brought out.
void Guest::Forget() {
  const CodeSpace::Halt halt(space_.get(), this);
  space_->translator().Clear();
}

// Sends the program on at a guest address, its registers being the guest's.
void Guest::GoTo(user_regs_struct* r, GuestPc pc) {
  if (!space_->code().IsExecutable(pc)) {
    FaultAt(r, pc);
    return;
  }
  if (space_->MustForget()) Forget();
  r->rip = space_->translator().Translate(pc);
  Set(*r);
}

// Where nothing is executable the program goes in truth, and faults. The exception is the code cache.
void Guest::FaultAt(user_regs_struct* r, GuestPc pc) {
  if (space_->cache().Holding(pc) != nullptr) {
    run_->violation = fmt::format("jump to {:#x}: there the translator keeps its code", pc);
    throw TaskIsGone{};
  }
  r->rip = pc;
  Set(*r);
}

// Traps ------------------------------------------------------------------------------------------------

bool Guest::HandleTrap() {
  user_regs_struct r = Get();
  const HostPc at = r.rip - 1;
  const std::optional<Trap> trap = space_->translator().TrapAt(at);
  // A step or a signal SIGTRAP may come right behind a trap, too.
  if (!trap || SignalInfo().si_code != SI_KERNEL) return false;
  Answer(*trap, at, &r);
  return true;
}

bool Guest::HandleFault() {
  const siginfo_t info = SignalInfo();
  if (info.si_signo != SIGSEGV || info.si_code != SEGV_ACCERR) return false;
  const auto address = reinterpret_cast<GuestPc>(info.si_addr);
  if (!space_->code().Unguard(address)) {
    // Of two tasks that write there at the same time, the second may write already.
    return space_->tasks() > 1 && space_->code().IsWritable(address);
  }
  return ExecuteUnguarded();
}

// The instruction that writes may lie beside what it writes, so to guard its bytes again before it has written would
// lead nowhere. It is translated from bytes that nobody guards, and stepped over, while nobody else runs.
bool Guest::ExecuteUnguarded() {
  const CodeSpace::Halt halt(space_.get(), this);
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
      if (info.si_code == SEGV_ACCERR && space_->code().Unguard(reinterpret_cast<GuestPc>(info.si_addr))) continue;
      faults = true;
      break;
    }
    if (status->signal() == SIGTRAP) HandleTrap();
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
  switch (trap.kind) {
    case Trap::Kind::kStub: ContinueAt(trap.entry, r); return;
    case Trap::Kind::kReturnMiss: {
      r->r11 = page_.Word(control::kSpillR11);
      GuestPc target = 0;
      ReadTracee(tid_, r->rsp, &target, sizeof target);
      r->rsp += 8;
      Arrive(Table::kReturn, target, r);
      return;
    }
    case Trap::Kind::kJumpMiss: {
      const GuestPc target = r->r11;
      r->r11 = page_.Word(control::kSpillR11);
      r->rcx = page_.Word(control::kSpillRcx);
      Arrive(Table::kJump, target, r);
      return;
    }
    case Trap::Kind::kInlineCache: Remember(at, r); return;
    case Trap::Kind::kEmulate:  // counted already; the program goes on behind the trap
      run_->machine.Execute(Decode(trap.entry.pc, space_->code().BytesAt(trap.entry.pc)), run_->counts.Instructions(), r);
      Set(*r);
      return;
    case Trap::Kind::kRefused: Refuse(trap.entry.pc); return;
    case Trap::Kind::kRunsOff: FaultAt(r, trap.entry.pc); return;
  }
}

void Guest::ContinueAt(Entry entry, user_regs_struct* r) {
  if (space_->MustForget()) {
    page_.Correct(entry.pending, 0);
    GoTo(r, entry.pc);
    return;
  }
  r->rip = space_->translator().Translate(entry);
  Set(*r);
}

void Guest::Arrive(Table table, GuestPc target, user_regs_struct* r) {
  if (target >= kEndOfUserSpace) {  // the jump itself faults, and is not counted
    page_.Correct(-1, 0);
    if (table == Table::kReturn) r->rsp -= 8;
  }
  const bool executable = space_->code().IsExecutable(target);
  if (table == Table::kReturn && executable && space_->translator().FlagsMayBeLost(target)) {
    run_->violation = fmt::format("counter=translator does not execute the return to {:#x}: it may have lost the flags", target);
    throw TaskIsGone{};
  }
  GoTo(r, target);
  if (executable) space_->translator().AddLanding(table, target);
}

void Guest::Remember(HostPc at, user_regs_struct* r) {
  const GuestPc target = r->r11;
  if (space_->code().IsExecutable(target)) {
    const HostPc host = space_->translator().Translate(target);
    if (!space_->translator().Remember(at, target, host)) {
      r->rip = at;  // the table has it from now on
      Set(*r);
      return;
    }
  }
  r->rcx = page_.Word(control::kSpillRcx);
  r->r11 = page_.Word(control::kSpillR11);
  if (target >= kEndOfUserSpace) page_.Correct(-1, 0);
  GoTo(r, target);
}

void Guest::Refuse(GuestPc pc) {
  const std::span<const std::uint8_t> bytes = space_->code().BytesAt(pc);
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 8); ++i) text += fmt::format(" {:02x}", bytes[i]);
  run_->violation = fmt::format("counter=translator does not execute the instruction at {:#x}:{}", pc, text);
}

// Signals ----------------------------------------------------------------------------------------------

int Guest::PrepareSignal(int signal) {
  const Disposition disposition = DispositionOf(tid_, signal);
  if (disposition == Disposition::kIgnored) return signal;
  if (disposition == Disposition::kDefault && !EndsAProcess(signal)) return signal;
  siginfo_t info = SignalInfo();
  const bool fault = IsFromTheProcessor(signal, info.si_code);
  const user_regs_struct r = ToGuest(fault);
  if (disposition == Disposition::kDefault) {
    ::ptrace(PTRACE_SETSIGINFO, tid_, nullptr, &info);  // we may stand at the stop of a step
    return signal;
  }
  if (fault && (signal == SIGILL || signal == SIGFPE || signal == SIGTRAP)) {
    info.si_addr = reinterpret_cast<void*>(r.rip);  // NOLINT: an address in the program
  }
  return EnterHandler(signal, info);
}

// Brings the program to the beginning of a guest instruction and gives it the guest's registers. Other signals wait. An
// instruction that faults on the way did nothing yet; it will fault again, when the first signal is delivered.
user_regs_struct Guest::ToGuest(bool fault) {
  std::optional<SignalsHeld> held;
  std::vector<int> late;  // that cannot be held
  const auto send_late = [&] {
    for (const int signal : late) ::syscall(SYS_tkill, tid_, signal);
  };
  for (int step = 0; step < kMostSteps; ++step) {
    user_regs_struct r = Get();
    if (space_->cache().Holding(r.rip) == nullptr) {  // it faulted at a guest address
      send_late();
      return r;
    }
    const std::optional<GuestPlace> place = space_->translator().PlaceOf(r.rip);
    if (place && (place->clean || fault)) {
      page_.Correct(place->uncounted, place->uncounted_calls);
      if (!place->clean && IsThroughR11(place->instruction->flow)) r.r11 = page_.Word(control::kSpillR11);
      if (place->after_call) r.rcx = place->pc;
      r.rip = place->pc;
      Set(r);
      send_late();
      return r;
    }
    if (!held) held.emplace(tid_);
    const int signal = Step();
    if (signal == 0) continue;
    if (IsFromTheProcessor(signal, SignalInfo().si_code)) {
      fault = true;
    } else {
      late.push_back(signal);
    }
  }
  throw SystemError("translator: no guest instruction begins near where a signal came", 0);
}

// One host instruction; a trap of ours on the way is answered. The result is a signal that came instead, or 0.
int Guest::Step() {
  const std::optional<WaitStatus> status = RunToStop(PTRACE_SINGLESTEP, tid_, 0);
  if (!status) throw TaskIsGone{};
  if (status->kind() != WaitStatus::Kind::kSignalStop) throw SystemError("translator: no stop after a step", 0);
  if (status->signal() != SIGTRAP || SignalInfo().si_code <= 0) return status->signal();
  HandleTrap();
  return 0;
}

// Lets the kernel build the frame, and stops at the handler's first instruction.
int Guest::EnterHandler(int signal, const siginfo_t& info) {
  ::ptrace(PTRACE_SETSIGINFO, tid_, nullptr, &info);
  const std::optional<WaitStatus> status = RunToStop(PTRACE_SINGLESTEP, tid_, signal, WaitStatus::Kind::kSignalStop);
  if (!status) throw TaskIsGone{};
  if (status->signal() != SIGTRAP) return PrepareSignal(status->signal());  // no room for a frame: SIGSEGV
  user_regs_struct r = Get();
  GoTo(&r, r.rip);
  return 0;
}

// System calls -----------------------------------------------------------------------------------------

void Guest::HandleCall(const StoppedCall& call) {
  if (const std::string why = WhyRefused(call, space_->cache()); !why.empty()) {
    run_->violation = why;
    return;
  }
  if (ChangesCode(call) && space_->GuestsIn(memory_).size() != space_->tasks()) {
    PartFromRelatives(call);
    return;
  }
  switch (call.number) {
    case SYS_rt_sigreturn: ReturnFromHandler(); return;
    case SYS_munmap: Unmap(call); return;
    case SYS_mremap: Move(call); return;
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_pkey_mprotect: ChangeRights(call); return;
    default: return;
  }
}

// To the exit of the call the program is stopped in.
user_regs_struct Guest::FinishCall() {
  // Anything else is a signal of the call's own: a damaged frame, a kill.
  if (!RunToStop(PTRACE_SYSCALL, tid_, 0, WaitStatus::Kind::kSyscallStop)) throw TaskIsGone{};
  return Get();
}

void Guest::ReturnFromHandler() {
  user_regs_struct r = FinishCall();
  if (r.cs != kCodeSegment) {  // a frame of the program's own making
    run_->violation = "counter=translator does not return from a signal handler into 32-bit code";
    return;
  }
  GoTo(&r, r.rip);
}

// mmap, mprotect: PROT_EXEC is what the program believes, not what it gets.
void Guest::ChangeRights(const StoppedCall& call) {
  const std::uint64_t rights = call.arguments[2];
  const bool executable = (rights & PROT_EXEC) != 0;
  user_regs_struct r = Get();
  r.rdx &= ~static_cast<std::uint64_t>(PROT_EXEC);
  Set(r);
  r = FinishCall();
  r.rdx = rights;
  if (HasFailed(r)) {
    Set(r);
    return;
  }
  const std::uint64_t begin = call.number == SYS_mmap ? r.rax : call.arguments[0];
  const std::uint64_t end = begin + WholePages(call.arguments[1]);
  const bool known = space_->code().Overlaps(begin, end);
  space_->code().Remove(begin, end);
  if (executable) {
    space_->code().Add(begin, end, (rights & PROT_WRITE) != 0);
    if (IsShared(tid_, begin)) {
      run_->violation = "counter=translator does not execute shared memory, which may change through another mapping";
    }
  }
  ContinueBehindCall(&r, known);
}

void Guest::ContinueBehindCall(user_regs_struct* r, bool forget) {
  if (!forget) {
    Set(*r);
    return;
  }
  const GuestPc pc = BehindCall();
  r->rcx = pc;
  Forget();
  GoTo(r, pc);
}

void Guest::Unmap(const StoppedCall& call) {
  const std::uint64_t begin = call.arguments[0];
  const std::uint64_t end = begin + WholePages(call.arguments[1]);
  if (!space_->code().Overlaps(begin, end)) return;
  user_regs_struct r = FinishCall();
  const bool failed = HasFailed(r);
  if (!failed) space_->code().Remove(begin, end);
  ContinueBehindCall(&r, !failed);
}

// Code keeps its rights where it goes; what it went over is gone.
void Guest::Move(const StoppedCall& call) {
  const std::uint64_t from = call.arguments[0];
  const std::uint64_t from_end = from + WholePages(call.arguments[1]);
  const bool is_code = space_->code().IsExecutable(from);
  const bool was_writable = space_->code().IsWritable(from);
  user_regs_struct r = FinishCall();
  const std::uint64_t to = r.rax;
  const std::uint64_t to_end = to + WholePages(call.arguments[2]);
  if (HasFailed(r) || (!is_code && !space_->code().Overlaps(to, to_end))) {
    Set(r);
    return;
  }
  space_->code().Remove(from, from_end);
  space_->code().Remove(to, to_end);
  if (is_code) space_->code().Add(to, to_end, was_writable);
  ContinueBehindCall(&r, true);
}

}  // namespace tally
