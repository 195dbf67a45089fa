#include "supervisor/sandbox/child_steps.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <poll.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/mount.h>
#include <sys/uio.h>
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
#include <cstddef>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <span>

#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/tracing/trace_codes.h"

namespace tally {
namespace {

constexpr const char* kStepText[] = {
    "prctl(PR_SET_PDEATHSIG)", "setsid", "sethostname", "setns into the empty network", "mount in the sandbox", "setns", "chdir to the sandbox root",
    "pivot_root", "unmount the old root", "chdir to the work directory", "write to /proc/sys/kernel/ns_last_pid", "vfork the program",
    "dup2 of the standard streams", "close_range", "setrlimit", "prctl(PR_SET_SECUREBITS)", "setns into the user namespace", "unshare(CLONE_NEWCGROUP)", "setgroups",
    "setresuid", "capset", "prctl(PR_SET_NO_NEW_PRIVS)", "personality(ADDR_NO_RANDOMIZE) (where a container forbids it, --virtual-off addresses counts without)",
    "prctl(PR_SET_TSC)", "landlock_restrict_self", "report to the supervisor", "prctl(PR_SET_DUMPABLE)", "seccomp(SECCOMP_SET_MODE_FILTER)", "execve"};

constexpr pid_t kProgramPid = 2;  // init is 1
constexpr char kProgramPidText[] = {'2'};
constexpr mode_t kUmask = 022;  // of programs, whatever ours is
constexpr int kSecureBits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                            SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;

// Where the program's steps run while its memory is still init's; not touched in the supervisor.
constexpr std::size_t kProgramStack = 64 << 10;
alignas(16) char program_stack[kProgramStack];

// The program's way there runs on a stack that AddressSanitizer does not know, and where it may not open its report
// any more: before a call that does not return it would clean the stack and complain.
#define TALLY_OWN_STACK __attribute__((no_sanitize("address")))

[[noreturn]] TALLY_OWN_STACK void Fail(const Prepared& p, Step step, std::int32_t detail = 0) {
  const StepMessage message{StepMessage::kFailed, step, detail, errno};
  [[maybe_unused]] const ssize_t n = ::write(p.channel, &message, sizeof message);
  ::_exit(1);
}

// What the supervisor, or who started it, blocks and ignores is not the program's business; execve would keep both.
// Handlers are gone already (CLONE_CLEAR_SIGHAND). libc's sigaction would leave out its own two signals.
void ResetSignals() {
  struct {
    std::uint64_t handler, flags, restorer, mask;  // sigaction(2), as the kernel has it: SIG_DFL
  } const action{};
  for (int signal = 1; signal < NSIG; ++signal) ::syscall(SYS_rt_sigaction, signal, &action, nullptr, sizeof action.mask);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Who writes 0 moves itself (cgroups(7)).
TALLY_OWN_STACK bool JoinCgroup(const Prepared& p) {
  if (p.cloned_into_cgroup) return true;
  return p.open.cgroup >= 0 && p.launch->how_into_cgroup == CgroupToJoin::How::kWrites && ::write(p.open.cgroup, "0", 1) == 1;
}

TALLY_OWN_STACK void SetStreams(const Prepared& p) {
  int copies[3];
  for (int i = 0; i < 3; ++i) {  // above 2 first, so that no dup2 overwrites a source still needed
    copies[i] = ::fcntl(p.open.streams[static_cast<std::size_t>(i)], F_DUPFD_CLOEXEC, 10);
    if (copies[i] < 0) Fail(p, Step::kStreams, i);
  }
  for (int i = 0; i < 3; ++i) {
    if (::dup2(copies[i], i) < 0) Fail(p, Step::kStreams, i);
  }
}

TALLY_OWN_STACK void SetResourceLimits(const Prepared& p) {
  for (const ResourceLimit& limit : p.launch->limits) {
    const rlimit both{limit.value, limit.value};
    if (::syscall(SYS_setrlimit, limit.resource, &both) != 0) Fail(p, Step::kResourceLimits, limit.resource);  // glibc's is a prlimit64
  }
}

TALLY_OWN_STACK void DropCapabilities(const Prepared& p) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  if (::syscall(SYS_capset, &header, none) != 0) Fail(p, Step::kDropCapabilities);
}

// With no_new_privs no execve gives anything back, so the bounding set has no say (capabilities(7)).
TALLY_OWN_STACK void DropPrivileges(const Prepared& p) {
  if (p.user_namespace >= 0 && ::setns(p.user_namespace, CLONE_NEWUSER) != 0) Fail(p, Step::kEnterUserNamespace);
  // Who enters one, or is born in it, has all capabilities in it, and securebits as at the start (user_namespaces(7)).
  if ((p.user_namespace >= 0 || p.new_namespace) && ::prctl(PR_SET_SECUREBITS, kSecureBits) != 0) Fail(p, Step::kSecureBits);
  // It hides nothing but names in /proc/PID/cgroup. Made here its root is the program's own cgroup; in one of its own, init would not see
  // that, and who does not see it may not clone into it (cgroup_namespaces(7), nsdelegate).
  if (p.shows_proc && ::unshare(CLONE_NEWCGROUP) != 0) Fail(p, Step::kCgroupNamespace);
  if (p.drop_ids) {
    if (::syscall(SYS_setgroups, 0, nullptr) != 0) Fail(p, Step::kDropGroups);
    if (::syscall(SYS_setresgid, p.gid, p.gid, p.gid) != 0 ||
        ::syscall(SYS_setresuid, p.uid, p.uid, p.uid) != 0) {
      Fail(p, Step::kDropIds);
    }
  }
  DropCapabilities(p);
}

TALLY_OWN_STACK void SetNoNewPrivileges(const Prepared& p) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) Fail(p, Step::kNoNewPrivileges);
}

