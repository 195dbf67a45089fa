// Prints all that a program can ask about itself and that its start decides: ids, limits, signals, scheduling, masks,
// descriptors, timers; and what can be asked about process 1 and of whether there are others.
// Two runs of the same request must not be told apart, whatever ran between them and whichever process started them.
// Tally: OK; in a batch the same each time.
#include "program.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>

static void Ids(void) {
  unsigned uid[3], gid[3];
  getresuid(&uid[0], &uid[1], &uid[2]);
  getresgid(&gid[0], &gid[1], &gid[2]);
  printf("uid %u %u %u gid %u %u %u groups %d\n", uid[0], uid[1], uid[2], gid[0], gid[1], gid[2], getgroups(0, NULL));
  printf("pid %d tid %d parent %d group %d session %d\n", (int)getpid(), (int)syscall(SYS_gettid), (int)getppid(),
         (int)getpgrp(), (int)getsid(0));
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2] = {{0}};
  syscall(SYS_capget, &header, sets);
  printf("capabilities %x %x %x %x %x %x\n", sets[0].effective, sets[0].permitted, sets[0].inheritable, sets[1].effective,
         sets[1].permitted, sets[1].inheritable);
  for (int capability = 0; capability < 64; ++capability) printf("%d ", prctl(PR_CAPBSET_READ, capability, 0, 0, 0));
  int death_signal = 0;
  prctl(PR_GET_PDEATHSIG, &death_signal, 0, 0, 0);
  printf("\nno new privileges %d securebits %x keep %d dumpable %d seccomp %d death signal %d\n",
         prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), prctl(PR_GET_SECUREBITS, 0, 0, 0, 0), prctl(PR_GET_KEEPCAPS, 0, 0, 0, 0),
         prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), prctl(PR_GET_SECCOMP, 0, 0, 0, 0), death_signal);
}

static void Limits(void) {
  for (int i = 0; i < RLIM_NLIMITS; ++i) {
    struct rlimit limit = {0, 0};
    getrlimit((__rlimit_resource_t)i, &limit);
    printf("limit %d %llx %llx\n", i, (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
  }
  const mode_t mask = umask(0);
  umask(mask);
  printf("umask %o slack %d huge pages off %d\n", mask, prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0),
         prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
}

static void Signals(void) {
  sigset_t mask, pending;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  sigpending(&pending);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action = {0};
    sigaction(number, NULL, &action);
    printf("%d%d%d%x ", sigismember(&mask, number), sigismember(&pending, number), action.sa_handler != SIG_DFL,
           (unsigned)action.sa_flags);
  }
  stack_t stack = {0};
  sigaltstack(NULL, &stack);
  struct itimerval timer;
  for (int which = ITIMER_REAL; which <= ITIMER_PROF; ++which) {
    getitimer((enum __itimer_which)which, &timer);
    printf("timer %ld %ld ", timer.it_value.tv_sec, timer.it_value.tv_usec);
  }
  printf("alternative stack %d\n", stack.ss_flags);
}

// `process`: 0 for itself.
static void Scheduling(pid_t process) {
  cpu_set_t cpus;
  struct sched_param parameter = {0};
  CPU_ZERO(&cpus);
  sched_getaffinity(process, sizeof cpus, &cpus);
  sched_getparam(process, &parameter);
  unsigned attributes[12] = {0};
  syscall(SYS_sched_getattr, process, attributes, sizeof attributes, 0);
  printf("of %d: nice %d policy %d priority %d processors", (int)process, getpriority(PRIO_PROCESS, (id_t)process),
         sched_getscheduler(process), parameter.sched_priority);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &cpus)) printf(" %d", cpu);
  }
  for (int i = 0; i < 12; ++i) printf(" %x", attributes[i]);
  printf(" group %d session %d\n", (int)getpgid(process), (int)getsid(process));
}

static void Surroundings(void) {
  struct utsname names;
  uname(&names);
  char folder[256] = "";
  if (getcwd(folder, sizeof folder) == NULL) folder[0] = '\0';
  printf("host %s domain %s folder %s\n", names.nodename, names.domainname, folder);
  for (int fd = 0; fd < 4096; ++fd) {
    const int flags = fcntl(fd, F_GETFD);
    if (flags >= 0) printf("descriptor %d flags %x %x\n", fd, flags, fcntl(fd, F_GETFL));
  }
  for (pid_t process = 1; process < 300; ++process) {
    if (getpgid(process) >= 0) printf("process %d\n", (int)process);
  }
  struct rusage children;
  struct tms clocks;
  getrusage(RUSAGE_CHILDREN, &children);
  times(&clocks);
  printf("children %ld %ld %ld %ld\n", children.ru_maxrss, children.ru_minflt, (long)clocks.tms_cutime,
         (long)clocks.tms_cstime);
}

int main(int argc, char** argv, char** env) {
  for (int i = 0; i < argc; ++i) puts(argv[i]);
  for (; *env != NULL; ++env) puts(*env);
  Ids();
  Limits();
  Signals();
  Scheduling(0);
  Scheduling(1);
  Surroundings();
  End();
  return 0;
}
