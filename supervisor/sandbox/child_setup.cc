#include "supervisor/sandbox/child_setup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "supervisor/sandbox/child_steps.h"
#include "supervisor/sandbox/hidden_proc.h"
#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/tracing/trace_codes.h"
#include "supervisor/tracing/waits.h"

namespace tally {
namespace {

// Filters know the program's start by this address (tracing/trace_codes.h), at which its child has the path. Mapped once, for all.
void MapLaunchPath() {
  [[maybe_unused]] static const bool mapped = [] {
    if (::mmap(reinterpret_cast<void*>(kLaunchPath), kLaunchPathRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED) {
      throw SystemError("mmap of the launch path", errno);
    }
    return true;
  }();
}

ProgramDescriptors OpenFor(const ChildPlan& plan) {
  return {.streams = {plan.stdin_fd, plan.stdout_fd, plan.stderr_fd}, .cgroup = plan.limits.cgroup.fd};
}

std::vector<Prepared::Cover> CoversIn(const std::string& proc) {
  std::vector<Prepared::Cover> out;
  for (const HiddenEntry& entry : HiddenInProc()) out.push_back({proc + "/" + entry.name, entry.is_directory});
  return out;
}

// A program that starts others can reach whatever is its own user's.
bool InitMayStay(const ChildPlan& plan) {
  return (plan.alone || ProgramsChangeUser(Isolation::kFull)) && plan.more_descriptors.empty() && !plan.network_namespace && !plan.sandbox->reused_init().given_up() &&
         plan.sandbox->reused_mounts().Keeps();
}

// /proc/sys may be read-only, as in a container; then no init can number processes anew. -1.
int LastPid() {
  static const Fd file(::open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC));
  return file.get();
}

Prepared Prepare(const ChildPlan& plan, int channel, int supervisors_end) {
  Prepared p{};
  p.plan = &plan;
  p.reused_mounts = p.user_namespace = p.last_pid = -1;
  const Isolation isolation = plan.sandbox->isolation();
  p.full = isolation == Isolation::kFull;
  p.drop_privileges = isolation != Isolation::kNone;
  p.shows_proc = p.full && plan.sandbox->spec().ShowsProc();
  const bool may_stay = p.full && InitMayStay(plan);
  p.drop_ids = ProgramsChangeUser(isolation);
  if (p.drop_ids) {
    SandboxUser& user = plan.sandboxes->user();
    p.new_namespace = p.full && !may_stay && !user.has_tried_namespace();
    p.user_namespace = p.full && !p.new_namespace ? user.Namespace() : -1;
    p.host_uid = user.uid();
    p.host_gid = user.gid();
    const bool is_mapped = p.new_namespace || p.user_namespace >= 0;
    p.uid = is_mapped ? kSandboxUid : p.host_uid;
    p.gid = is_mapped ? kSandboxGid : p.host_gid;
  }
  // Where /proc is shown the program makes a namespace, too, for which it needs another's capabilities than those that such an init has.
  p.init_stays = may_stay && (!p.shows_proc || p.user_namespace >= 0);
  if (p.init_stays && p.drop_ids) p.last_pid = LastPid();
  if (!plan.alone && p.last_pid < 0) p.init_stays = false;
  p.open = OpenFor(plan);
  p.channel = channel;
  p.supervisors_end = supervisors_end;
  if (!p.full) return p;
  p.reused_mounts = plan.sandbox->reused_mounts().Namespace();
  for (const Mount& mount : plan.sandbox->run_mounts()) {
    p.mount_targets.push_back(plan.sandbox->root() + mount.target);
    const bool shows_machine = mount.kind == MountKind::kProc && !mount.processes_only;
    p.mount_options.push_back(mount.kind == MountKind::kTmpfs ? TmpfsOptions(mount.size) : mount.processes_only ? "subset=pid" : "");
    const bool has_file = shows_machine && !plan.sandbox->processor_file().empty();
    p.covers.push_back(shows_machine ? CoversIn(p.mount_targets.back()) : std::vector<Prepared::Cover>{});
    p.processor_targets.push_back(has_file ? p.mount_targets.back() + "/cpuinfo" : "");
  }
  return p;
}

// What CLONE_CLEAR_SIGHAND does.
void ClearHandlers() {
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN || action.sa_handler == SIG_DFL) continue;
    action.sa_handler = SIG_DFL;
    ::sigaction(signal, &action, nullptr);
  }
}