TALLY_OWN_STACK void InstallFilter(const Prepared& p, const sock_fprog& filter) {
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0u, &filter) != 0) Fail(p, Step::kFilters);
}

// The rest of the program's way, as pid 2 or, without namespaces, as a plain child.
[[noreturn]] TALLY_OWN_STACK void RunProgram(const Prepared& p) {
  const ChildPlan& plan = *p.plan;
  const bool in_cgroup = JoinCgroup(p);  // before the streams may take its number
  SetStreams(p);
  if (::syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC) != 0) Fail(p, Step::kCloseDescriptors);
  for (const int fd : plan.more_descriptors) {
    if (::fcntl(fd, F_SETFD, 0) != 0) Fail(p, Step::kCloseDescriptors, fd);
  }
  SetResourceLimits(p);
  if (p.drop_privileges) ::umask(kUmask);
  if (p.drop_privileges && !p.new_namespace) DropPrivileges(p);
  if (!p.full) SetNoNewPrivileges(p);  // else it has that from init
  if (!p.launch->address_randomization && ::personality(ADDR_NO_RANDOMIZE) < 0) Fail(p, Step::kPersonality);
  if (p.launch->time_stamps_fault && ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0) Fail(p, Step::kTimeStamps);
  if (plan.landlock_ruleset >= 0 && ::syscall(SYS_landlock_restrict_self, plan.landlock_ruleset, 0u) != 0) {
    Fail(p, Step::kLandlock);
  }

  const StepMessage ready{StepMessage::kReady, Step::kReady, (in_cgroup ? kInCgroup : 0) | (p.new_namespace ? kInNewNamespace : 0), 0};
  char go;
  if (::write(p.channel, &ready, sizeof ready) < 0) Fail(p, Step::kReady);
  if (::read(p.channel, &go, 1) != 1) ::_exit(1);  // the supervisor is gone
  if (p.new_namespace) DropPrivileges(p);  // it has users by now

  // Init may more than a program, so nobody in the sandbox may look into it through /proc/1/mem. The memory is
  // still shared with it (vfork); execve gives the program another. Not before: we are seized by now.
  if (p.full && ::prctl(PR_SET_DUMPABLE, 0) != 0) Fail(p, Step::kHideInit);
  for (const sock_fprog& filter : p.launch->filters) InstallFilter(p, filter);
  ::execve(p.program, p.launch->argv, p.launch->env);
  Fail(p, Step::kExecve);
}

// A process of this machine's that is gone meanwhile is no failure, nor a module's entry.
void Cover(const Prepared& p, const Prepared::Cover& cover, std::int32_t mount) {
  const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
  const int result = cover.is_directory ? ::mount("tally", cover.target.c_str(), "tmpfs", flags, "size=4k,nr_inodes=1,mode=555")
                                        : ::mount("/dev/null", cover.target.c_str(), nullptr, MS_BIND, nullptr);
  if (result != 0 && errno != ENOENT) Fail(p, Step::kRunMount, mount);
}

