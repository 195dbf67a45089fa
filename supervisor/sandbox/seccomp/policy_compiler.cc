// Build-time tool: turns the groups below into BPF, one filter per combination of permissions, and prints
// them as C++ tables (policies.inc). Rule compilation costs milliseconds, a run must not pay for it
// (sio2jail's largest start-up item, see docs/architecture.md), so no executable links libseccomp.
//
// dense_filter.h makes what libseccomp compiles shorter, because every start pays for its length.
//
// Rules are read as: the first group that names a call decides. What no group names is the default action:
// a trace stop (rule violation) or, with any_other_is_enosys, ENOSYS.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "supervisor/resources/large_allocation.h"
#include "supervisor/sandbox/seccomp/dense_filter.h"
#include "supervisor/tracing/trace_codes.h"

namespace {

using Names = std::vector<const char*>;
using tally::Bpf;
using tally::Divide;
using tally::Divided;
using tally::MakeDense;
using tally::Needs;
using tally::TraceCode;

// Keep in step with SyscallPermissions (root_spec.h) and PolicyIndex (policy.h).
struct Permissions {
  bool processes, file_writes, sockets, i386, any_other_is_enosys;
};

const Names kMemory = {"brk",   "mmap2",  "munmap", "mprotect",  "madvise",
                       "msync", "mincore", "mlock",  "munlock",   "membarrier",
                       "pkey_alloc", "pkey_free", "pkey_mprotect", "set_thread_area"};

const Names kInputOutput = {
    "read",      "write",        "readv",      "writev",    "pread64",   "pwrite64",   "preadv",
    "pwritev",   "pwritev2",     "lseek",     "_llseek",   "dup",        "dup2",
    "dup3",      "close",     "close_range",
    "creat",     "stat",         "lstat",      "fstat",     "newfstatat", "stat64",    "lstat64",
    "fstat64",   "fstatat64",    "statx",      "statfs",    "fstatfs",   "statfs64",   "fstatfs64",
    "access",    "faccessat",    "faccessat2", "readlink",  "readlinkat", "getdents",  "getdents64",
    "getcwd",    "chdir",        "fchdir",     "poll",      "ppoll",     "ppoll_time64", "select",
    "_newselect", "pselect6",    "pselect6_time64", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait",
    "epoll_pwait", "epoll_pwait2", "pipe",     "pipe2",     "eventfd",   "eventfd2",   "sendfile",
    "sendfile64", "splice",      "tee",        "copy_file_range", "fsync", "fdatasync", "ftruncate",  "ftruncate64", "truncate", "truncate64",
    "umask",        "mkdir",      "mkdirat",   "rmdir",     "unlink",     "unlinkat",
    "rename",    "renameat",     "renameat2",  "timerfd_create", "timerfd_settime", "timerfd_gettime",
    "signalfd",  "signalfd4"};

const Names kTime = {"clock_gettime",     "clock_gettime64",      "clock_getres",  "clock_getres_time64",
                     "clock_nanosleep",   "clock_nanosleep_time64", "nanosleep",   "gettimeofday",
                     "time",              "times",                "getitimer",     "setitimer",
                     "alarm",             "timer_create",         "timer_settime", "timer_settime64",
                     "timer_gettime",     "timer_gettime64",      "timer_getoverrun", "timer_delete"};

const Names kSignals = {"rt_sigaction", "rt_sigprocmask", "rt_sigreturn",   "rt_sigpending",
                        "rt_sigtimedwait", "rt_sigtimedwait_time64", "rt_sigsuspend",  "sigaltstack",
                        "sigreturn",    "sigaction",      "sigprocmask",    "signal",
                        "pause",        "restart_syscall"};

const Names kSelf = {"getpid",   "getppid",  "gettid",    "getuid",     "geteuid",   "getgid",   "getegid",
                     "getuid32", "geteuid32", "getgid32", "getegid32",  "getgroups", "getgroups32",
                     "getresuid", "getresgid", "getresuid32", "getresgid32", "getpgrp", "getpgid", "getsid",
                     "capget",   "uname",    "sysinfo",   "getrlimit",  "ugetrlimit", "getrusage",
                     "getpriority", "sched_getaffinity", "sched_yield", "sched_getparam",
                     "sched_getscheduler", "sched_getattr", "sched_get_priority_max", "sched_get_priority_min",
                     "sched_rr_get_interval", "get_robust_list", "set_robust_list", "set_tid_address",
                     "arch_prctl", "getcpu", "getrandom", "get_thread_area", "futex", "futex_time64",
                     "exit", "exit_group", "wait4", "waitid", "waitpid"};

// Harmless to refuse: libraries ask, hear no, and go on.
const Names kNoSuchCall = {"rseq", "clone3", "openat2", "futex_waitv", "map_shadow_stack", "mseal",
                           "cachestat", "fchmodat2", "statmount", "listmount", "futex_wake", "futex_wait",
                           "futex_requeue"};
const Names kNotPermitted = {"setpriority", "sched_setaffinity", "sched_setparam", "sched_setattr", "mlockall", "munlockall", "mlock2", "setrlimit", "ioprio_set",
                             "ioprio_get", "mbind", "set_mempolicy", "get_mempolicy"};

const Names kFileWrites = {"link",    "linkat",   "symlink",   "symlinkat", "chmod",     "fchmod",
                           "fchmodat", "utime",   "utimes",    "utimensat", "futimesat", "utimensat_time64",
                           "chown",   "fchown",   "lchown",    "fchownat",  "chown32",   "fchown32",
                           "lchown32"};
const Names kExtendedAttributes = {"getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr"};

const Names kProcesses = {"fork", "vfork", "setpgid", "setsid", "pidfd_open"};

const Names kSockets = {"socket",  "socketpair", "bind",       "listen",      "accept",   "accept4", "connect",
                        "getsockname", "getpeername", "sendto", "recvfrom",  "sendmsg",  "recvmsg", "sendmmsg",
                        "recvmmsg", "shutdown", "setsockopt", "getsockopt"};

[[noreturn]] void Die(const char* what, const char* name, int error) {
  std::fprintf(stderr, "policy_compiler: %s %s: %s\n", what, name, std::strerror(error));
  std::exit(1);
}

class Filter {
 public:
  explicit Filter(const Permissions& allowed) {
    const std::uint32_t default_action =
        allowed.any_other_is_enosys ? SCMP_ACT_ERRNO(ENOSYS) : Trace(TraceCode::kForbidden);
    context_ = seccomp_init(default_action);
    if (context_ == nullptr) Die("seccomp_init", "", ENOMEM);
    seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, Trace(TraceCode::kForeignAbi));
    seccomp_attr_set(context_, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (allowed.i386) seccomp_arch_add(context_, SCMP_ARCH_X86);
  }
  ~Filter() { seccomp_release(context_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  static std::uint32_t Trace(TraceCode code) { return SCMP_ACT_TRACE(static_cast<std::uint16_t>(code)); }

  void Rule(std::uint32_t action, const char* name, std::vector<scmp_arg_cmp> conditions = {}) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) return;  // a call newer than this libseccomp
    const int error = seccomp_rule_add_array(context_, action, number,
                                             static_cast<unsigned>(conditions.size()), conditions.data());
    if (error != 0 && error != -EACCES) Die("rule for", name, -error);  // EACCES: equal to the default
  }
  void Rules(std::uint32_t action, const Names& names) {
    for (const char* name : names) Rule(action, name);
  }

