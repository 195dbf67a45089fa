// Theory of operation. After PTRACE_SINGLESTEP the kernel stops the task with SIGTRAP once one instruction has
// retired. Every such stop counts one, except
//   - the first after execve, and where the kernel makes one the first of a new task, if the task still stands where
//     it began: they end a system call that the task did not make as an instruction of this program;
//   - the one that reports the entry of a signal handler: the kernel built a frame, nothing was executed
//     (kernel/signal.c, signal_setup_done with stepping; its si_code is SIGTRAP);
//   - an iteration of a rep-prefixed string instruction that is not its last: the instruction pointer stands
//     still until the instruction retires. One rep instruction is one (docs/results.md).
// The kernel takes every popf for one that sets the trap flag and leaves the flag it steps with to the program
// from then on (arch/x86/kernel/step.c, is_setting_trap_flag). We look at what was popped, and take the flag back; and a
// pushf pushes that flag and a system call leaves it in r11, so we take it out of both.
//
// Instructions that tell processors apart (cpuid, rdtsc, ...) are not stepped over but answered by the virtual CPU, as
// in translation, so that both count the same way through libraries that choose their code by it. What the virtual CPU
// does not have is an invalid opcode, as there.
//
// Behind a mov to ss the processor traps one instruction later (Intel SDM vol. 3, 6.8.3), and would execute that one unseen. So
// a breakpoint stands there meanwhile.
//
// exit and exit_group never return to be stopped after: their one instruction is counted at the exit stop.
//
// A step through the supervisor's loop would cost three more system calls, so Resume steps in a burst and spins
// on waitpid; it gives up when the task blocks or the burst ends, and the loop takes over.
#include "supervisor/engines/step_engine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "supervisor/machine/auxiliary_vector.h"
#include "supervisor/machine/kernel_pages.h"
#include "supervisor/machine/virtual_machine.h"
#include "supervisor/machine/processor_state.h"
#include "supervisor/machine/signal_frame.h"
#include "supervisor/sandbox/child_setup.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/tracing/waits.h"
#include "supervisor/x86/decode.h"

namespace tally {
namespace {

constexpr std::uint64_t kTrapFlag = 1 << 8;
constexpr int kBurst = 2000;        // steps before the loop looks at the limits
constexpr int kSpinsPerStep = 300;  // a step takes a few microseconds; a blocked call takes longer

bool IsPrefix(std::uint8_t byte) {
  switch (byte) {
    case 0x66: case 0x67: case 0x2e: case 0x36: case 0x3e: case 0x26: case 0x64: case 0x65: case 0xf0: return true;
    default: return false;
  }
}

// The bytes of code there, also of code that may be executed and not read; how many there are.
std::size_t ReadCode(pid_t tid, std::uint64_t address, std::uint8_t* to, std::size_t size) {
  std::size_t read = ReadTracee(tid, address, to, size);
  for (; read < size; ++read) {
    errno = 0;
    const std::uint64_t at = address + read;
    const long word = ::ptrace(PTRACE_PEEKTEXT, tid, at & ~std::uint64_t{7}, nullptr);  // within one page
    if (errno != 0) break;
    to[read] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(word) >> (8 * (at & 7)));
  }
  return read;
}

// Is the instruction at `address` a rep-prefixed string instruction (Intel SDM vol. 2, REP/REPE/REPNE)?
bool IsRepString(pid_t tid, std::uint64_t address) {
  std::array<std::uint8_t, 15> code{};
  const std::size_t size = ReadCode(tid, address, code.data(), code.size());
  std::size_t i = 0;
  bool rep = false;
  for (; i < size; ++i) {
    if (code[i] == 0xf2 || code[i] == 0xf3) {
      rep = true;
    } else if (!IsPrefix(code[i])) {
      break;
    }
  }
  if (i < size && (code[i] & 0xf0) == 0x40) ++i;  // REX
  if (!rep || i >= size) return false;
  const std::uint8_t opcode = code[i];
  return (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf) ||
         (opcode >= 0x6c && opcode <= 0x6f);
}

// syscall, sysenter or int 0x80?
bool IsSystemCall(pid_t tid, std::uint64_t address) {
  std::array<std::uint8_t, 2> code{};
  if (ReadCode(tid, address, code.data(), code.size()) != code.size()) return false;
  return (code[0] == 0x0f && (code[1] == 0x05 || code[1] == 0x34)) || (code[0] == 0xcd && code[1] == 0x80);
}

constexpr std::uint8_t kPushFlags = 0x9c;
constexpr std::uint8_t kPopFlags = 0x9d;

// Is the instruction at `address` this one, whatever its prefixes?
bool IsInstruction(pid_t tid, std::uint64_t address, std::uint8_t opcode) {
  std::array<std::uint8_t, 15> code{};
  const std::size_t size = ReadCode(tid, address, code.data(), code.size());
  std::size_t i = 0;
  while (i < size && (IsPrefix(code[i]) || code[i] == 0xf2 || code[i] == 0xf3)) ++i;
  if (i < size && (code[i] & 0xf0) == 0x40) ++i;  // REX
  return i < size && code[i] == opcode;
}

// Or a vector instruction of the same opcode, with which nothing goes wrong by what is done for a mov to ss.
bool MayBeMoveToSs(const Instruction& i) {
  constexpr unsigned kSs = 2;
  return i.modrm_at != 0 && i.bytes[i.modrm_at - 1U] == 0x8e && (i.bytes[i.modrm_at] >> 3 & 7) == kSs;
}

// Usually the instruction stepped over is the call. One that a signal interrupted is set up to be made again, so
// that we saw the address behind it before; after sigreturn the program may be anywhere. One may have written over its own
// bytes, but not with an int1 that was executed, too.
bool IsAfterSystemCall(pid_t tid, std::uint64_t last_pc) {
  constexpr std::uint8_t kInt1 = 0xf1;
  if (IsSystemCall(tid, last_pc) || IsSystemCall(tid, last_pc - 2)) return true;
  user_regs_struct registers{};
  std::uint8_t before = kInt1;
  return Registers(tid, &registers) && (ReadCode(tid, registers.rip - 1, &before, 1) == 0 || before != kInt1);
}

// What of the rules holds here: the kernel lets tasks run.
VirtualCpuOptions HeldHere(VirtualCpuOptions options) {
  options.rules.Remove(VirtualRule::kSchedule);
  return options;
}

class StepEngine : public Engine {
 public:
  StepEngine(const Limits& limits, const VirtualCpuOptions& options)
      : limit_(limits.instructions), machine_(HeldHere(options), limits) {}

