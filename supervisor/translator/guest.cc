#include "supervisor/translator/guest.h"

#include <asm/prctl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/proc_status.h"
#include "supervisor/translator/guest_start.h"
#include "supervisor/translator/injection.h"

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

constexpr std::uint64_t WholePages(std::uint64_t size) { return (size + kPage - 1) & ~(kPage - 1); }

bool HasFailed(const user_regs_struct& r) {
  const auto result = static_cast<std::int64_t>(r.rax);
  return result < 0 && result > -static_cast<std::int64_t>(kPage);
}

constexpr std::uint64_t kEndOfUserSpace = 1ULL << 47;
constexpr std::uint64_t kCodeSegment32 = 0x23;  // __USER32_CS (arch/x86/include/asm/segment.h)

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

void Guest::TakeOver(pid_t tid) {
  tid_ = tid;
  if (Get().cs == kCodeSegment32) {
    violation_ = "counter=translator does not run 32-bit programs";
    return;
  }
  code_.SetProcess(tid, [this](GuestPc begin, GuestPc end, bool writable) {
    const std::uint64_t rights = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    Injector(tid_, translator_.gadget()).MustCall("mprotect the program's code", SYS_mprotect, {begin, end - begin, rights});
  });
  tally::TakeOver(tid, &code_, &cache_, control_, &translator_);
  user_regs_struct r = Get();
  r.gs_base = control_.address();
  r.orig_rax = ~0ULL;
  GoTo(&r, r.rip);
}

bool Guest::CacheIsNearlyFull() const {
  const auto& zones = cache_.zones();
  return std::any_of(zones.begin(), zones.end(), [](const CodeCache::Zone& zone) { return zone.IsNearlyFull(); });
}

// Sends the program on at a guest address, its registers being the guest's. Where nothing is executable it goes there
// in truth, and faults.
void Guest::GoTo(user_regs_struct* r, GuestPc pc) {
  r->rip = pc;
  if (code_.IsExecutable(pc)) {
    if (forget_ || CacheIsNearlyFull()) translator_.Clear();
    forget_ = false;
    r->rip = translator_.Translate(pc);
  }
  Set(*r);
}

// Traps ------------------------------------------------------------------------------------------------

bool Guest::HandleTrap() {
  user_regs_struct r = Get();
  const HostPc at = r.rip - 1;
  const std::optional<Trap> trap = translator_.TrapAt(at);
  if (!trap) return false;
  Answer(*trap, at, &r);
  return true;
}

bool Guest::HandleFault() {
  siginfo_t info{};
  if (::ptrace(PTRACE_GETSIGINFO, tid_, nullptr, &info) != 0) throw TaskIsGone{};
  if (info.si_signo != SIGSEGV || info.si_code != SEGV_ACCERR) return false;
  if (!code_.Unguard(reinterpret_cast<GuestPc>(info.si_addr))) return false;
  return ExecuteUnguarded();
}

// The instruction that writes may lie beside what it writes, so to guard its bytes again before it has written would
// lead nowhere. It is translated from bytes that nobody guards, and stepped over.
bool Guest::ExecuteUnguarded() {
  user_regs_struct r = ToGuest(true);
  const GuestPc pc = r.rip;
  translator_.Clear();
  code_.ReadUnguarded(true);
  GoTo(&r, pc);
  forget_ = true;
  bool done = false;
  while (!done) {
    if (!ResumeIfStopped(PTRACE_SINGLESTEP, tid_, 0)) throw TaskIsGone{};
    const std::optional<WaitStatus> status = AwaitStop(tid_);
    if (!status) throw TaskIsGone{};
    siginfo_t info{};
    ::ptrace(PTRACE_GETSIGINFO, tid_, nullptr, &info);
    if (status->signal() == SIGSEGV) {
      if (info.si_code == SEGV_ACCERR && code_.Unguard(reinterpret_cast<GuestPc>(info.si_addr))) continue;
      code_.ReadUnguarded(false);
      return false;  // a fault of its own
    }
    if (status->signal() == SIGTRAP) HandleTrap();
    const std::optional<GuestPlace> place = translator_.PlaceOf(Get().rip);
    done = place && place->clean && place->pc != pc;
  }
  code_.ReadUnguarded(false);
  r = ToGuest(false);
  GoTo(&r, r.rip);
  return true;
}