void MountForRun(const Prepared& p, std::size_t index) {
  const Mount& mount = p.plan->sandbox->run_mounts()[index];
  const bool proc = mount.kind == MountKind::kProc;
  unsigned long flags = MS_NOSUID | MS_NODEV;
  if (proc || !mount.executable) flags |= MS_NOEXEC;
  if (proc) flags |= MS_RDONLY;
  if (::mount("tally", p.mount_targets[index].c_str(), proc ? "proc" : "tmpfs", flags,
              p.mount_options[index].c_str()) != 0) {
    Fail(p, Step::kRunMount, static_cast<std::int32_t>(index));
  }
  for (const Prepared::Cover& cover : p.covers[index]) Cover(p, cover, static_cast<std::int32_t>(index));
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
  if (p.reused_mounts >= 0) {
    if (::setns(p.reused_mounts, CLONE_NEWNS) != 0) Fail(p, Step::kEnterMounts);
    if (::chdir(p.plan->work_dir.c_str()) != 0) Fail(p, Step::kWorkDirectory);
    return;
  }
  for (std::size_t i = 0; i < p.mount_targets.size(); ++i) MountForRun(p, i);
  if (::chdir(sandbox.root().c_str()) != 0) Fail(p, Step::kEnterRoot);
  if (::syscall(SYS_pivot_root, ".", ".") != 0) Fail(p, Step::kPivotRoot);
  if (::umount2(".", MNT_DETACH) != 0) Fail(p, Step::kDetachOldRoot);
  if (::chdir("/") != 0 || ::chdir(p.plan->work_dir.c_str()) != 0) Fail(p, Step::kWorkDirectory);
}

// vfork(2) onto a stack of the program's own. glibc's clone(2) cannot ask for a pid. The registers carry all that the new
// process needs, and it does not come back.
long Vfork(Prepared& p, clone_args& args) {
  long pid;
  asm volatile(
      "syscall\n\t"
      "test %%rax, %%rax\n\t"
      "jnz 1f\n\t"
      "mov %[p], %%rdi\n\t"
      "call *%[run]\n"
      "1:"
      : "=a"(pid)
      : "0"(SYS_clone3), "D"(&args), "S"(sizeof args), [p] "r"(&p), [run] "r"(&RunProgram)
      : "rcx", "r11", "memory", "cc");
  return pid;
}

// The host allows no user namespaces: the program sees the numbers that the machine has for its user.
void GoWithoutNamespace(Prepared& p) {
  p.new_namespace = false;
  p.uid = p.host_uid;
  p.gid = p.host_gid;
}

// Filters know the program's start by this address (tracing/trace_codes.h). A path too long for it is left to execve.
void PutAtLaunchPath(Prepared& p) {
  const std::size_t size = std::strlen(p.launch->program) + 1;
  p.program = p.launch->program;
  if (size > kLaunchPathRoom) return;
  auto* const place = reinterpret_cast<char*>(kLaunchPath);
  std::memcpy(place, p.launch->program, size);
  p.program = place;
}

pid_t VforkProgram(Prepared& p, pid_t* wanted) {
  PutAtLaunchPath(p);
  clone_args args{};
  args.exit_signal = SIGCHLD;
  args.stack = reinterpret_cast<std::uintptr_t>(program_stack);
  args.stack_size = kProgramStack;
  args.set_tid = reinterpret_cast<std::uintptr_t>(wanted);
  args.set_tid_size = wanted == nullptr ? 0 : 1;
  p.cloned_into_cgroup = p.open.cgroup >= 0 && p.launch->how_into_cgroup == CgroupToJoin::How::kCloned;
  for (;;) {
    args.flags = CLONE_VM | CLONE_VFORK;
    if (p.new_namespace) args.flags |= CLONE_NEWUSER;
    if (p.cloned_into_cgroup) args.flags |= CLONE_INTO_CGROUP;
    args.cgroup = p.cloned_into_cgroup ? static_cast<std::uint64_t>(p.open.cgroup) : 0;
    const long pid = Vfork(p, args);
    if (pid >= 0) return static_cast<pid_t>(pid);
    errno = static_cast<int>(-pid);
    if (p.cloned_into_cgroup) {  // where that is not ours to do, the supervisor does it
      p.cloned_into_cgroup = false;
    } else if (p.new_namespace) {
      GoWithoutNamespace(p);
    } else {
      return -1;
    }
  }
}