  [[nodiscard]] std::string name() const override { return "step"; }
  [[nodiscard]] std::string counter() const override { return "step"; }

  void PrepareChild(ChildPlan* plan) override {
    plan->filters.push_back(machine_.calls().filter());
    for (const PlacedFile& file : plan->sandbox->files()) machine_.calls().files().Place(file.host_path);
    plan->filters.push_back(KernelPagesFilter());
    plan->address_randomization = !machine_.Has(VirtualRule::kAddresses);
  }
  void OnExec(pid_t tid) override {
    if (tasks_.contains(tid)) ++count_.count;  // the execve of a program that was counted: it has no other stop
    tasks_[tid] = {.entering = true};
    try {
      if (!ChangeAuxiliaryVector(tid, machine_.options()) || !GoToFirstInstruction(tid)) return;
      UnmapKernelPages(tid);
      tasks_[tid].entering = false;
    } catch (const TaskIsGone&) {  // its end is on the way to Watch
    }
  }
  void OnNewTask(pid_t tid, pid_t /*parent*/) override { tasks_.emplace(tid, Task{.entering = true}); }
  void OnReaped(pid_t tid) override { tasks_.erase(tid); }

  void OnExitStop(pid_t tid) override {
    user_regs_struct registers{};
    if (!tasks_.contains(tid) || !Registers(tid, &registers)) return;
    // A call that it did not come back from (a step over one ends behind it, with the call's number still there).
    const bool in_call = static_cast<std::int64_t>(registers.orig_rax) >= 0;
    if (in_call && registers.rip != tasks_[tid].last_pc) ++count_.count;
  }

  std::optional<WaitStatus> Resume(pid_t tid, int signal) override {
    const auto found = tasks_.find(tid);
    if (found == tasks_.end()) {  // not ours yet: before execve
      ResumeIfStopped(PTRACE_CONT, tid, signal);
      return std::nullopt;
    }
    if (found->second.entering) NoteBeginning(tid, &found->second);
    for (int step = 0;; ++step) {
      if (signal == 0) {
        if (const auto stop = AnswerForProcessor(tid, &found->second)) return stop;
      }
      if (!ResumeIfStopped(PTRACE_SINGLESTEP, tid, signal)) return std::nullopt;
      if (step == kBurst || (limit_ && count_ > *limit_)) return std::nullopt;
      const std::optional<WaitStatus> status = SpinForStop(tid);
      if (!status || !TakesStop(tid, *status)) return status;
      signal = 0;
    }
  }

