#include "supervisor/run/executor.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <utility>

#include "base/disk_space.h"
#include "base/error.h"
#include "base/sys.h"
#include "supervisor/machine/virtual_machine.h"
#include "supervisor/resources/syscall_counter.h"
#include "supervisor/run/judge.h"
#include "supervisor/run/run_plan.h"
#include "supervisor/run/watch.h"
#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/tracing/waits.h"

namespace tally {
namespace {

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

// A limit that nobody has looked at is none that was kept: with other users of the hardware's counters there may be no figure.
void RequireCountFor(const Limits& limits, const RunResult& result) {
  const bool says_nothing = result.code == ResultCode::kOk || result.code == ResultCode::kRe;
  if (!limits.instructions || result.instructions.has_value() || !says_nothing) return;
  throw SystemError(fmt::format("keep the limit on instructions: {} (counter=translator needs no hardware)", result.instructions.reason()), 0);
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
  VirtualRules rules = machine->options().rules;
  rules.Add(VirtualRule::kSchedule);  // where it is off, a program of one task misses nothing
  if (rules != VirtualRules::All()) return "rules of the virtual CPU were off";
  if (plan.child.sandbox->isolation() != Isolation::kFull) return "without full isolation the program sees this machine's files";
  if (plan.child.sandboxes->user().IsSeenAsNumber()) return "the host allows no user namespaces, so the program sees which user it is";
  const bool at_limit = seen.ended_for && seen.ended_for != LimitKind::kDeadlock;
  if (at_limit || seen.out_of_memory_kill) return "the program was ended at a limit";
  if (plan.input_in_pieces) return "its input came through a pipe, in pieces as they were written";
  if (seen.several_tasks && !plan.engine->WhyTasksVary().empty()) return plan.engine->WhyTasksVary();
  if (machine->used_timers()) return "the program asked for a timer";
  if (machine->asked_of_children()) return "the program asked what its children had used (wait4), which the kernel says in real time";
  if (machine->listed_folder()) return "the program listed a folder, whose order is the file system's";
  if (machine->populated()) return "the program had a large mapping populated (MAP_POPULATE), whose place is the kernel's";
  return plan.child.sandbox->spec().ShowsProc() ? plan.engine->WhyProcVaries() : "";
}

RunResult Assemble(const RunPlan& plan, Verdict verdict, const Observations& seen) {
  RunResult result;
  result.code = verdict.code;
  result.sentence = std::move(verdict.sentence);
  result.limit = verdict.limit;
  if (verdict.code == ResultCode::kRv && !verdict.limit) result.forbidden_call = seen.forbidden_call;
  result.exit_code = seen.exit_code;
  result.signal = seen.signal;
  result.user_time = seen.cpu.user;
  result.sys_time = seen.cpu.system;
  result.stop_time = std::min(seen.not_its_own.stops_cpu, seen.cpu.total());
  result.wall_time = seen.wall;
  result.ended = seen.ended;
  result.instructions = seen.instructions;
  result.memory = seen.memory;
  result.syscalls = seen.syscalls;
  result.output = seen.output;
  result.resident = seen.resident;
  result.switches = seen.switches;
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
void KillEverything(Child* child, Tasks* tasks) {
  child->KillRoot();
  tasks->KillAll();
  // One whose stop was told to us, and not answered, waits there for us; at its exit a SIGKILL does not wake it.
  for (const pid_t tid : tasks->All()) ::ptrace(PTRACE_CONT, tid, nullptr, nullptr);
  while (!child->is_root_reaped() || (!child->has_init() && (!tasks->empty() || tasks->KillStragglers()))) {
    const auto event = waits::AwaitAny();
    if (!event) return;
    const auto& [tid, status] = *event;
    if (!status.IsEnd()) {
      tasks->Kill(tid);
      ::ptrace(PTRACE_CONT, tid, nullptr, nullptr);
      continue;
    }
    tasks->Remove(tid);
    if (tid == child->root()) child->NoteRootReaped();
  }
}

}  // namespace

Executor::Executor(bool prepared) : counts_by_tracepoint_(prepared) { sys::ReapOwnChildren(); }

Executor::~Executor() { RetireAll(); }

Sandboxes& Executor::sandboxes() {
  if (::geteuid() != 0) cgroups_.Find();
  return sandboxes_;
}

void Executor::PrepareForManyRuns() { counts_by_tracepoint_ = !TracepointCounter::Prepare(PrivateDirectory); }

void Executor::PrepareFirstRun(const Sandbox& sandbox) {
  ChildPlan plan = PlanInit(sandbox, &sandboxes_);
  plan.alone = true;
  HaveInitWait(plan);
}

void Executor::KeepTranslations() {
  for (const auto& engine : std::exchange(ended_engines_, {})) {
    try {
      engine->Keep();
    } catch (const std::exception&) {  // then there is nothing to find next time
    }
  }
}

void Executor::RetireRuns() {
  KeepTranslations();
  sandboxes_.Reap();
  sandboxes_.Unmount();
}

void Executor::RetireAll() {
  sandboxes_.KillReusedInits();
  RetireRuns();
  cgroups_.Remove();
}

RunResult Executor::Run(const RunRequest& request, const Sandbox& sandbox) {
  RequireOwnProc();
  KeepTranslations();
  const std::unique_ptr<RunPlan> plan = PlanRun(request, sandbox, {&sandboxes_, &cgroups_, counts_by_tracepoint_});
  Child child = StartChild(plan->child);
  Observations seen;
  Tasks tasks;
  try {
    Attach(plan.get(), child);
    seen = Watch(plan->watch, &child, &tasks);
  } catch (...) {
    KillEverything(&child, &tasks);
    throw;
  }
  if (plan->input.valid()) ::lseek(request.stdin_fd, ::lseek(plan->input.get(), 0, SEEK_CUR), SEEK_SET);  // as if it had read from there
  MeasureOutputFile(*plan, &seen);
  RunResult result = Assemble(*plan, Judge(request.limits, seen), seen);
  RequireCountFor(request.limits, result);
  if (plan->engine->HasToKeep()) ended_engines_.push_back(std::move(plan->engine));
  RequireDiskFor(sandbox, result.code);
  return result;
}

}  // namespace tally