  Bpf Compile() {
    const int fd = memfd_create("bpf", 0);
    if (const int error = seccomp_export_bpf(context_, fd); error != 0) Die("export", "", -error);
    const off_t size = lseek(fd, 0, SEEK_END);
    Bpf out(static_cast<std::size_t>(size) / sizeof(sock_filter));
    if (pread(fd, out.data(), static_cast<std::size_t>(size), 0) != size) Die("read", "", errno);
    close(fd);
    return out;
  }

 private:
  scmp_filter_ctx context_;
};

// An argument that the kernel takes as int or unsigned: what stands in the upper half of its register says nothing.
scmp_arg_cmp Int32Is(unsigned argument, std::uint64_t value) {
  return SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, 0xffffffff, value & 0xffffffff);
}

void AddLargeAllocations(Filter* filter, const char* name, unsigned size_argument) {
  filter->Rule(Filter::Trace(TraceCode::kAllocation), name,
               {SCMP_CMP(size_argument, SCMP_CMP_GE, tally::kLargeAllocation)});
  filter->Rule(SCMP_ACT_ALLOW, name, {SCMP_CMP(size_argument, SCMP_CMP_LT, tally::kLargeAllocation)});
}

void AddProcessRules(Filter* filter, const Permissions& allowed) {
  if (!allowed.processes) {
    filter->Rules(Filter::Trace(TraceCode::kForbidden), {"fork", "vfork", "clone"});
    filter->Rules(Filter::Trace(TraceCode::kSignal), {"kill", "tkill", "tgkill"});
    return;
  }
  filter->Rules(SCMP_ACT_ALLOW, kProcesses);
  filter->Rules(SCMP_ACT_ALLOW, {"kill", "tkill", "tgkill"});
}

