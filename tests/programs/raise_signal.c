// Raises signal argv[1] (default 6) at itself; what it survives it reports, then END. Default actions: most
// end the process, 17 (CHLD) 18 (CONT) 23 (URG) 28 (WINCH) do nothing, 19 to 22 stop it; 20 to 22 (TSTP TTIN
// TTOU) only where the session has a shell to continue it. A process that is pid 1 of its namespace survives
// all of them, SIGKILL included, if they come from inside.
// Tally: RE ("signal N"), the cause being the program itself: 9 is not a limit's kill, 24 (XCPU) not TLE, 25
// (XFSZ) not OLE, 31 (SYS) not RV. 19: TLE (idle), as stop_self. 20 to 22 and the harmless four: OK.
#include "program.h"

#include <signal.h>
#include <sys/syscall.h>

int main(int argc, char** argv) {
  const int sig = (int)Number(argc, argv, 1, SIGABRT);
  SafetyNet();
  TRY("raise", syscall(SYS_tgkill, getpid(), getpid(), sig));
  End();
  return 0;
}
