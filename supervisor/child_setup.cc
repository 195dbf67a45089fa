#include "supervisor/child_setup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/private_mounts.h"
#include "supervisor/seccomp/trace_codes.h"

namespace tally {
namespace {

enum class Step : std::int32_t {
  kDieWithSupervisor,
  kNewSession,
  kHostname,
  kRunMount,
  kEnterMounts,
  kEnterRoot,
  kPivotRoot,
  kDetachOldRoot,
  kWorkDirectory,
  kSpawn,
  kStreams,
  kCloseDescriptors,
  kResourceLimits,
  kSecureBits,
  kDropGroups,
  kDropIds,
  kDropCapabilities,
  kNoNewPrivileges,
  kPersonality,
  kTimeStamps,
  kLandlock,
  kReady,
  kHideInit,
  kFilters,
  kExecve,
};

constexpr const char* kStepText[] = {
    "prctl(PR_SET_PDEATHSIG)", "setsid", "sethostname", "mount in the sandbox", "setns", "chdir to the sandbox root",
    "pivot_root", "unmount the old root", "chdir to the work directory", "vfork the program",
    "dup2 of the standard streams", "close_range", "setrlimit", "prctl(PR_SET_SECUREBITS)", "setgroups",
    "setresuid", "capset", "prctl(PR_SET_NO_NEW_PRIVS)", "personality(ADDR_NO_RANDOMIZE)",
    "prctl(PR_SET_TSC)", "landlock_restrict_self", "report to the supervisor", "prctl(PR_SET_DUMPABLE)", "seccomp(SECCOMP_SET_MODE_FILTER)", "execve"};

struct Message {
  enum Kind : std::int32_t { kReady, kFailed } kind;
  Step step;
  std::int32_t detail;  // which mount, which rlimit
  std::int32_t error;
};

constexpr mode_t kUmask = 022;  // of programs, whatever ours is
constexpr std::size_t kProgramStack = 64 << 10;
constexpr std::size_t kLongestLaunchPath = 8 << 10;
constexpr int kSecureBits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                            SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;

// The plan in the form the child reads: pointers only.
struct Prepared {
  const ChildPlan* plan;
  const char* program;  // at kLaunchPath
  int kept_mounts;      // a mount namespace to enter, or -1
  std::vector<std::string> mount_targets;
  std::vector<std::string> mount_options;
  std::vector<std::string> processor_targets;  // where the file in the place of cpuinfo goes, of each /proc; else ""
  std::vector<char*> argv;
  std::vector<char*> env;
  std::vector<int> ignored_signals;
  bool full;            // namespaces and a root of its own
  bool drop_ids;        // we are root on the host: become the sandbox's user
  bool drop_privileges;  // all but unsafe runs
  int channel, supervisors_end;  // of the socket
  char* stack_top;
};

// --- In the child: no allocation, no exception from here to the end of RunInit -------------------------

// The program's way there runs on a stack that AddressSanitizer does not know, and where it may not open its report
// any more: before a call that does not return it would clean the stack and complain.
#define TALLY_OWN_STACK __attribute__((no_sanitize("address")))

[[noreturn]] TALLY_OWN_STACK void Fail(const Prepared& p, Step step, std::int32_t detail = 0) {
  const Message message{Message::kFailed, step, detail, errno};
  [[maybe_unused]] const ssize_t n = ::write(p.channel, &message, sizeof message);
  ::_exit(1);
}

// What the supervisor, or who started it, blocks and ignores is not the program's business; execve would keep both.
// Handlers are gone already (CLONE_CLEAR_SIGHAND).
void ResetSignals(const Prepared& p) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (const int signal : p.ignored_signals) ::sigaction(signal, &action, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

TALLY_OWN_STACK void SetStreams(const Prepared& p) {
  const int sources[] = {p.plan->stdin_fd, p.plan->stdout_fd, p.plan->stderr_fd};
  int copies[3];
  for (int i = 0; i < 3; ++i) {  // above 2 first, so that no dup2 overwrites a source still needed
    copies[i] = ::fcntl(sources[i], F_DUPFD_CLOEXEC, 10);
    if (copies[i] < 0) Fail(p, Step::kStreams, i);
  }
  for (int i = 0; i < 3; ++i) {
    if (::dup2(copies[i], i) < 0) Fail(p, Step::kStreams, i);
  }
}

TALLY_OWN_STACK void SetResourceLimits(const Prepared& p) {
  for (const ResourceLimit& limit : p.plan->rlimits) {
    const rlimit both{limit.value, limit.value};
    if (::setrlimit(limit.resource, &both) != 0) Fail(p, Step::kResourceLimits, limit.resource);
  }
}

TALLY_OWN_STACK void DropCapabilities(const Prepared& p) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  if (::syscall(SYS_capset, &header, none) != 0) Fail(p, Step::kDropCapabilities);
}

TALLY_OWN_STACK void DropPrivileges(const Prepared& p) {
  // With no_new_privs no execve gives anything back, so the bounding set has no say (capabilities(7)). The bits say
  // it once more: no uid, 0 included, means capabilities.
  if (p.full && ::prctl(PR_SET_SECUREBITS, kSecureBits) != 0) Fail(p, Step::kSecureBits);
  if (p.drop_ids) {
    if (::syscall(SYS_setgroups, 0, nullptr) != 0) Fail(p, Step::kDropGroups);
    if (::syscall(SYS_setresgid, kSandboxGid, kSandboxGid, kSandboxGid) != 0 ||
        ::syscall(SYS_setresuid, kSandboxUid, kSandboxUid, kSandboxUid) != 0) {
      Fail(p, Step::kDropIds);
    }
  }
  DropCapabilities(p);
}

// The rest of the program's way, as pid 2 or, without namespaces, as a plain child.
TALLY_OWN_STACK int RunProgram(void* argument) {
  const Prepared& p = *static_cast<const Prepared*>(argument);
  const ChildPlan& plan = *p.plan;
  SetStreams(p);
  if (::syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC) != 0) Fail(p, Step::kCloseDescriptors);
  SetResourceLimits(p);
  if (p.drop_privileges) {
    DropPrivileges(p);
    ::umask(kUmask);
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) Fail(p, Step::kNoNewPrivileges);
  if (!plan.address_randomization && ::personality(ADDR_NO_RANDOMIZE) < 0) Fail(p, Step::kPersonality);
  if (plan.time_stamps_fault && ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0) Fail(p, Step::kTimeStamps);
  if (plan.landlock_ruleset >= 0 && ::syscall(SYS_landlock_restrict_self, plan.landlock_ruleset, 0u) != 0) {
    Fail(p, Step::kLandlock);
  }