void AddCloneRule(Filter* filter) {
  constexpr std::uint64_t kNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                        CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_PTRACE |
                                        CLONE_UNTRACED;
  filter->Rule(SCMP_ACT_ALLOW, "clone", {SCMP_CMP(0, SCMP_CMP_MASKED_EQ, kNamespaces, 0)});
}

// The start of the program itself needs no stop: it is told by where its path lies (trace_codes.h). Whoever copies
// that address is seen at the exec stop.
void AddExecRules(Filter* filter) {
  filter->Rule(SCMP_ACT_ALLOW, "execve", {SCMP_CMP(0, SCMP_CMP_EQ, tally::kLaunchPath)});
  filter->Rule(Filter::Trace(TraceCode::kExec), "execve", {SCMP_CMP(0, SCMP_CMP_NE, tally::kLaunchPath)});
}

void AddPrctlRules(Filter* filter) {
  for (const int option : {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP,
                           PR_CAPBSET_READ, PR_GET_TIMERSLACK, PR_SET_TIMERSLACK, PR_GET_KEEPCAPS,
                           PR_GET_SECUREBITS, PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, 0x53564d41 /* PR_SET_VMA */,
                           PR_GET_THP_DISABLE, PR_SET_THP_DISABLE}) {
    filter->Rule(SCMP_ACT_ALLOW, "prctl", {Int32Is(0, static_cast<std::uint64_t>(option))});
  }
  filter->Rule(SCMP_ACT_ERRNO(EPERM), "prctl",
               {Int32Is(0, static_cast<std::uint64_t>(PR_CAP_AMBIENT))});
}

// Run times ask for the policy that every task has anyway (Free Pascal and Mono for each thread, and the former gives up otherwise): that
// is answered as done, without the kernel, which would do it to any process of the same user. Others are not to be had.
void AddSchedulerRules(Filter* filter) {
  constexpr std::uint64_t kDeadline = 6, kExtensible = 7, kResetOnFork = 0x40000000;  // sched(7), include/uapi/linux/sched.h
  for (const std::uint64_t flag : {std::uint64_t{0}, kResetOnFork}) {
    filter->Rule(SCMP_ACT_ERRNO(0), "sched_setscheduler", {Int32Is(1, SCHED_OTHER | flag)});
    for (const std::uint64_t policy : {std::uint64_t{SCHED_FIFO}, std::uint64_t{SCHED_RR}, std::uint64_t{SCHED_BATCH}, std::uint64_t{SCHED_IDLE}, kDeadline, kExtensible}) {
      filter->Rule(SCMP_ACT_ERRNO(EPERM), "sched_setscheduler", {Int32Is(1, policy | flag)});
    }
  }
}

