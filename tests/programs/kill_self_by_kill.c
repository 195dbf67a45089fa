// Sends itself signal argv[1] (default 9) by kill(2) with its own pid; with argument 2 "tkill" or "queue" by
// tkill(2) or sigqueue(3) (rt_sigqueueinfo).
// libc's raise uses tgkill; older programs and other languages use these. All mean only the sender.
// Tally: RE ("signal N") for kill and tkill; rt_sigqueueinfo is RV or RE, as the policy has it. Never TLE or
// MLE.
#include "program.h"

#include <signal.h>
#include <sys/syscall.h>

int main(int argc, char** argv) {
  const int sig = (int)Number(argc, argv, 1, SIGKILL);
  const char* how = argc > 2 ? argv[2] : "kill";
  if (strcmp(how, "tkill") == 0) {
    TRY("tkill", syscall(SYS_tkill, getpid(), sig));
  } else if (strcmp(how, "queue") == 0) {
    TRY("rt_sigqueueinfo", sigqueue(getpid(), sig, (union sigval){0}));
  } else {
    TRY("kill", kill(getpid(), sig));
  }
  End();
  return 0;
}