  const Message ready{Message::kReady, Step::kReady, 0, 0};
  char go;
  if (::write(p.channel, &ready, sizeof ready) < 0) Fail(p, Step::kReady);
  if (::read(p.channel, &go, 1) != 1) ::_exit(1);  // the supervisor is gone

  // Init has no filter of its own, so nobody in the sandbox may look into it through /proc/1/mem. The memory is
  // still shared with it (vfork); execve gives the program another. Not before: we are seized by now.
  if (p.full && ::prctl(PR_SET_DUMPABLE, 0) != 0) Fail(p, Step::kHideInit);
  for (const std::span<const sock_filter> filter : plan.filters) {
    const sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
    if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0u, &program) != 0) Fail(p, Step::kFilters);
  }
  ::execve(p.program, p.argv.data(), p.env.data());
  Fail(p, Step::kExecve);
}

void MountForRun(const Prepared& p, std::size_t index) {
  const Mount& mount = p.plan->sandbox->run_mounts()[index];
  const bool proc = mount.kind == MountKind::kProc;
  unsigned long flags = MS_NOSUID | MS_NODEV;
  if (proc || !mount.executable) flags |= MS_NOEXEC;
  if (::mount("tally", p.mount_targets[index].c_str(), proc ? "proc" : "tmpfs", flags,
              p.mount_options[index].c_str()) != 0) {
    Fail(p, Step::kRunMount, static_cast<std::int32_t>(index));
  }
  if (p.processor_targets[index].empty()) return;
  const char* const cpuinfo = p.processor_targets[index].c_str();
  // A bind's own flags are set when it is mounted once more (mount(2)).
  if (::mount(p.plan->sandbox->processor_file().c_str(), cpuinfo, nullptr, MS_BIND, nullptr) != 0 ||
      ::mount(nullptr, cpuinfo, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
    Fail(p, Step::kRunMount, static_cast<std::int32_t>(index));
  }
}

// /proc goes in before the old root goes out: a user namespace may mount one only while it can see another
// (fs/namespace.c, mount_too_revealing).
void EnterRoot(const Prepared& p) {
  const Sandbox& sandbox = *p.plan->sandbox;
  if (p.kept_mounts >= 0) {
    if (::setns(p.kept_mounts, CLONE_NEWNS) != 0) Fail(p, Step::kEnterMounts);
    if (::chdir(p.plan->work_dir.c_str()) != 0) Fail(p, Step::kWorkDirectory);
    return;
  }
  for (std::size_t i = 0; i < p.mount_targets.size(); ++i) MountForRun(p, i);
  if (::chdir(sandbox.root().c_str()) != 0) Fail(p, Step::kEnterRoot);
  if (::syscall(SYS_pivot_root, ".", ".") != 0) Fail(p, Step::kPivotRoot);
  if (::umount2(".", MNT_DETACH) != 0) Fail(p, Step::kDetachOldRoot);
  if (::chdir("/") != 0 || ::chdir(p.plan->work_dir.c_str()) != 0) Fail(p, Step::kWorkDirectory);
}

[[noreturn]] void ReapUntilKilled(const Prepared& p) {
  DropCapabilities(p);
  ::syscall(SYS_close_range, 0u, ~0u, 0u);
  for (;;) {
    if (::wait4(-1, nullptr, __WALL, nullptr) < 0 && errno == ECHILD) ::_exit(0);
  }
}

// The signal is for a death from now on. Whether it has died before is seen by the socket: its end of it is closed, and so
// is our copy of that.
void DieWithSupervisor(const Prepared& p) {
  ::close(p.supervisors_end);
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) Fail(p, Step::kDieWithSupervisor);
  pollfd channel{p.channel, POLLIN, 0};
  if (::poll(&channel, 1, 0) > 0 && (channel.revents & POLLHUP) != 0) ::_exit(1);
}