// What fcntl may do to a descriptor of the program's own. Not F_SETOWN (8), F_SETSIG (10) and F_SETOWN_EX (15): together they
// send any signal to any process of the same user (fcntl(2), "Managing signals"). Locks are kernel memory that no limit counts,
// and with leases and F_NOTIFY they reach other runs by the files that those share; who may write files may lock them.
void AddFcntlRules(Filter* filter, const Permissions& allowed) {
  constexpr std::uint64_t kGetOwnEx = 16, kGetOwnerUids = 17;
  constexpr std::uint64_t kLocks[] = {5, 6, 7, 12, 13, 14, 36, 37, 38};  // i386's 64-bit ones and open file descriptions' too
  for (const char* name : {"fcntl", "fcntl64"}) {
    for (const std::uint64_t command : {std::uint64_t{F_DUPFD}, std::uint64_t{F_GETFD}, std::uint64_t{F_SETFD}, std::uint64_t{F_GETFL},
                                        std::uint64_t{F_SETFL}, std::uint64_t{9} /* F_GETOWN */, std::uint64_t{11} /* F_GETSIG */,
                                        kGetOwnEx, kGetOwnerUids, std::uint64_t{1025} /* F_GETLEASE */,
                                        std::uint64_t{1027} /* F_DUPFD_QUERY */, std::uint64_t{1028} /* F_CREATED_QUERY */,
                                        std::uint64_t{1030} /* F_DUPFD_CLOEXEC */, std::uint64_t{1031} /* F_SETPIPE_SZ */,
                                        std::uint64_t{1032} /* F_GETPIPE_SZ */, std::uint64_t{1033} /* F_ADD_SEALS */,
                                        std::uint64_t{1034} /* F_GET_SEALS */}) {
      filter->Rule(SCMP_ACT_ALLOW, name, {Int32Is(1, command)});
    }
    for (const std::uint64_t command : kLocks) {
      filter->Rule(allowed.file_writes ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(ENOLCK), name, {Int32Is(1, command)});
    }
    for (const std::uint64_t command : {1024 /* F_SETLEASE */, 1026 /* F_NOTIFY */}) {
      filter->Rule(SCMP_ACT_ERRNO(EPERM), name, {Int32Is(1, command)});
    }
  }
  filter->Rule(allowed.file_writes ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(ENOLCK), "flock");
  // Blocks beyond a file's end are no bytes of it, so no limit on its size is one on them (FALLOC_FL_KEEP_SIZE).
  filter->Rule(allowed.file_writes ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EOPNOTSUPP), "fallocate");
}

void AddIoctlRules(Filter* filter) {
  // Terminal ioctls could type into the judge's terminal (TIOCSTI): no program gets any but these.
  for (const std::uint64_t request : {0x5421ULL /* FIONBIO */, 0x5450ULL /* FIONCLEX */, 0x5451ULL /* FIOCLEX */,
                                      0x541BULL /* FIONREAD */}) {
    filter->Rule(SCMP_ACT_ALLOW, "ioctl", {Int32Is(1, request)});
  }
  for (const std::uint64_t request : {0x5401ULL /* TCGETS */, 0x5413ULL /* TIOCGWINSZ */,
                                      0x540FULL /* TIOCGPGRP */, 0x5429ULL /* TIOCGSID */,
                                      0x40049409ULL /* FICLONE */}) {
    filter->Rule(SCMP_ACT_ERRNO(ENOTTY), "ioctl", {Int32Is(1, request)});
  }
}

// True of exactly one of the two, whatever else is in the argument.
scmp_arg_cmp HasBit(unsigned argument, std::uint64_t bit) { return SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, bit, bit); }
scmp_arg_cmp HasNot(unsigned argument, std::uint64_t bit) { return SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, bit, 0); }

