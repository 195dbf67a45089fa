#include "supervisor/run/run_plan.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/engines/engine.h"
#include "supervisor/run/make_engine.h"
#include "supervisor/run/observations.h"
#include "supervisor/run/shared_mappings.h"
#include "supervisor/sandbox/empty_network.h"
#include "supervisor/sandbox/file_attributes.h"
#include "supervisor/sandbox/landlock.h"
#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/sandbox/sandbox.h"
#include "supervisor/sandbox/seccomp/policy.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kOpenFiles = 1024;

constexpr int kLandlockScopesSignals = 6;  // Landlock ABI

bool Holds(const fs::path& folder, const fs::path& path) {
  const fs::path relative = path.lexically_relative(folder);
  return !folder.empty() && !relative.empty() && *relative.begin() != "..";
}

// `folder`, where no program in `sandbox` can reach it; else "".
std::string FolderOutside(const std::string& folder, const Sandbox& sandbox) {
  if (folder.empty() || sandbox.isolation() == Isolation::kNone) return "";
  std::error_code error;
  const fs::path path = fs::weakly_canonical(folder, error);
  if (error) return "";
  const RootSpec& spec = sandbox.spec();
  const bool shown = Holds(spec.base_root, path) ||
                     std::any_of(spec.mounts.begin(), spec.mounts.end(),
                                 [&](const Mount& mount) {
                                   return mount.kind == MountKind::kBind && Holds(mount.source, path);
                                 }) ||
                     std::any_of(sandbox.files().begin(), sandbox.files().end(), [&](const PlacedFile& file) {
                       return file.writable && Holds(fs::weakly_canonical(file.host_path, error), path);
                     });
  return shown ? "" : path.string();
}

// `reopens`: the program can open the file anew (callers_streams.h), and what is in it already is not its own.
bool PumpIsNeeded(int fd, bool reopens) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return false;
  if (S_ISREG(status.st_mode)) return reopens && status.st_size != 0;
  return status.st_rdev != makedev(1, 3) || !S_ISCHR(status.st_mode);
}