// Of what we have, what the next program's start takes: its ids, and its pid. Where we do not have the last (in a container,
// or on a kernel that has no name for it) the pid is not given, and the supervisor makes do without us.
void KeepFewCapabilities(const Prepared& p) {
  const auto bit = [](unsigned capability) { return 1u << (capability % 32); };
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct few[2]{};
  if (::syscall(SYS_capget, &header, few) != 0) Fail(p, Step::kDropCapabilities);
  few[0].permitted &= p.init_stays && p.drop_ids && p.user_namespace < 0 ? bit(CAP_SETUID) | bit(CAP_SETGID) : 0;
  few[1].permitted &= bit(CAP_CHECKPOINT_RESTORE);
  for (__user_cap_data_struct& half : few) {
    half.effective = half.permitted;
    half.inheritable = 0;
  }
  if (::syscall(SYS_capset, &header, few) != 0) Fail(p, Step::kDropCapabilities);
}

[[noreturn]] void ReapUntilKilled(const Prepared& p) {
  // What /proc/1/status says is the same for each program of a batch.
  if (p.shows_proc) {
    KeepFewCapabilities(p);
  } else {
    DropCapabilities(p);
  }
  ::syscall(SYS_close_range, 0u, ~0u, 0u);
  for (;;) {
    if (::wait4(-1, nullptr, __WALL, nullptr) < 0 && errno == ECHILD) ::_exit(0);
  }
}

// Afterwards a program could have no more than its init: one that has dropped its capabilities, or the program is born without them.
void RaiseHardLimits(const Prepared& p) {
  for (const ResourceLimit& limit : p.plan->limits.rlimits) {
    rlimit own{};
    if (::getrlimit(limit.resource, &own) != 0) Fail(p, Step::kResourceLimits, limit.resource);
    if (own.rlim_max >= limit.value) continue;
    own.rlim_max = limit.value;
    if (::setrlimit(limit.resource, &own) != 0) Fail(p, Step::kResourceLimits, limit.resource);
  }
}

// A namespace's own (sandbox_user.h). Root of a container may have no right to more than it has.
void LiftLimitsOfUsers() {
  for (const __rlimit_resource resource : kLimitsOfUsers) {
    rlimit own{};
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    if (::setrlimit(resource, &none) == 0 || ::getrlimit(resource, &own) != 0) continue;
    own.rlim_cur = own.rlim_max;
    ::setrlimit(resource, &own);
  }
}

// --- an init that stays (reused_init.h) ---

// True: we have no children. A process that has lost its parent is ours (pid_namespaces(7)), so that there is no process but us then. Not the
// kernel's to do, as for one who ignores SIGCHLD: it would tell of a parent's end before it lets go of that one's dead children and of their
// numbers (kernel/exit.c, exit_notify).
bool ReapDead() {
  long child;
  do {
    child = ::wait4(-1, nullptr, __WALL | WNOHANG, nullptr);
  } while (child > 0 || (child < 0 && errno == EINTR));
  return child < 0;
}

void TellWhetherAlone(const Prepared& p) {
  const bool alone = ReapDead();
  const StepMessage answer{alone ? StepMessage::kEmpty : StepMessage::kNotEmpty, Step::kReady, 0, 0};
  if (::write(p.channel, &answer, sizeof answer) < 0) ::_exit(0);
}

// Waits for the supervisor to have it start a program, and does what else that orders meanwhile. The order to start comes with the streams.
void AwaitNext(Prepared& p) {
  char order;
  iovec data{&order, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ProgramDescriptors))];
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  for (;;) {
    header.msg_controllen = sizeof control;
    if (::recvmsg(p.channel, &header, MSG_CMSG_CLOEXEC) != 1) ::_exit(0);
    if (order == kStartNext) break;
    if (order == kAreYouAlone) TellWhetherAlone(p);
    if (order == kReap) ReapDead();
  }
  const cmsghdr* const c = CMSG_FIRSTHDR(&header);
  p.open.cgroup = -1;
  const std::size_t most = CMSG_LEN(sizeof p.open);
  if (c == nullptr || c->cmsg_len < CMSG_LEN(sizeof p.open.streams) || c->cmsg_len > most) ::_exit(0);
  std::memcpy(&p.open, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
}

