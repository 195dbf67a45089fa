#include "supervisor/engines/perf_engine.h"

#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <unordered_set>

#include "base/error.h"
#include "supervisor/engines/perf_counter.h"
#include "supervisor/machine/auxiliary_vector.h"
#include "supervisor/machine/cpuid_faulting.h"
#include "supervisor/machine/kernel_pages.h"
#include "supervisor/machine/virtual_machine.h"
#include "supervisor/sandbox/child_setup.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/x86/decode.h"

namespace tally {
namespace {


// What of the rules holds here.
VirtualCpuOptions HeldHere(VirtualCpuOptions options) {
  if (!CpuidCanFault()) options.rules.Remove(VirtualRule::kCpu);
  options.rules.Remove(VirtualRule::kSchedule);
  return options;
}

// cpuid, rdtsc or rdtscp, as a rule has made it fault?
bool FaultsFor(const Instruction& instruction, const VirtualRules& rules) {
  if (instruction.flow != Flow::kEmulated) return false;
  const auto& b = instruction.bytes;
  const std::uint8_t* const end = b.data() + instruction.length;
  const bool stamp = (end[-2] == 0x0f && end[-1] == 0x31) ||
                     (instruction.length >= 3 && end[-3] == 0x0f && end[-2] == 0x01 && end[-1] == 0xf9);
  const bool cpuid = end[-2] == 0x0f && end[-1] == 0xa2;
  return (stamp && rules.Has(VirtualRule::kTime)) || (cpuid && rules.Has(VirtualRule::kCpu));
}

class PerfEngine : public Engine {
 public:
  explicit PerfEngine(const RunRequest& request)
      : limits_(request.limits), source_(request.perf_source), machine_(HeldHere(request.virtual_cpu), request.limits) {}

  [[nodiscard]] std::string name() const override { return "native"; }
  [[nodiscard]] std::string counter() const override { return "perf"; }

  void PrepareChild(ChildPlan* plan) override {
    plan->filters.push_back(machine_.calls().filter());
    for (const PlacedFile& file : plan->sandbox->files()) machine_.calls().files().Place(file.host_path);
    plan->filters.push_back(KernelPagesFilter());
    plan->address_randomization = !machine_.Has(VirtualRule::kAddresses);
    plan->time_stamps_fault = machine_.Has(VirtualRule::kTime);
  }

  void Attach(pid_t program) override { perf_.emplace(program, limits_.instructions, limits_.processes, source_); }

  void OnExec(pid_t tid) override {
    tasks_.insert(tid);
    const std::uint64_t before = Counted();
    try {
      if (!ChangeAuxiliaryVector(tid, machine_.options())) return;
      if (!GoToFirstInstruction(tid)) return;  // cpuid is the real one for a 32-bit program: it cannot make the call
      UnmapKernelPages(tid);
      if (machine_.Has(VirtualRule::kCpu)) MakeCpuidFault(tid);
    } catch (const TaskIsGone&) {
      return;  // its end is on the way to Watch
    }
    if (tasks_.size() == 1) ours_ += Counted() - before;  // the others go on meanwhile
  }

  void OnNewTask(pid_t tid, pid_t /*parent*/) override { tasks_.insert(tid); }
  void OnExitStop(pid_t tid) override { tasks_.erase(tid); }
  void OnReaped(pid_t tid) override { tasks_.erase(tid); }

  std::optional<WaitStatus> Resume(pid_t tid, int signal) override {
    ResumeIfStopped(PTRACE_CONT, tid, signal);
    return std::nullopt;
  }

  std::optional<WaitStatus> ResumeCall(pid_t tid, const StoppedCall& call) override {
    using Outcome = VirtualCalls::Outcome;
    const Outcome outcome = machine_.calls().Answer(tid, call, SoFar(), tasks_.size() == 1);
    if (outcome == Outcome::kTooLong) return std::nullopt;
    const bool is_made = outcome == Outcome::kPlaced || outcome == Outcome::kChanged;
    if (is_made && !machine_.calls().Make(tid, call, outcome)) return std::nullopt;
    return Resume(tid, 0);
  }

  bool TakesStop(pid_t tid, const WaitStatus& status) override {
    return status.kind() == WaitStatus::Kind::kSignalStop && status.signal() == SIGSEGV && AnswerForProcessor(tid);
  }

  [[nodiscard]] Measured<Instructions> Count() override {
    const Measured<Instructions> counted = perf_ ? perf_->Read() : Measured<Instructions>::Absent("not run");
    if (!counted.has_value()) return counted;
    return Instructions{SoFar()};
  }
  [[nodiscard]] const VirtualMachine* machine() const override { return &machine_; }

 private:
  static void MakeCpuidFault(pid_t tid) {
    user_regs_struct registers{};
    if (!Registers(tid, &registers)) throw TaskIsGone{};
    const BorrowedWord call(tid, registers.rip, BorrowedWord::kGadget);
    Injector(tid, registers.rip).MustCall("arch_prctl(ARCH_SET_CPUID) in the program", SYS_arch_prctl, {ARCH_SET_CPUID, 0});
  }

  // True: the fault was a rule's, and the program may go on behind the instruction.
  bool AnswerForProcessor(pid_t tid) {
    siginfo_t info{};
    if (::ptrace(PTRACE_GETSIGINFO, tid, nullptr, &info) != 0 || info.si_code != SI_KERNEL) return false;
    user_regs_struct registers{};
    std::array<std::uint8_t, kLongestInstruction> code{};
    if (!Registers(tid, &registers)) return false;
    const std::size_t size = ReadTracee(tid, registers.rip, code.data(), code.size());
    const Instruction instruction = Decode(registers.rip, {code.data(), size}, machine_.cpu().level());
    if (instruction.length < 2 || !FaultsFor(instruction, machine_.options().rules)) return false;
    ++answered_;
    machine_.Execute(instruction, SoFar(), &registers);
    registers.rip = instruction.next();
    SetRegisters(tid, registers);
    return true;
  }

  // The hardware's figure; the last one where it cannot be read.
  std::uint64_t Counted() {
    const Measured<Instructions> counted = perf_ ? perf_->Read() : Instructions{};
    if (counted.has_value()) counted_ = counted.value().count;
    return counted_;
  }
  std::uint64_t SoFar() { return Counted() - ours_ + answered_; }

  const Limits limits_;
  const PerfSource source_;
  VirtualMachine machine_;
  std::optional<PerfCounter> perf_;
  std::unordered_set<pid_t> tasks_;
  std::uint64_t counted_ = 0;
  std::uint64_t ours_ = 0;      // of those, what we had the program execute
  std::uint64_t answered_ = 0;  // instructions that we executed for it
};

}  // namespace

// Asked for what is so already, the kernel says whether the processor could do otherwise (set_cpuid_mode).
std::unique_ptr<Engine> MakePerfEngine(const RunRequest& request) {
  if (request.perf_source == PerfSource::kInstructions) {
    if (const auto why = PerfCounter::WhyUnavailable()) throw SystemError("counter=perf: " + *why, 0);
  }
  return std::make_unique<PerfEngine>(request);
}

}  // namespace tally