// A terminal gives lines.
bool ComesInPieces(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

void PrepareStreams(const RunRequest& request, RunPlan* plan) {
  plan->null = OpenNull();
  const auto or_null = [plan](int fd) { return fd >= 0 ? fd : plan->null.get(); };
  plan->child.stdin_fd = or_null(request.stdin_fd);
  plan->child.stdout_fd = or_null(request.stdout_fd);
  plan->child.stderr_fd = or_null(request.stderr_fd);
  plan->input_in_pieces = !request.input_in_lines && ComesInPieces(request.stdin_fd);
  for (const int fd : {request.stdin_fd, request.stdout_fd, request.stderr_fd}) plan->callers_streams.push_back(std::make_unique<CallersStream>(fd));
  const Sandbox& sandbox = *plan->child.sandbox;
  const bool reopens = sandbox.isolation() == Isolation::kFull && sandbox.spec().ShowsProc();
  // Or, where it is our own user and may change files, the file's mode and times (fchmod(2) asks for no open for writing).
  const bool changes = sandbox.isolation() == Isolation::kFull && sandbox.spec().permissions.file_writes && !ProgramsChangeUser(Isolation::kFull);
  if ((reopens || changes) && !request.writes_stdin) plan->input = ReadOnlyInput(plan->child.stdin_fd);
  if (plan->input.valid()) plan->child.stdin_fd = plan->input.get();
  if ((request.limits.output || reopens) && PumpIsNeeded(plan->child.stderr_fd, reopens)) {
    plan->error_pump.emplace(plan->child.stderr_fd, request.limits.output);
    plan->child.stderr_fd = plan->error_pump->program_end();
    plan->watch.error_pump = &*plan->error_pump;
  }
  if (PumpIsNeeded(plan->child.stdout_fd, reopens)) {
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
// day on which that count is wrong. It is one on a user: parallel runs add up where they share one (not as root:
// sandbox_user.h). In a user namespace only what is in there counts (Linux 5.14, commit 21d1c5e386bc).
constexpr std::uint64_t kMostTasksOfUser = 4096;

// Signals that wait, and timers (timer_create(2)), also one on a user: so many that no program lacks any, and so few that many
// of one user can run at the same time.
constexpr rlim_t kMostSignals = 1024;

rlim_t AtMostOurs(__rlimit_resource resource, rlim_t wanted) {
  rlimit own{};
  const bool is_known = ::getrlimit(resource, &own) == 0;
  return std::min(wanted, is_known ? own.rlim_max : RLIM_INFINITY);
}

// A program that may have so many processes would be refused them, and that would be taken for its own doing.
void RequireProcesses(std::size_t processes) {
  rlimit own{};
  if (processes == 1 || ::getrlimit(RLIMIT_NPROC, &own) != 0 || own.rlim_max > processes) return;
  throw SystemError(fmt::format("let a program have {} processes, where this user may have {} (RLIMIT_NPROC, ulimit -u)", processes, own.rlim_max), EAGAIN);
}

void PrepareResourceLimits(const Limits& limits, RunPlan* plan) {
  RequireProcesses(limits.processes);
  std::vector<ResourceLimit>& out = plan->child.limits.rlimits;
  out.push_back({RLIMIT_CORE, 0});
  out.push_back({RLIMIT_NOFILE, AtMostOurs(RLIMIT_NOFILE, limits.open_files.value_or(kOpenFiles))});
  out.push_back({RLIMIT_MEMLOCK, 64 << 10});
  out.push_back({RLIMIT_MSGQUEUE, 0});
  out.push_back({RLIMIT_SIGPENDING, AtMostOurs(RLIMIT_SIGPENDING, kMostSignals)});
  if (plan->child.sandbox->isolation() == Isolation::kFull) out.push_back({RLIMIT_NPROC, AtMostOurs(RLIMIT_NPROC, kMostTasksOfUser + limits.processes)});
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

// Would the program have come to its own limit before it comes to this one, in seconds of one process?
bool EndsBefore(rlim_t seconds, const Limits& limits) {
  const std::optional<Nanoseconds>& own = limits.cpu_time ? limits.cpu_time : limits.user_time;
  if (!own) return false;
  const auto most = std::chrono::duration_cast<std::chrono::seconds>((kMostLeftOut + 1) * *own).count() + 1;
  return static_cast<rlim_t>(most) < seconds;
}

// What limits us, as ulimit(1) does, would end the program, or refuse it what its own limits allow, and be taken for its own
// doing. Where we may not raise it the child says so, and there is no verdict.
void LiftInheritedLimits(const Limits& limits, std::vector<ResourceLimit>* out) {
  for (const __rlimit_resource resource : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_CPU, RLIMIT_FSIZE}) {
    const auto is_it = [resource](const ResourceLimit& limit) { return limit.resource == resource; };
    rlimit own{};
    if (std::any_of(out->begin(), out->end(), is_it) || ::getrlimit(resource, &own) != 0) continue;
    if (own.rlim_cur == RLIM_INFINITY) continue;
    const bool is_far = resource == RLIMIT_CPU && EndsBefore(own.rlim_max, limits);
    out->push_back({resource, is_far ? own.rlim_max : RLIM_INFINITY});
  }
}

void PrepareSyscallCounting(const RunRequest& request, bool tracepoint_is_ready, RunPlan* plan) {
  const bool by_tracepoint = request.syscalls == SyscallCounting::kTracepoint ||
                             (request.syscalls == SyscallCounting::kAuto && tracepoint_is_ready);
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

// Where the program finds those that are its run's own.
std::vector<std::string> TmpfsOf(const Sandbox& sandbox) {
  std::vector<std::string> targets;
  for (const Mount& mount : sandbox.run_mounts()) {
    if (mount.kind == MountKind::kTmpfs) targets.push_back(mount.target);
  }
  return targets;
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

// The whole policy again where other filters have to stand behind it: of two that stop a program the newest says why.
std::span<const sock_filter> LastFilter(const SyscallPermissions& permissions, const ChildPlan& plan, bool count_by_trace) {
  if (count_by_trace) return CountingPolicy(permissions);
  return plan.init_filter.empty() || !plan.filters.empty() ? CompiledPolicy(permissions) : ProgramPolicy(permissions);
}

}  // namespace

ChildPlan PlanInit(const Sandbox& sandbox, Sandboxes* sandboxes) {
  const SyscallPermissions& permissions = sandbox.spec().permissions;
  ChildPlan plan{.sandboxes = sandboxes, .sandbox = &sandbox, .work_dir = sandbox.spec().work_dir};
  if (sandbox.isolation() == Isolation::kFull) plan.init_filter = InitPolicy(permissions);
  plan.network_namespace = permissions.sockets && !permissions.host_network;
  const bool sees_network = sandbox.isolation() == Isolation::kFull && sandbox.spec().ShowsProc();
  if (sees_network && !permissions.sockets) plan.network = EmptyNetwork();
  return plan;
}

std::unique_ptr<RunPlan> PlanRun(RunRequest request, const Sandbox& sandbox, const Means& means) {
  request.counter = ChosenCounter(request.counter, request.limits);
  if (request.counter == Counter::kTranslator) {
    request.translation_folder = FolderOutside(request.translation_folder, sandbox);
  }
  auto plan = std::make_unique<RunPlan>();
  plan->child = PlanInit(sandbox, means.sandboxes);
  plan->child.program = request.program;
  plan->child.argv = request.argv;
  plan->child.more_descriptors = request.more_descriptors;
  plan->child.env = request.env;
  if (!request.work_dir.empty()) plan->child.work_dir = request.work_dir;
  plan->child.address_randomization = request.address_randomization;
  plan->engine = MakeEngine(request);
  plan->engine->PrepareChild(&plan->child);
  plan->memory = MakeMemoryMeter(request.memory_by, request.limits, sandbox.isolation() != Isolation::kNone, TmpfsOf(sandbox), means.cgroups);
  plan->memory->SetEngineMemory(plan->engine->OwnMemory());
  PrepareStreams(request, plan.get());
  if (plan->watch.has_pump()) plan->engine->OutputIsPumped();
  PrepareResourceLimits(request.limits, plan.get());
  plan->memory->PrepareChild(&plan->child.limits, sandbox.isolation());
  if (plan->memory->CountsSharedMemory() && sandbox.isolation() != Isolation::kNone) plan->child.filters.push_back(SharedMappingFilter());
  LiftInheritedLimits(request.limits, &plan->child.limits.rlimits);
  PrepareSyscallCounting(request, means.counts_by_tracepoint, plan.get());

  SyscallPermissions permissions = sandbox.spec().permissions;
  permissions.processes = request.limits.processes > 1 || request.may_execute;
  if (sandbox.isolation() == Isolation::kReduced) PrepareLandlock(sandbox, request.limits, plan.get());
  if (sandbox.isolation() == Isolation::kReduced && permissions.file_writes) plan->child.filters.push_back(FileAttributesFilter());
  if (sandbox.isolation() != Isolation::kNone) {
    plan->child.filters.push_back(LastFilter(permissions, plan->child, plan->watch.count_by_trace));
  } else {
    permissions.processes = true;  // nothing forbids them
  }
  plan->child.alone = !permissions.processes;
  plan->watch.limits = request.limits;
  plan->watch.permissions = permissions;
  plan->watch.engine = plan->engine.get();
  plan->watch.memory = plan->memory.get();
  if (request.wants_switches) plan->watch.switches = &plan->switches;
  return plan;
}

}  // namespace tally