  // The instruction that makes the call is counted when it is done.
  std::optional<WaitStatus> ResumeCall(pid_t tid, const StoppedCall& call) override {
    using Outcome = VirtualCalls::Outcome;
    const Outcome outcome = machine_.calls().Answer(tid, call, count_.count + 1, tasks_.size() == 1);
    if (outcome == Outcome::kTooLong) return std::nullopt;
    if (outcome == Outcome::kPlaced || outcome == Outcome::kChanged) {
      if (!machine_.calls().Make(tid, call, outcome)) return std::nullopt;
      ++count_.count;  // no step ends it
      NoteBeginning(tid, &tasks_[tid]);
      user_regs_struct registers{};
      if (Registers(tid, &registers)) HideTrapFlagOfCall(tid, &registers);
    }
    return Resume(tid, 0);
  }

  bool TakesStop(pid_t tid, const WaitStatus& status) override {
    const auto found = tasks_.find(tid);
    if (found == tasks_.end()) return false;
    if (status.kind() != WaitStatus::Kind::kSignalStop || status.signal() != SIGTRAP) return false;
    siginfo_t info{};
    if (::ptrace(PTRACE_GETSIGINFO, tid, nullptr, &info) != 0) return false;
    if (info.si_code == SIGTRAP) {  // a handler's entry
      user_regs_struct registers{};
      if (!Registers(tid, &registers)) return true;
      ClearFrame(tid, registers, machine_.state_components());
      if (machine_.Has(VirtualRule::kCpu) && MoveFrame(tid, machine_.state_components(), &registers) == FrameMove::kMoved) SetRegisters(tid, registers);
      return true;
    }
    // A step over a system call has a code of its own (arch/x86/kernel/ptrace.c, user_single_step_report), which
    // a program can also get from the instruction int1.
    Task& task = found->second;
    const bool after_call =
        info.si_code == TRAP_BRKPT && (task.entering || (!task.at_int1 && IsAfterSystemCall(tid, task.last_pc)));
    if (info.si_code != TRAP_TRACE && !after_call) return false;
    // A program that set the trap flag itself gets the trap of the next instruction, as without us.
    const bool its_own_too = task.trap_flag;
    CountStep(tid, &task, after_call);
    return !its_own_too;
  }

  [[nodiscard]] Measured<Instructions> Count() override { return count_; }
  [[nodiscard]] const VirtualMachine* machine() const override { return &machine_; }

 private:
  struct Task {
    bool entering = false;   // the next trap ends a system call of somebody else
    bool trap_flag = false;  // the program's own; the kernel hides ours from the registers we read
    bool popped_trap_flag = false;  // by the program's last popf
    bool at_int1 = false;    // in front of its step; in virtual machines on AMD's processors it stands there afterwards, too
    std::uint64_t last_pc = 0;
    std::uint64_t last_sp = 0;
    // It stands in front of an instruction that saves x87's state, with these registers.
    std::optional<std::pair<Instruction, user_regs_struct>> saves_x87;
  };

  // Stops only: an end is left to the loop, which reads the clocks before it reaps.
  static std::optional<WaitStatus> SpinForStop(pid_t tid) {
    for (int i = 0; i < kSpinsPerStep; ++i) {
      const auto [is_ours, stop] = waits::TakeStop(tid);
      if (stop || !is_ours) return stop;
    }
    return std::nullopt;
  }