// Container runtimes answer clone3 by ENOSYS, because a filter cannot see its flags (moby's default seccomp profile). Namespaces they
// forbid then, too.
Init ForkChild() {
  const auto pid = static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0));
  if (pid == 0) ClearHandlers();
  return {.pid = pid, .handle = Fd(), .channel = Fd()};
}

// fork(2) with namespaces: clone3 without a stack, on a copy of our memory.
Init CloneChild(const ChildPlan& plan, const Prepared& prepared) {
  int handle = -1;
  clone_args args{};
  args.exit_signal = SIGCHLD;
  args.flags = CLONE_CLEAR_SIGHAND;
  if (prepared.full) args.flags |= CLONE_NEWPID | CLONE_NEWUTS;
  if (prepared.full && prepared.reused_mounts < 0) args.flags |= CLONE_NEWNS;
  if (prepared.full && plan.network_namespace) args.flags |= CLONE_NEWNET;
  if (prepared.init_stays) {
    args.flags |= CLONE_PIDFD;
    args.pidfd = reinterpret_cast<std::uintptr_t>(&handle);
  }
  const auto pid = static_cast<pid_t>(::syscall(SYS_clone3, &args, sizeof args));
  if (pid < 0 && errno == ENOSYS && !prepared.full) return ForkChild();
  return {.pid = pid, .handle = Fd(pid > 0 ? handle : -1), .channel = Fd()};
}

const char* NameOfLimit(std::int32_t resource) {
  switch (resource) {
    case RLIMIT_AS: return "RLIMIT_AS";
    case RLIMIT_CORE: return "RLIMIT_CORE";
    case RLIMIT_CPU: return "RLIMIT_CPU";
    case RLIMIT_DATA: return "RLIMIT_DATA";
    case RLIMIT_FSIZE: return "RLIMIT_FSIZE";
    case RLIMIT_MEMLOCK: return "RLIMIT_MEMLOCK";
    case RLIMIT_MSGQUEUE: return "RLIMIT_MSGQUEUE";
    case RLIMIT_NOFILE: return "RLIMIT_NOFILE";
    case RLIMIT_NPROC: return "RLIMIT_NPROC";
    case RLIMIT_STACK: return "RLIMIT_STACK";
    default: return "a limit";
  }
}

SetupFailure Explain(const StepMessage& message, const ChildPlan* plan) {
  std::string text = StepText(message.step);
  if (message.step == Step::kRunMount && plan != nullptr) {
    const Mount& mount = plan->sandbox->run_mounts()[static_cast<std::size_t>(message.detail)];
    text = "mount " + mount.target + " in the sandbox";
    // fs/namespace.c, mount_too_revealing
    if (mount.kind == MountKind::kProc && message.error == EPERM) {
      text = "parts of /proc are masked here, as in a container, so the kernel gives no other one (docs/hosts.md has the container's "
             "option); " + text;
    }
  }
  if (message.step == Step::kResourceLimits) {
    text = fmt::format("setrlimit({})", NameOfLimit(message.detail));
    if (message.error == EPERM) text = "a run needs more than the hard limit that the caller has (ulimit -H), and may not raise it; " + text;
  }
  return {text, message.error, message.step == Step::kExecve};
}

struct Channel {
  Fd ours;
  Fd theirs;
};

Channel MakeChannel() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw SystemError("socketpair", errno);
  }
  const int on = 1;  // the kernel then tells us the sender's pid as our namespace sees it (unix(7))
  Channel channel{Fd(ends[0]), Fd(ends[1])};
  if (::setsockopt(channel.ours.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) {
    throw SystemError("setsockopt(SO_PASSCRED)", errno);
  }
  return channel;
}