[[noreturn]] void RunInit(const Prepared& p) {
  const RootSpec& spec = p.plan->sandbox->spec();
  DieWithSupervisor(p);
  if (::setsid() < 0) Fail(p, Step::kNewSession);
  if (::sethostname(spec.hostname.data(), spec.hostname.size()) != 0) Fail(p, Step::kHostname);
  EnterRoot(p);
  const pid_t program = ::clone(RunProgram, p.stack_top, CLONE_VM | CLONE_VFORK | SIGCHLD,
                                const_cast<Prepared*>(&p));
  if (program < 0) Fail(p, Step::kSpawn);
  ReapUntilKilled(p);
}

[[noreturn]] void RunWithoutNamespaces(const Prepared& p) {
  DieWithSupervisor(p);
  if (::setsid() < 0) Fail(p, Step::kNewSession);
  if (::chdir(p.plan->work_dir.c_str()) != 0) Fail(p, Step::kWorkDirectory);
  RunProgram(const_cast<Prepared*>(&p));
  ::_exit(1);
}

// --- In the supervisor --------------------------------------------------------------------------------

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

Prepared Prepare(const ChildPlan& plan, int channel, int supervisors_end, std::vector<char>* stack) {
  Prepared p{.plan = &plan, .program = AtLaunchPath(plan.program), .kept_mounts = -1};
  const Isolation isolation = plan.sandbox->isolation();
  p.full = isolation == Isolation::kFull;
  p.drop_privileges = isolation != Isolation::kNone;
  p.drop_ids = ProgramsChangeUser(isolation);
  p.argv = Pointers(plan.argv);
  p.env = Pointers(plan.env);
  static const std::vector<int> ignored = IgnoredSignals();  // nobody changes them while runs go on
  p.ignored_signals = ignored;
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
  stack->resize(kProgramStack);
  p.stack_top = stack->data() + stack->size() - reinterpret_cast<std::uintptr_t>(stack->data() + stack->size()) % 16;
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
  std::string text = kStepText[static_cast<std::size_t>(message.step)];
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
  std::vector<char> stack;
  const Prepared prepared = Prepare(plan, channel.theirs.get(), channel.ours.get(), &stack);
  // Without a process namespace, orphans come to us and not to the system's init, so that we can reap them.
  if (!prepared.full) ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const pid_t pid = CloneChild(plan, prepared);
  if (pid == 0) {
    ResetSignals(prepared);
    if (prepared.full) RunInit(prepared);
    RunWithoutNamespaces(prepared);
  }
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