  // Executes instructions of the virtual CPU's, if the task stands at one. The result is the stop at one that the virtual CPU
  // does not have.
  std::optional<WaitStatus> AnswerForProcessor(pid_t tid, Task* task) {
    if (task->entering) return std::nullopt;
    for (;;) {
      std::array<std::uint8_t, kLongestInstruction> code{};
      const std::size_t size = ReadCode(tid, task->last_pc, code.data(), code.size());
      const Instruction instruction = Decode(task->last_pc, {code.data(), size}, machine_.cpu().level());
      constexpr std::uint8_t kInt1 = 0xf1;
      task->at_int1 = instruction.flow == Flow::kFault && instruction.length != 0 && instruction.bytes[instruction.length - 1U] == kInt1;
      const bool is_other = instruction.flow == Flow::kFault &&
                            !std::equal(code.begin(), code.begin() + instruction.length, instruction.bytes.begin());
      if (MayBeMoveToSs(instruction) && !task->trap_flag) {
        if (const auto stop = StepOverMoveToSs(tid, instruction, task)) return stop;
        if (task->last_pc != instruction.next()) return std::nullopt;
        continue;
      }
      const bool is_ours = instruction.flow == Flow::kEmulated || instruction.flow == Flow::kUndefined || is_other;
      user_regs_struct registers{};
      if (instruction.saves_x87 && Registers(tid, &registers)) task->saves_x87 = {instruction, registers};
      if (instruction.takes_state_mask) return StepWithMask(tid, instruction);
      if (!is_ours || !Registers(tid, &registers) || registers.rip != task->last_pc) return std::nullopt;
      constexpr std::array<std::uint8_t, 2> kInvalid{0x0f, 0x0b};  // ud2
      if (instruction.flow == Flow::kUndefined) return StepOver(tid, task->last_pc, kInvalid);
      if (is_other) return StepOver(tid, instruction.next() - 2, {instruction.bytes[instruction.length - 2U], instruction.bytes[instruction.length - 1U]});
      ++count_.count;
      machine_.Execute(instruction, count_.count, &registers);
      registers.rip = instruction.next();
      if (!SetRegisters(tid, registers)) return std::nullopt;
      task->last_pc = registers.rip;
    }
  }

  // The processor below may have it, so something else stands in its place meanwhile. One byte that nothing is mapped behind is
  // left alone: in 64-bit mode no processor has such an opcode.
  static std::optional<WaitStatus> StepOver(pid_t tid, std::uint64_t pc, const std::array<std::uint8_t, 2>& other) {
    constexpr ssize_t kBytes = 2;
    std::array<std::uint8_t, kBytes> before{};
    const Fd memory = sys::Open(fmt::format("/proc/{}/mem", tid), O_RDWR);  // whatever the mapping's rights (proc(5))
    const auto at = static_cast<off_t>(pc);
    if (::pread(memory.get(), before.data(), before.size(), at) != kBytes) return std::nullopt;
    if (::pwrite(memory.get(), other.data(), other.size(), at) != kBytes) return std::nullopt;
    const std::optional<WaitStatus> stop = RunToStop(PTRACE_SINGLESTEP, tid, 0);
    if (::pwrite(memory.get(), before.data(), before.size(), at) < 0 && stop) throw SystemError("write /proc/PID/mem", errno);
    return stop;
  }

  // xsave, xsaveopt, of which xsave is made, and xrstor: with a mask of the virtual processor's.
  std::optional<WaitStatus> StepWithMask(pid_t tid, const Instruction& instruction) {
    user_regs_struct registers{};
    if (!Registers(tid, &registers) || registers.rip != instruction.pc) return std::nullopt;
    if (IsRefusedRestore(tid, instruction, registers, machine_.state_components())) return StepOver(tid, instruction.pc, {kHalt, instruction.bytes[1]});
    const StateMask mask(instruction, &registers, machine_.state_components());
    if (!SetRegisters(tid, registers)) return std::nullopt;
    const std::uint64_t pair = instruction.pc + instruction.modrm_at - 1U;
    const auto stop = StepOver(tid, pair, {instruction.bytes[instruction.modrm_at - 1U], instruction.bytes[instruction.modrm_at]});
    if (!stop || !Registers(tid, &registers)) return stop;
    mask.PutBack(&registers);
    SetRegisters(tid, registers);
    return stop;
  }

  // The result is another stop than the breakpoint. Where there is no room for that, nothing happens, and the step goes over two.
  std::optional<WaitStatus> StepOverMoveToSs(pid_t tid, const Instruction& instruction, Task* task) {
    constexpr std::uint8_t kBreakpoint = 0xcc;
    std::uint8_t before = 0;
    const Fd memory = sys::Open(fmt::format("/proc/{}/mem", tid), O_RDWR);
    const auto next = static_cast<off_t>(instruction.next());
    user_regs_struct registers{};
    if (!Registers(tid, &registers) || registers.rip != instruction.pc) return std::nullopt;
    if (::pread(memory.get(), &before, 1, next) != 1 || ::pwrite(memory.get(), &kBreakpoint, 1, next) != 1) return std::nullopt;
    const std::optional<WaitStatus> stop = RunToStop(PTRACE_CONT, tid, 0);
    if (::pwrite(memory.get(), &before, 1, next) < 0 && stop) throw SystemError("write /proc/PID/mem", errno);
    if (!stop || !Registers(tid, &registers) || registers.rip == instruction.pc) return stop;  // it faults, or a signal came first
    const bool is_ours = stop->kind() == WaitStatus::Kind::kSignalStop && stop->signal() == SIGTRAP && registers.rip == instruction.next() + 1;
    if (is_ours) {
      registers.rip = instruction.next();
      if (!SetRegisters(tid, registers)) return std::nullopt;
    }
    ++count_.count;
    task->last_pc = registers.rip;
    return is_ours ? std::nullopt : stop;
  }