// Waits for the child's word; the sender's pid comes with it. False: there is nobody left to say one.
bool Receive(int channel, StepMessage* message, pid_t* sender) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control{};
  iovec data{message, sizeof *message};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  ssize_t n;
  do {
    n = ::recvmsg(channel, &header, 0);
  } while (n < 0 && errno == EINTR);
  if (n < 0) return false;
  errno = 0;
  if (n < static_cast<ssize_t>(sizeof *message)) return false;
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_CREDENTIALS) continue;
    ucred credentials{};
    std::memcpy(&credentials, CMSG_DATA(c), sizeof credentials);
    *sender = credentials.pid;
  }
  return true;
}

// Waits for "ready".
Started AwaitReady(const ChildPlan& plan, int channel) {
  StepMessage message{};
  pid_t program = 0;
  if (!Receive(channel, &message, &program)) {
    throw SystemError("the sandbox's init ended before the program was ready", errno);
  }
  if (message.kind == StepMessage::kFailed) {
    const SetupFailure failure = Explain(message, &plan);
    throw SystemError(failure.step, failure.error);
  }
  return {program, (message.detail & kInCgroup) != 0, (message.detail & kInNewNamespace) != 0};
}

bool SendDescriptors(const ChildPlan& plan, int channel) {
  const ProgramDescriptors open = OpenFor(plan);
  const std::size_t size = BytesOf(open);
  char order = kStartNext;
  iovec data{&order, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof open)> control{};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = CMSG_SPACE(size);
  cmsghdr* const c = CMSG_FIRSTHDR(&header);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(size);
  std::memcpy(CMSG_DATA(c), &open, size);
  return ::sendmsg(channel, &header, MSG_NOSIGNAL) == 1;
}

// By the init that waits. nullopt: a new one is needed, which will also say what is wrong if anything is.
std::optional<Child> StartByKeptInit(const ChildPlan& plan) {
  ReusedInit& kept = plan.sandbox->reused_init();
  if (!plan.sandbox->reused_mounts().AreAsMade() || !kept.Starts(plan) || kept.Put(plan) == nullptr) {
    kept.End();
    return std::nullopt;
  }
  Init init = kept.Take();
  StepMessage message{};
  pid_t program = 0;
  if (SendDescriptors(plan, init.channel.get()) && Receive(init.channel.get(), &message, &program) &&
      message.kind == StepMessage::kReady) {
    return Child(std::move(init), {program, (message.detail & kInCgroup) != 0, false}, &kept, plan.sandboxes);
  }
  // Not where the last program has left the number taken: then a new one will do.
  if (message.kind == StepMessage::kFailed && (message.error == EPERM || message.error == EINVAL)) kept.GiveUp();
  EndInit(std::move(init), plan.sandboxes);
  return std::nullopt;
}

// Of its own namespace. False: it is to be started again without one.
bool HasUsers(SandboxUser& user, const Started& program) {
  if (program.in_new_namespace && user.WriteMaps(program.program)) return true;
  user.NoteNoNamespace();
  return !program.in_new_namespace;
}

// An init, and what it has told us. SystemError when it has failed; it is gone then.
struct Made {
  Init init;
  Started told;
};

Made MakeInit(const ChildPlan& plan, Prepared& prepared, Channel channel) {
  // Without a process namespace, orphans come to us and not to the system's init, so that we can reap them.
  if (!prepared.full) ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  Made made{CloneChild(plan, prepared), {}};
  const pid_t pid = made.init.pid;
  if (pid == 0) RunChild(prepared);
  if (pid < 0) throw SystemError("clone3 with new namespaces", errno);
  channel.theirs.Reset();
  made.init.channel = std::move(channel.ours);
  try {
    made.told = AwaitReady(plan, made.init.channel.get());
    if (prepared.full && prepared.reused_mounts < 0) plan.sandbox->reused_mounts().Keep(pid, prepared.init_stays, plan.sandbox->run_mounts());
    return made;
  } catch (...) {
    ::kill(pid, SIGKILL);
    waits::AwaitEnd(pid);
    throw;
  }
}