void AddSocketRules(Filter* filter, const Permissions& allowed) {
  if (allowed.sockets) {
    filter->Rules(SCMP_ACT_ALLOW, kSockets);
  } else if (allowed.any_other_is_enosys) {
    // A pair is connected to itself alone; runtimes use one as a pipe (the JDK does, and Python's asyncio, by send(2) and recv(2)): without
    // an address, and without the one byte out of band, which has been a way into the kernel (CVE-2025-38236).
    filter->Rule(SCMP_ACT_ALLOW, "socketpair");
    for (const char* name : {"sendto", "recvfrom"}) filter->Rule(SCMP_ACT_ALLOW, name, {HasNot(3, MSG_OOB), SCMP_CMP(4, SCMP_CMP_EQ, 0)});
    filter->Rule(SCMP_ACT_ERRNO(EACCES), "socket");
  }
}

void AddJobRules(Filter* filter) {
  // Which pages of a file that all are shown the machine has in memory: one program could say something by it to the next one, exactly
  // (preadv2(2), RWF_NOWAIT). What chooses those pages is a hint, and answered as taken.
  constexpr std::uint64_t kNoWait = 8;
  filter->Rule(SCMP_ACT_ALLOW, "preadv2", {HasNot(5, kNoWait)});
  filter->Rule(SCMP_ACT_ERRNO(EOPNOTSUPP), "preadv2", {HasBit(5, kNoWait)});
  filter->Rules(SCMP_ACT_ERRNO(0), {"fadvise64", "fadvise64_64", "readahead"});
  // A file without a name leaves nothing in its folder but a count of files, which the next one has as its number (reused_mounts.h).
  constexpr std::uint64_t kNameless = O_TMPFILE & ~O_DIRECTORY;
  const std::pair<const char*, unsigned> opens[] = {{"open", 1}, {"openat", 2}};
  for (const auto& [name, flags] : opens) {
    filter->Rule(SCMP_ACT_ALLOW, name, {HasNot(flags, kNameless)});
    filter->Rule(SCMP_ACT_ERRNO(EOPNOTSUPP), name, {HasBit(flags, kNameless)});
  }
}

// The calls whose arguments decide.
void AddConditionalRules(Filter* filter, const Permissions& allowed) {
  AddLargeAllocations(filter, "mmap", 1);
  AddLargeAllocations(filter, "mremap", 2);
  filter->Rule(SCMP_ACT_ALLOW, "prlimit64", {SCMP_CMP(2, SCMP_CMP_EQ, 0)});  // reading only
  filter->Rule(SCMP_ACT_ERRNO(EPERM), "prlimit64", {SCMP_CMP(2, SCMP_CMP_NE, 0)});
  AddExecRules(filter);
  if (allowed.processes) AddCloneRule(filter);
  AddPrctlRules(filter);
  AddSchedulerRules(filter);
  AddFcntlRules(filter, allowed);
  AddJobRules(filter);
  AddIoctlRules(filter);
  // i386 has them behind socketcall(2), whose first argument says which.
  if (allowed.i386) AddSocketRules(filter, allowed);
}

std::vector<std::uint32_t> ArchesOf(const Permissions& allowed) {
  std::vector<std::uint32_t> arches{AUDIT_ARCH_X86_64};
  if (allowed.i386) arches.push_back(AUDIT_ARCH_I386);
  return arches;
}