// Negative ones are none.
void CloseAllBut(std::array<int, 3> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned from = 0;
  for (const int fd : kept) {
    if (fd < 0) continue;
    const auto number = static_cast<unsigned>(fd);
    if (number > from) ::syscall(SYS_close_range, from, number - 1, 0u);
    from = number + 1;
  }
  ::syscall(SYS_close_range, from, ~0u, 0u);
}

// Its first child is process 3, as in a new namespace. The number is that of the writer's namespace (kernel/pid_namespace.c,
// pid_ns_ctl_handler), and the program's own is asked for by itself.
void NumberAnew(const Prepared& p) {
  if (p.last_pid >= 0 && ::pwrite(p.last_pid, kProgramPidText, sizeof kProgramPidText, 0) != sizeof kProgramPidText) Fail(p, Step::kNumbers);
}

[[noreturn]] void StartUntilKilled(Prepared& p) {
  CloseAllBut({p.channel, p.user_namespace, p.last_pid});
  for (;;) {
    AwaitNext(p);
    ReapDead();  // the supervisor has seen the last program's end
    // The last program's start left it off (RunProgram); the supervisor is to seize the next one.
    if (::prctl(PR_SET_DUMPABLE, 1) != 0) Fail(p, Step::kHideInit);
    NumberAnew(p);
    pid_t wanted = kProgramPid;
    if (VforkProgram(p, &wanted) < 0) Fail(p, Step::kSpawn);
    for (const int stream : p.open.streams) ::close(stream);
    if (p.open.cgroup >= 0) ::close(p.open.cgroup);
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

// /proc/1/cmdline: what the judge was called with names files and solutions. Init is a copy of the supervisor, so what is overwritten is
// its own: arguments, environment and the executable's path lie behind each other (fs/binfmt_elf.c, create_elf_tables).
void HideArguments() {
  char* const begin = ::program_invocation_name;
  auto* const end = reinterpret_cast<char*>(::getauxval(AT_EXECFN));
  constexpr std::ptrdiff_t kMost = 8 << 20;
  if (begin == nullptr || begin >= end || end - begin > kMost) return;
  std::memset(begin, 0, static_cast<std::size_t>(end - begin));
}

// What is its programs' policy but for what their start needs. From here on every step is to be in that (policy_compiler.cc, NeedsOfInit).
void InstallInitFilter(const Prepared& p) {
  SetNoNewPrivileges(p);
  const std::span<const sock_filter> filter = p.plan->init_filter;
  InstallFilter(p, {static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())});
}

[[noreturn]] void RunInit(Prepared& p) {
  if (p.shows_proc) HideArguments();
  const RootSpec& spec = p.plan->sandbox->spec();
  DieWithSupervisor(p);
  if (::setsid() < 0) Fail(p, Step::kNewSession);
  if (::sethostname(spec.hostname.data(), spec.hostname.size()) != 0) Fail(p, Step::kHostname);
  if (p.plan->network >= 0 && ::setns(p.plan->network, CLONE_NEWNET) != 0) Fail(p, Step::kEnterNetwork);
  EnterRoot(p);
  // No uid, 0 included, means capabilities: for init and for the program, which takes it from init.
  if (::prctl(PR_SET_SECUREBITS, kSecureBits) != 0) Fail(p, Step::kSecureBits);
  if (p.new_namespace || p.init_stays) RaiseHardLimits(p);
  if (p.new_namespace) LiftLimitsOfUsers();
  if (p.init_stays) KeepFewCapabilities(p);
  InstallInitFilter(p);
  if (p.waits) {
    const StepMessage ready{StepMessage::kReady, Step::kReady, 0, 0};
    if (::write(p.channel, &ready, sizeof ready) < 0) Fail(p, Step::kReady);
  } else if (VforkProgram(p, nullptr) < 0) {
    Fail(p, Step::kSpawn);
  }
  if (p.init_stays) StartUntilKilled(p);
  ReapUntilKilled(p);
}

[[noreturn]] void RunWithoutNamespaces(Prepared& p) {
  DieWithSupervisor(p);
  if (::setsid() < 0) Fail(p, Step::kNewSession);
  if (::chdir(p.plan->work_dir.c_str()) != 0) Fail(p, Step::kWorkDirectory);
  PutAtLaunchPath(p);
  RunProgram(p);
}

}  // namespace

const char* StepText(Step step) { return kStepText[static_cast<std::size_t>(step)]; }

void RunChild(Prepared& p) {
  ResetSignals();
  if (p.full) RunInit(p);
  RunWithoutNamespaces(p);
}

}  // namespace tally
