#include "supervisor/child_setup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/child_steps.h"
#include "supervisor/private_mounts.h"
#include "supervisor/seccomp/trace_codes.h"

namespace tally {
namespace {

constexpr std::size_t kLongestLaunchPath = 8 << 10;

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

std::vector<int> IgnoredSignals() {
  std::vector<int> out;
  const std::string status = sys::TryReadFile("/proc/self/status").value_or("");
  const std::size_t at = status.find("\nSigIgn:\t");
  const std::uint64_t mask = at == std::string::npos ? ~0ULL : std::strtoull(status.c_str() + at + 9, nullptr, 16);
  for (int signal = 1; signal < NSIG; ++signal) {
    // Watch ignores SIGPIPE, perhaps from now on.
    if ((mask >> (signal - 1) & 1) != 0 || signal == SIGPIPE) out.push_back(signal);
  }
  return out;
}

// Filters know the program's start by this address (seccomp/trace_codes.h). A path too long for execve is left to it.
const char* AtLaunchPath(const std::string& path) {
  static char* const room = [] {
    void* const at = ::mmap(reinterpret_cast<void*>(kLaunchPath), kLongestLaunchPath, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == MAP_FAILED) throw SystemError("mmap of the launch path", errno);
    return static_cast<char*>(at);
  }();
  if (path.size() >= kLongestLaunchPath) return path.c_str();
  std::memcpy(room, path.c_str(), path.size() + 1);
  return room;
}

Prepared Prepare(const ChildPlan& plan, int channel, int supervisors_end) {
  Prepared p{.plan = &plan, .program = AtLaunchPath(plan.program), .kept_mounts = -1};
  const Isolation isolation = plan.sandbox->isolation();
  p.full = isolation == Isolation::kFull;
  p.drop_privileges = isolation != Isolation::kNone;
  p.drop_ids = ProgramsChangeUser(isolation);
  p.argv = Pointers(plan.argv);
  p.env = Pointers(plan.env);
  static const std::vector<int> ignored = IgnoredSignals();  // nobody changes them while runs go on
  p.ignored_signals = ignored;
  p.streams = {plan.stdin_fd, plan.stdout_fd, plan.stderr_fd};
  p.channel = channel;
  p.supervisors_end = supervisors_end;
  if (!p.full) return p;
  p.kept_mounts = plan.sandbox->kept_mounts().Namespace();
  for (const Mount& mount : plan.sandbox->run_mounts()) {
    p.mount_targets.push_back(plan.sandbox->root() + mount.target);
    p.mount_options.push_back(mount.kind == MountKind::kTmpfs ? fmt::format("mode=1777,size={}", mount.size.count)
                                                              : "");
    const bool has_file = mount.kind == MountKind::kProc && !plan.sandbox->processor_file().empty();
    p.processor_targets.push_back(has_file ? p.mount_targets.back() + "/cpuinfo" : "");
  }
  return p;
}

// fork(2) with namespaces: clone3 without a stack, on a copy of our memory.
pid_t CloneChild(const ChildPlan& plan, const Prepared& prepared) {
  clone_args args{};
  args.exit_signal = SIGCHLD;
  args.flags = CLONE_CLEAR_SIGHAND;
  if (prepared.full) args.flags |= CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWCGROUP;
  if (prepared.full && prepared.kept_mounts < 0) args.flags |= CLONE_NEWNS;
  if (prepared.full && plan.network_namespace) args.flags |= CLONE_NEWNET;
  return static_cast<pid_t>(::syscall(SYS_clone3, &args, sizeof args));
}

SetupFailure Explain(const Message& message, const ChildPlan* plan) {
  std::string text = StepText(message.step);
  if (message.step == Step::kRunMount && plan != nullptr) {
    text = "mount " + plan->sandbox->run_mounts()[static_cast<std::size_t>(message.detail)].target +
           " in the sandbox";
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
  ::setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
  return {Fd(ends[0]), Fd(ends[1])};
}

// Waits for "ready" and returns the program's pid.
pid_t AwaitReady(const ChildPlan& plan, int channel) {
  Message message{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control{};
  iovec data{&message, sizeof message};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  ssize_t n;
  do {
    n = ::recvmsg(channel, &header, 0);
  } while (n < 0 && errno == EINTR);
  if (n < static_cast<ssize_t>(sizeof message)) {
    throw SystemError("the sandbox's init ended before the program was ready", n < 0 ? errno : 0);
  }
  if (message.kind == Message::kFailed) {
    const SetupFailure failure = Explain(message, &plan);
    throw SystemError(failure.step, failure.error);
  }
  ucred sender{};
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS) {
      std::memcpy(&sender, CMSG_DATA(c), sizeof sender);
    }
  }
  return sender.pid;
}

}  // namespace

Child StartChild(const ChildPlan& plan) {
  Channel channel = MakeChannel();
  Prepared prepared = Prepare(plan, channel.theirs.get(), channel.ours.get());
  // Without a process namespace, orphans come to us and not to the system's init, so that we can reap them.
  if (!prepared.full) ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const pid_t pid = CloneChild(plan, prepared);
  if (pid == 0) RunChild(prepared);
  if (pid < 0) throw SystemError("clone3 with new namespaces", errno);
  channel.theirs.Reset();
  try {
    const pid_t program = AwaitReady(plan, channel.ours.get());
    if (prepared.full && prepared.kept_mounts < 0) plan.sandbox->kept_mounts().Keep(pid, plan.sandbox->run_mounts());
    return Child(prepared.full ? pid : -1, program, std::move(channel.ours));
  } catch (...) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, __WALL);
    throw;
  }
}

namespace {
std::vector<pid_t> ended_inits;  // killed, not yet reaped
}

// Watch has reaped init where it had to wait for it; then it is no child of ours any more.
Child::~Child() {
  if (init_ > 0 && ::waitpid(init_, nullptr, WNOHANG | __WALL) == 0) ended_inits.push_back(init_);
}

void ReapEndedRuns() {
  for (const pid_t init : ended_inits) ::waitpid(init, nullptr, __WALL);
  ended_inits.clear();
}

void Child::Go() const {
  const char go = 'g';
  if (::write(channel_.get(), &go, 1) != 1) throw SystemError("tell the program to start", errno);
}

std::optional<SetupFailure> Child::Failure() const {
  Message message{};
  if (::recv(channel_.get(), &message, sizeof message, MSG_DONTWAIT) != sizeof message) return std::nullopt;
  if (message.kind != Message::kFailed) return std::nullopt;
  return Explain(message, nullptr);
}

}  // namespace tally
