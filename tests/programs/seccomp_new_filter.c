// Installs a seccomp filter of its own that allows everything; with argument "errno" getppid fails with errno
// 0, with "trap" it is SIGSYS. The strictest of all filters' answers wins, so it loosens nothing; but ERRNO
// and TRAP are stricter than TRACE and would hide calls from a supervisor that counts by tracing. Bare it is
// EACCES: it needs no_new_privs, which Tally sets.
// Tally: RV ("seccomp").
#include "program.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "allow";
  unsigned answer = SECCOMP_RET_ALLOW;
  if (strcmp(how, "errno") == 0) answer = SECCOMP_RET_ERRNO;
  if (strcmp(how, "trap") == 0) answer = SECCOMP_RET_TRAP;
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, answer), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const struct sock_fprog program = {sizeof code / sizeof *code, code};
  TRY("seccomp", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
  TRY("getppid", syscall(SYS_getppid));
  End();
  return 0;
}