  static void NoteBeginning(pid_t tid, Task* task) {
    user_regs_struct registers{};
    if (!Registers(tid, &registers)) return;
    task->last_pc = registers.rip;
    task->last_sp = registers.rsp;
  }

  void CountStep(pid_t tid, Task* task, bool after_call) {
    user_regs_struct registers{};
    if (!Registers(tid, &registers)) return;
    const std::uint64_t pc = registers.rip;
    SeePushedFlags(tid, registers, task);
    const bool has_returned = after_call && registers.rcx == pc;  // not from a handler
    if (has_returned && !task->trap_flag) HideTrapFlagOfCall(tid, &registers);
    if ((registers.eflags & kTrapFlag) != 0) TakeBackTrapFlag(tid, task, &registers);
    task->trap_flag = (registers.eflags & kTrapFlag) != 0;
    const bool stood_still = pc == task->last_pc && (task->entering || IsRepString(tid, pc));
    if (!stood_still) ++count_.count;
    if (task->saves_x87 && pc == task->saves_x87->first.next()) {
      ForgetX87Pointers(tid, task->saves_x87->first, task->saves_x87->second);
    }
    task->saves_x87.reset();
    task->entering = false;
    task->last_pc = pc;
    task->last_sp = registers.rsp;
  }

  // A system call leaves the flags in r11, with ours among them.
  static void HideTrapFlagOfCall(pid_t tid, user_regs_struct* registers) {
    if ((registers->r11 & kTrapFlag) == 0) return;
    registers->r11 &= ~kTrapFlag;
    ::ptrace(PTRACE_POKEUSER, tid, offsetof(user_regs_struct, r11), registers->r11);
  }

  // The instruction behind us may be a pushf or popf; few others move rsp and rip as those do.
  static void SeePushedFlags(pid_t tid, const user_regs_struct& registers, Task* task) {
    const std::uint64_t popped = registers.rsp - task->last_sp;
    const std::uint64_t pushed = task->last_sp - registers.rsp;
    if (registers.rip - task->last_pc > 15) return;
    if ((popped == 8 || popped == 2) && IsInstruction(tid, task->last_pc, kPopFlags)) {
      std::uint16_t flags = 0;
      ReadTracee(tid, task->last_sp, &flags, sizeof flags);
      task->popped_trap_flag = (flags & kTrapFlag) != 0;
    } else if ((pushed == 8 || pushed == 2) && !task->trap_flag && IsInstruction(tid, task->last_pc, kPushFlags)) {
      errno = 0;
      const long flags = ::ptrace(PTRACE_PEEKDATA, tid, registers.rsp, nullptr);
      if (errno == 0) ::ptrace(PTRACE_POKEDATA, tid, registers.rsp, flags & ~static_cast<long>(kTrapFlag));
    }
  }

  // A trap flag that the program shows is ours if it set none, by popf or by sigreturn, the one call that does not return.
  static void TakeBackTrapFlag(pid_t tid, Task* task, user_regs_struct* registers) {
    const bool by_call = IsSystemCall(tid, task->last_pc) && registers->rip != task->last_pc + 2;
    if (task->trap_flag || task->popped_trap_flag || by_call) return;
    registers->eflags &= ~kTrapFlag;
    ::ptrace(PTRACE_SETREGS, tid, nullptr, registers);
  }

  std::optional<Instructions> limit_;
  Instructions count_;
  VirtualMachine machine_;
  std::unordered_map<pid_t, Task> tasks_;
};

}  // namespace

std::unique_ptr<Engine> MakeStepEngine(const Limits& limits, const VirtualCpuOptions& options) {
  return std::make_unique<StepEngine>(limits, options);
}

}  // namespace tally