void Guest::Answer(const Trap& trap, HostPc at, user_regs_struct* r) {
  switch (trap.kind) {
    case Trap::Kind::kStub: ContinueAt(trap.entry, r); return;
    case Trap::Kind::kReturnMiss: {
      r->r11 = control_.Word(control::kSpillR11);
      GuestPc target = 0;
      ReadTracee(tid_, r->rsp, &target, sizeof target);
      r->rsp += 8;
      Arrive(Table::kReturn, target, r);
      return;
    }
    case Trap::Kind::kJumpMiss:
      r->r11 = control_.Word(control::kSpillR11);
      Arrive(Table::kJump, control_.Word(control::kTarget), r);
      return;
    case Trap::Kind::kInlineCache: Remember(at, r); return;
    case Trap::Kind::kEmulate:  // counted already; the program goes on behind the trap
      cpu_.Execute(Decode(trap.entry.pc, code_.BytesAt(trap.entry.pc)), control_.Count(), r);
      Set(*r);
      return;
    case Trap::Kind::kRefused: Refuse(trap.entry.pc); return;
    case Trap::Kind::kRunsOff:  // in truth it is not executable, and faults
      r->rip = trap.entry.pc;
      Set(*r);
      return;
  }
}

void Guest::ContinueAt(Entry entry, user_regs_struct* r) {
  if (CacheIsNearlyFull()) {
    control_.Correct(entry.pending, 0);
    GoTo(r, entry.pc);
    return;
  }
  r->rip = translator_.Translate(entry);
  Set(*r);
}

void Guest::Arrive(Table table, GuestPc target, user_regs_struct* r) {
  if (target >= kEndOfUserSpace) {  // the jump itself faults, and is not counted
    control_.Correct(-1, 0);
    if (table == Table::kReturn) r->rsp -= 8;
  }
  const bool executable = code_.IsExecutable(target);
  if (table == Table::kReturn && executable && translator_.FlagsMayBeLost(target)) {
    throw SystemError(fmt::format("translator: a return to {:#x} may have lost the flags", target), 0);
  }
  GoTo(r, target);
  if (executable) translator_.AddLanding(table, target);
}

void Guest::Remember(HostPc at, user_regs_struct* r) {
  const GuestPc target = r->r11;
  if (code_.IsExecutable(target)) {
    const HostPc host = translator_.Translate(target);
    if (!translator_.Remember(at, target, host)) {
      r->rip = at;  // the table has it from now on
      Set(*r);
      return;
    }
  }
  r->rcx = control_.Word(control::kSpillRcx);
  r->r11 = control_.Word(control::kSpillR11);
  if (target >= kEndOfUserSpace) control_.Correct(-1, 0);
  GoTo(r, target);
}

void Guest::Refuse(GuestPc pc) {
  const std::span<const std::uint8_t> bytes = code_.BytesAt(pc);
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 8); ++i) text += fmt::format(" {:02x}", bytes[i]);
  violation_ = fmt::format("counter=translator does not execute the instruction at {:#x}:{}", pc, text);
}

// Signals ----------------------------------------------------------------------------------------------