// It may be too large for an init that stays.
void PutLaunch(const ChildPlan& plan, Prepared* prepared) {
  MapLaunchPath();
  if (prepared->init_stays) prepared->launch = plan.sandbox->reused_init().WillStart(plan, prepared->last_pid >= 0);
  if (prepared->launch != nullptr) return;
  prepared->init_stays = false;
  prepared->own_launch = std::make_unique<std::byte[]>(SizeOfLaunch(plan));
  prepared->launch = &LayOut(plan, prepared->own_launch.get());
}

}  // namespace

Child StartChild(const ChildPlan& plan) {
  if (std::optional<Child> child = StartByKeptInit(plan)) return std::move(*child);
  Channel channel = MakeChannel();
  Prepared prepared = Prepare(plan, channel.theirs.get(), channel.ours.get());
  PutLaunch(plan, &prepared);
  Made made = MakeInit(plan, prepared, std::move(channel));
  if (prepared.new_namespace && !HasUsers(plan.sandboxes->user(), made.told)) {
    ::kill(made.init.pid, SIGKILL);
    waits::AwaitEnd(made.init.pid);
    return StartChild(plan);
  }
  if (!prepared.full) made.init.pid = -1;
  return {std::move(made.init), made.told, prepared.init_stays ? &plan.sandbox->reused_init() : nullptr, plan.sandboxes};
}

void HaveInitWait(const ChildPlan& plan) {
  ReusedInit& kept = plan.sandbox->reused_init();
  if (plan.sandbox->isolation() != Isolation::kFull || kept.pid() > 0) return;
  plan.sandbox->reused_mounts().ExpectMany();
  Channel channel = MakeChannel();
  Prepared prepared = Prepare(plan, channel.theirs.get(), channel.ours.get());
  PutLaunch(plan, &prepared);
  if (!prepared.init_stays) return;
  prepared.waits = true;
  kept.Keep(MakeInit(plan, prepared, std::move(channel)).init, plan.sandboxes);
}

// Watch has reaped init where it had to wait for it.
Child::~Child() {
  if (!has_init() || root_reaped_) return;
  if (init_stays()) {
    keeper_->Keep(std::move(init_), home_);
  } else if (!waits::Reap(init_.pid)) {
    home_->AddEnded(init_.pid);
  }
}

void EndInit(Init init, Sandboxes* home) noexcept {
  if (!waits::IsOurs(init.handle.get())) return;
  ::syscall(SYS_pidfd_send_signal, init.handle.get(), SIGKILL, nullptr, 0);
  home->AddEnded(init.pid);
}

void Child::KillRoot() {
  keeper_ = nullptr;
  if (root_reaped_) return;
  if (init_.handle.valid()) {
    ::syscall(SYS_pidfd_send_signal, init_.handle.get(), SIGKILL, nullptr, 0);
  } else {
    ::kill(root(), SIGKILL);
  }
}

void Child::Go() const {
  const char go = 'g';
  if (::write(init_.channel.get(), &go, 1) != 1) throw SystemError("tell the program to start", errno);
}

// One order that waits is as good as many.
void Child::Reap() const {
  const char order = kReap;
  ::send(init_.channel.get(), &order, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool Child::IsEmpty() const {
  const char order = kAreYouAlone;
  StepMessage message{};
  pid_t sender = 0;
  return ::send(init_.channel.get(), &order, 1, MSG_NOSIGNAL) == 1 && Receive(init_.channel.get(), &message, &sender) && message.kind == StepMessage::kEmpty;
}

std::optional<SetupFailure> Child::Failure() const {
  StepMessage message{};
  if (::recv(init_.channel.get(), &message, sizeof message, MSG_DONTWAIT) != sizeof message) return std::nullopt;
  if (message.kind != StepMessage::kFailed) return std::nullopt;
  return Explain(message, nullptr);
}

}  // namespace tally