Bpf CompileRules(const Permissions& allowed) {
  Filter filter(allowed);
  AddConditionalRules(&filter, allowed);
  for (const Names* group : {&kMemory, &kInputOutput, &kTime, &kSignals, &kSelf}) {
    filter.Rules(SCMP_ACT_ALLOW, *group);
  }
  filter.Rules(Filter::Trace(TraceCode::kExec), {"execveat"});
  AddProcessRules(&filter, allowed);
  filter.Rules(SCMP_ACT_ERRNO(ENOSYS), kNoSuchCall);
  if (allowed.any_other_is_enosys) filter.Rule(Filter::Trace(TraceCode::kNoSuchCall), "memfd_create");
  filter.Rules(SCMP_ACT_ERRNO(EPERM), kNotPermitted);
  filter.Rules(SCMP_ACT_ERRNO(EOPNOTSUPP), kExtendedAttributes);
  filter.Rules(allowed.file_writes ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM), kFileWrites);
  AddSocketRules(&filter, allowed);
  return filter.Compile();
}

// What init and the start of its programs do that programs may not (sandbox/child_steps.cc, from InstallInitFilter on).
Needs NeedsOfInit() {
  Needs needs;
  for (const char* name : {"clone3", "recvmsg", "setrlimit", "setns", "unshare", "setgroups", "setresgid", "setresuid", "capset", "personality", "seccomp"}) {
    needs.numbers.insert(static_cast<std::uint32_t>(seccomp_syscall_resolve_name(name)));
  }
  needs.options[static_cast<std::uint32_t>(seccomp_syscall_resolve_name("prctl"))] = {PR_SET_DUMPABLE, PR_SET_SECUREBITS, PR_SET_NO_NEW_PRIVS, PR_SET_TSC};
  return needs;
}

void PrintFilter(const char* name, unsigned index, const Bpf& filter) {
  std::printf("constexpr sock_filter %s%u[] = {", name, index);
  for (const sock_filter& f : filter) {
    std::printf("{%u,%u,%u,%uu},", unsigned{f.code}, unsigned{f.jt}, unsigned{f.jf}, unsigned{f.k});
  }
  std::printf("};\n");
}

void PrintTable(const char* table, const char* name, unsigned size) {
  std::printf("constexpr std::span<const sock_filter> %s[] = {", table);
  for (unsigned index = 0; index < size; ++index) std::printf("%s%u,", name, index);
  std::printf("};\n");
}

// Twice two of each kind: whether a program may have processes is its run's to say, and the rest its sandbox's.
void PrintPolicies() {
  std::printf("// Made by policy_compiler from supervisor/sandbox/seccomp/policy_compiler.cc. Do not edit.\n");
  for (unsigned index = 0; index < 32; index += 2) {
    const Permissions alone{false, (index & 2) != 0, (index & 4) != 0, (index & 8) != 0, (index & 16) != 0};
    Permissions with_processes = alone;
    with_processes.processes = true;
    const std::vector<Bpf> complete{CompileRules(alone), CompileRules(with_processes)};
    const std::vector<std::uint32_t> arches = ArchesOf(alone);
    const Divided divided = Divide(complete, arches, NeedsOfInit());
    for (unsigned processes = 0; processes < 2; ++processes) {
      PrintFilter("kPolicy", index + processes, MakeDense(complete[processes], arches));
      PrintFilter("kProgramPolicy", index + processes, divided.own[processes]);
    }
    PrintFilter("kInitPolicy", index / 2, divided.common);
  }
  PrintTable("kPolicies", "kPolicy", 32);
  PrintTable("kProgramPolicies", "kProgramPolicy", 32);
  PrintTable("kInitPolicies", "kInitPolicy", 16);
}

void PrintNames(std::uint32_t arch, const char* table) {
  std::printf("constexpr const char* %s[] = {", table);
  for (int number = 0; number < 480; ++number) {
    char* name = seccomp_syscall_resolve_num_arch(arch, number);
    if (name != nullptr) {
      std::printf("\"%s\",", name);
    } else {
      std::printf("nullptr,");
    }
    std::free(name);
  }
  std::printf("};\n");
}

}  // namespace

int main() {
  PrintPolicies();
  PrintNames(SCMP_ARCH_X86_64, "kNamesX86_64");
  PrintNames(SCMP_ARCH_X86, "kNamesI386");
  return 0;
}