int Guest::PrepareSignal(int signal) {
  const Disposition disposition = DispositionOf(tid_, signal);
  if (disposition == Disposition::kIgnored) return signal;
  if (disposition == Disposition::kDefault && !EndsAProcess(signal)) return signal;
  siginfo_t info{};
  if (::ptrace(PTRACE_GETSIGINFO, tid_, nullptr, &info) != 0) throw TaskIsGone{};
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

// Brings the program to the beginning of a guest instruction and gives it the guest's registers.
user_regs_struct Guest::ToGuest(bool fault) {
  for (int step = 0; step < kMostSteps; ++step) {
    user_regs_struct r = Get();
    if (cache_.Holding(r.rip) == nullptr) return r;  // it faulted at a guest address
    const std::optional<GuestPlace> place = translator_.PlaceOf(r.rip);
    if (place && (place->clean || fault)) {
      control_.Correct(place->uncounted, place->uncounted_calls);
      if (!place->clean && IsThroughR11(place->instruction->flow)) r.r11 = control_.Word(control::kSpillR11);
      if (place->after_call) r.rcx = place->pc;
      r.rip = place->pc;
      Set(r);
      return r;
    }
    Step();
  }
  throw SystemError("translator: no guest instruction begins near where a signal came", 0);
}

// One host instruction; a trap of ours on the way is answered.
void Guest::Step() {
  if (!ResumeIfStopped(PTRACE_SINGLESTEP, tid_, 0)) throw TaskIsGone{};
  const std::optional<WaitStatus> status = AwaitStop(tid_);
  if (!status) throw TaskIsGone{};
  if (status->kind() != WaitStatus::Kind::kSignalStop || status->signal() != SIGTRAP) {
    throw SystemError("translator: a second signal while the first was brought to its place", 0);
  }
  HandleTrap();
}

// Lets the kernel build the frame, and stops at the handler's first instruction.
int Guest::EnterHandler(int signal, const siginfo_t& info) {
  ::ptrace(PTRACE_SETSIGINFO, tid_, nullptr, &info);
  if (!ResumeIfStopped(PTRACE_SINGLESTEP, tid_, signal)) throw TaskIsGone{};
  const std::optional<WaitStatus> status = AwaitStop(tid_, WaitStatus::Kind::kSignalStop);
  if (!status) throw TaskIsGone{};
  if (status->signal() != SIGTRAP) return status->signal();  // no room for a frame: SIGSEGV
  user_regs_struct r = Get();
  GoTo(&r, r.rip);
  return 0;
}

// System calls -----------------------------------------------------------------------------------------

void Guest::HandleCall(const StoppedCall& call) {
  switch (call.number) {
    case SYS_rt_sigreturn: ReturnFromHandler(); return;
    case SYS_munmap: Unmap(call); return;
    case SYS_mremap: Move(call); return;
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_pkey_mprotect: ChangeRights(call); return;
    case SYS_arch_prctl:
      if (call.arguments[0] == ARCH_SET_GS) violation_ = "counter=translator does not allow arch_prctl(ARCH_SET_GS)";
      if (call.arguments[0] == ARCH_GET_GS) violation_ = "counter=translator does not allow arch_prctl(ARCH_GET_GS)";
      return;
    default: return;
  }
}

// To the exit of the call the program is stopped in.
user_regs_struct Guest::FinishCall() {
  if (!ResumeIfStopped(PTRACE_SYSCALL, tid_, 0)) throw TaskIsGone{};
  // Anything else is a signal of the call's own: a damaged frame, a kill.
  if (!AwaitStop(tid_, WaitStatus::Kind::kSyscallStop)) throw TaskIsGone{};
  return Get();
}

void Guest::ReturnFromHandler() {
  user_regs_struct r = FinishCall();
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
  const bool known = code_.Overlaps(begin, end);
  code_.Remove(begin, end);
  if (executable) {
    code_.Add(begin, end, (rights & PROT_WRITE) != 0);
    if (IsShared(tid_, begin)) {
      violation_ = "counter=translator does not execute shared memory, which may change through another mapping";
    }
  }
  ContinueBehindCall(&r, known);
}

void Guest::ContinueBehindCall(user_regs_struct* r, bool forget) {
  if (!forget) {
    Set(*r);
    return;
  }
  const std::optional<GuestPlace> place = translator_.PlaceOf(r->rip);
  if (!place) throw SystemError("translator: a system call from nowhere", 0);
  r->rcx = place->pc;
  translator_.Clear();
  GoTo(r, place->pc);
}

void Guest::Unmap(const StoppedCall& call) {
  const std::uint64_t begin = call.arguments[0];
  const std::uint64_t end = begin + WholePages(call.arguments[1]);
  if (!code_.Overlaps(begin, end)) return;
  user_regs_struct r = FinishCall();
  const bool failed = HasFailed(r);
  if (!failed) code_.Remove(begin, end);
  ContinueBehindCall(&r, !failed);
}

// Code keeps its rights where it goes; what it went over is gone.
void Guest::Move(const StoppedCall& call) {
  const std::uint64_t from = call.arguments[0];
  const std::uint64_t from_end = from + WholePages(call.arguments[1]);
  const bool is_code = code_.IsExecutable(from);
  const bool was_writable = code_.IsWritable(from);
  user_regs_struct r = FinishCall();
  const std::uint64_t to = r.rax;
  const std::uint64_t to_end = to + WholePages(call.arguments[2]);
  if (HasFailed(r) || (!is_code && !code_.Overlaps(to, to_end))) {
    Set(r);
    return;
  }
  code_.Remove(from, from_end);
  code_.Remove(to, to_end);
  if (is_code) code_.Add(to, to_end, was_writable);
  ContinueBehindCall(&r, true);
}

}  // namespace tally
