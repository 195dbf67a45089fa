#include "supervisor/run/supervisor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "base/disk_space.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "supervisor/machine/virtual_machine.h"
#include "supervisor/resources/memory_meter.h"
#include "supervisor/resources/output_pump.h"
#include "supervisor/resources/syscall_counter.h"
#include "supervisor/run/ended_engines.h"
#include "supervisor/run/judge.h"
#include "supervisor/run/make_engine.h"
#include "supervisor/run/watch.h"
#include "supervisor/sandbox/child_setup.h"
#include "supervisor/sandbox/empty_network.h"
#include "supervisor/sandbox/landlock.h"
#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/sandbox/seccomp/policy.h"
#include "supervisor/tracing/tracee.h"

namespace tally {
namespace {

constexpr std::uint64_t kOpenFiles = 1024;

constexpr int kLandlockScopesSignals = 6;  // Landlock ABI

// Everything of one run that exists before its child does.
struct RunPlan {
  ChildPlan child;
  WatchPlan watch;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<MemoryMeter> memory;
  std::optional<OutputPump> pump;
  std::optional<OutputPump> error_pump;
  std::optional<TracepointCounter> tracepoint;
  Fd landlock;
  off_t stdout_size_before = 0;
  bool stdout_is_file = false;
  bool count_by_tracepoint = false;
};

const Fd& NullDevice() {
  static const Fd device = sys::Open("/dev/null", O_RDWR);
  return device;
}

bool PumpIsNeeded(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || S_ISREG(status.st_mode)) return false;
  static const dev_t null = sys::Stat(NullDevice().get(), "/dev/null").st_rdev;
  return status.st_rdev != null || !S_ISCHR(status.st_mode);
}

void PrepareStreams(const RunRequest& request, RunPlan* plan) {
  const auto or_null = [](int fd) { return fd >= 0 ? fd : NullDevice().get(); };
  plan->child.stdin_fd = or_null(request.stdin_fd);
  plan->child.stdout_fd = or_null(request.stdout_fd);
  plan->child.stderr_fd = or_null(request.stderr_fd);
  if (request.limits.output && PumpIsNeeded(plan->child.stderr_fd)) {
    plan->error_pump.emplace(plan->child.stderr_fd, request.limits.output);
    plan->child.stderr_fd = plan->error_pump->program_end();
    plan->watch.error_pump = &*plan->error_pump;
  }
  if (PumpIsNeeded(plan->child.stdout_fd)) {
    plan->pump.emplace(plan->child.stdout_fd, request.limits.output);
    plan->child.stdout_fd = plan->pump->program_end();
    plan->watch.pump = &*plan->pump;
    return;
  }
  const struct stat status = sys::Stat(plan->child.stdout_fd, "stdout");
  plan->stdout_is_file = S_ISREG(status.st_mode);
  plan->stdout_size_before = status.st_size;
}

// The count of tasks (tracing/tasks.h) is what ends a program of too many. Behind it stands the kernel's own limit, for the
// day on which that count is wrong. It is one on a user, whose parallel runs add up; in a user namespace only what is in
// there counts (Linux 5.14, commit 21d1c5e386bc).
constexpr std::uint64_t kMostTasksOfUser = 4096;

rlim_t MostTasks(const Limits& limits) {
  rlimit own{};
  const bool is_known = ::getrlimit(RLIMIT_NPROC, &own) == 0;
  return std::min<rlim_t>(kMostTasksOfUser + limits.processes, is_known ? own.rlim_max : RLIM_INFINITY);
}

void PrepareResourceLimits(const Limits& limits, RunPlan* plan) {
  std::vector<ResourceLimit>& out = plan->child.limits.rlimits;
  out.push_back({RLIMIT_CORE, 0});
  out.push_back({RLIMIT_NOFILE, kOpenFiles});
  out.push_back({RLIMIT_MEMLOCK, 64 << 10});
  out.push_back({RLIMIT_MSGQUEUE, 0});
  if (plan->child.sandbox->isolation() == Isolation::kFull) out.push_back({RLIMIT_NPROC, MostTasks(limits)});
  // Without a limit of its own the stack may fill the memory limit. (A large finite one would do for the first
  // thread, but libc gives every other thread that much address space.)
  out.push_back({RLIMIT_STACK, limits.stack ? limits.stack->count : RLIM_INFINITY});
  // One byte more than allowed: "at the limit" and "over it" are then told apart by the size alone.
  if (limits.file_size) {
    out.push_back({RLIMIT_FSIZE, limits.file_size->count + 1});
  } else if (limits.output) {
    out.push_back({RLIMIT_FSIZE, static_cast<rlim_t>(plan->stdout_size_before) + limits.output->count + 1});
  }
}

void PrepareSyscallCounting(const RunRequest& request, RunPlan* plan) {
  const bool by_tracepoint = request.syscalls == SyscallCounting::kTracepoint ||
                             (request.syscalls == SyscallCounting::kAuto && TracepointCounter::IsPrepared());
  if (request.syscalls == SyscallCounting::kOff) {
    plan->watch.no_syscalls_reason = "system calls were not to be counted";
  } else if (plan->engine->CountsSystemCalls()) {
    plan->watch.count_by_engine = true;
  } else if (by_tracepoint) {
    if (const auto& why = TracepointCounter::Prepare(PrivateDirectory)) throw SystemError("syscalls=tracepoint: " + *why, 0);
    plan->count_by_tracepoint = true;
  } else if (plan->child.sandbox->isolation() == Isolation::kNone) {
    plan->watch.no_syscalls_reason = "without a sandbox there is no filter that could count them";
  } else {
    plan->watch.count_by_trace = true;
  }
}

void PrepareLandlock(const Sandbox& sandbox, const Limits& limits, RunPlan* plan) {
  if (limits.processes > 1 && LandlockAbi() < kLandlockScopesSignals) {
    throw SystemError(
        "isolation=reduced: this kernel cannot keep several processes from signalling others of the same user "
        "(Landlock ABI 6, kernel 6.12); run with one process or with full isolation",
        0);
  }
  plan->landlock = MakeLandlockRuleset(sandbox);
  plan->child.landlock_ruleset = plan->landlock.get();
}

std::unique_ptr<RunPlan> Prepare(RunRequest request, const Sandbox& sandbox) {
  if (request.counter == Counter::kTranslator) {
    request.translation_folder = FolderOutside(request.translation_folder, sandbox);
  }
  auto plan = std::make_unique<RunPlan>();
  plan->child.sandbox = &sandbox;
  plan->child.program = request.program;
  plan->child.argv = request.argv;
  plan->child.env = request.env;
  plan->child.work_dir = request.work_dir.empty() ? sandbox.spec().work_dir : request.work_dir;
  plan->child.address_randomization = request.address_randomization;
  plan->engine = MakeEngine(request);
  plan->engine->PrepareChild(&plan->child);
  plan->memory = MakeMemoryMeter(request.memory_by, request.limits, sandbox.isolation() != Isolation::kNone);
  plan->memory->SetEngineMemory(plan->engine->OwnMemory());
  PrepareStreams(request, plan.get());
  if (plan->watch.has_pump()) plan->engine->OutputIsPumped();
  PrepareResourceLimits(request.limits, plan.get());
  plan->memory->PrepareChild(&plan->child.limits, sandbox.isolation());
  PrepareSyscallCounting(request, plan.get());

  SyscallPermissions permissions = sandbox.spec().permissions;
  permissions.processes = request.limits.processes > 1;
  plan->child.network_namespace = permissions.sockets && !permissions.host_network;
  const bool sees_network = sandbox.isolation() == Isolation::kFull && sandbox.spec().ShowsProc();
  if (sees_network && !permissions.sockets) plan->child.network = EmptyNetwork();
  if (sandbox.isolation() == Isolation::kReduced) PrepareLandlock(sandbox, request.limits, plan.get());
  if (sandbox.isolation() != Isolation::kNone) {
    plan->child.filters.push_back(plan->watch.count_by_trace ? CountingPolicy(permissions) : CompiledPolicy(permissions));
  } else {
    permissions.processes = true;  // nothing forbids them
  }
  plan->child.alone = !permissions.processes;
  plan->watch.limits = request.limits;
  plan->watch.permissions = permissions;
  plan->watch.engine = plan->engine.get();
  plan->watch.memory = plan->memory.get();
  return plan;
}

// The child waits for Go; from here on everything is attached to it.
void Attach(RunPlan* plan, const Child& child) {
  Seize(child.program(), TraceOptions(plan->watch));
  if (!child.is_in_cgroup()) plan->memory->Attach(child.program());
  plan->engine->Attach(child.program());
  if (plan->count_by_tracepoint) {
    plan->tracepoint.emplace(child.program());
    plan->watch.syscalls = &*plan->tracepoint;
  }
  plan->watch.ForEachPump([](OutputPump* pump) { pump->CloseProgramEnd(); });
}

void MeasureOutputFile(const RunPlan& plan, Observations* seen) {
  if (plan.pump) return;
  if (!plan.stdout_is_file) {
    seen->output = Measured<Bytes>::Absent("stdout is /dev/null");
    return;
  }
  const off_t size = sys::Stat(plan.child.stdout_fd, "stdout").st_size - plan.stdout_size_before;
  seen->output = Bytes{static_cast<std::uint64_t>(size > 0 ? size : 0)};
  const std::optional<Bytes>& limit = plan.watch.limits.output;
  if (limit && seen->output.value() > *limit) {
    // The byte that proves it is not part of what the user allowed.
    [[maybe_unused]] const int cut =
        ::ftruncate(plan.child.stdout_fd, plan.stdout_size_before + static_cast<off_t>(limit->count));
  } else if (LessIsFree(plan.child.stdout_fd, kFullDisk)) {
    throw SystemError("keep the program's output", ENOSPC);  // what it did without disk says nothing about it
  }
}

// Compilers and their like remove what they could not write whole, so that what is free at their end says little.
constexpr Bytes kRoomToWork = Bytes::MiB(32);

// A failure on a disk that is nearly full is nobody's but the disk's.
void RequireDiskFor(const Sandbox& sandbox, ResultCode code) {
  if (code == ResultCode::kOk) return;
  for (const PlacedFile& file : sandbox.files()) {
    if (!file.writable || !LessIsFree(file.host_path, kRoomToWork)) continue;
    throw SystemError(fmt::format("write to {}, where less than {} MiB are free", file.host_path, kRoomToWork.count >> 20),
                      ENOSPC);
  }
}

// What of docs/virtual-cpu.md held; other engines keep the addresses at most.
VirtualCpuOptions VirtualCpuOf(const RunPlan& plan) {
  if (const VirtualMachine* machine = plan.engine->machine()) return machine->options();
  VirtualCpuOptions none{.rules = VirtualRules::None()};
  if (!plan.child.address_randomization) none.rules.Add(VirtualRule::kAddresses);
  return none;
}

// The first reason why the same program may have another count next time or elsewhere (docs/results.md); "" for none.
std::string WhyCountVaries(const RunPlan& plan, const Observations& seen) {
  const std::string counter = plan.engine->counter();
  if (counter == "none") return "nothing counted";
  if (counter == "perf") return "the hardware counted";
  const VirtualMachine* const machine = plan.engine->machine();
  if (machine->options().rules != VirtualRules::All()) return "rules of the virtual CPU were off";
  if (plan.child.sandbox->isolation() != Isolation::kFull) return "without full isolation the program sees this machine's files";
  if (seen.ended_for) return "the program was ended at a limit";
  if (seen.several_tasks) return "there were several threads or processes";
  if (machine->used_timers()) return "the program asked for a timer";
  return plan.child.sandbox->spec().ShowsProc() ? "the sandbox shows /proc, where some of this machine and of the run can be seen" : "";
}

RunResult Assemble(const RunPlan& plan, Verdict verdict, const Observations& seen) {
  RunResult result;
  result.code = verdict.code;
  result.sentence = std::move(verdict.sentence);
  result.exit_code = seen.exit_code;
  result.signal = seen.signal;
  result.user_time = seen.cpu.user;
  result.sys_time = seen.cpu.system;
  result.wall_time = seen.wall;
  result.instructions = seen.instructions;
  result.memory = seen.memory;
  result.syscalls = seen.syscalls;
  result.output = seen.output;
  result.engine = plan.engine->name();
  result.counter = plan.engine->counter();
  result.memory_metric = plan.memory->metric();
  result.virtual_cpu = VirtualCpuOf(plan);
  result.count_varies = WhyCountVaries(plan, seen);
  result.syscall_counter = plan.watch.count_by_engine ? "translator" : plan.tracepoint ? "tracepoint" : plan.watch.count_by_trace ? "trace" : "none";
  switch (plan.child.sandbox->isolation()) {
    case Isolation::kFull:
      result.isolation = EnterPrivateMounts().user_namespace ? "full (user namespace)" : "full (root, other uid)";
      break;
    case Isolation::kReduced: result.isolation = "reduced (seccomp, Landlock, rlimits)"; break;
    case Isolation::kNone: result.isolation = "none (rlimits)"; break;
  }
  return result;
}

// After a failure of ours: nothing of the run may be left. Every task that is killed stops once more, at its exit. Init ends
// after all others in its namespace (pid_namespaces(7)); the program's end may have been told to it, and not to us any more.
void EndNow(Child* child, Tasks* tasks) {
  child->EndRoot();
  tasks->KillAll();
  // One whose stop was told to us, and not answered, waits there for us; at its exit a SIGKILL does not wake it.
  for (const pid_t tid : tasks->All()) ::ptrace(PTRACE_CONT, tid, nullptr, nullptr);
  while (!child->is_root_gone() || (!child->has_init() && (!tasks->empty() || tasks->KillStragglers()))) {
    int status = 0;
    const pid_t tid = ::waitpid(-1, &status, __WALL);
    if (tid < 0 && errno != EINTR) return;
    if (tid <= 0) continue;
    if (WIFSTOPPED(status)) {
      tasks->Kill(tid);
      ::ptrace(PTRACE_CONT, tid, nullptr, nullptr);
      continue;
    }
    tasks->Remove(tid);
    if (tid == child->root()) child->NoteRootGone();
  }
}

}  // namespace

void PrepareForManyRuns() { TracepointCounter::Prepare(PrivateDirectory); }

void PutAwayEndedRuns() {
  EndedEngines::PutAway();
  ReapEndedRuns();
  RemoveEndedRoots();
}

void EndOfRuns() {
  EndKeptInits();
  PutAwayEndedRuns();
  RemoveCgroups();
}

RunResult Run(const RunRequest& request, const Sandbox& sandbox) {
  EndedEngines::PutAway();
  const std::unique_ptr<RunPlan> plan = Prepare(request, sandbox);
  Child child = StartChild(plan->child);
  Observations seen;
  Tasks tasks;
  try {
    Attach(plan.get(), child);
    seen = Watch(plan->watch, &child, &tasks);
  } catch (...) {
    EndNow(&child, &tasks);
    throw;
  }
  MeasureOutputFile(*plan, &seen);
  RunResult result = Assemble(*plan, Judge(request.limits, seen), seen);
  EndedEngines::Add(std::move(plan->engine));
  RequireDiskFor(sandbox, result.code);
  return result;
}

}  // namespace tally
