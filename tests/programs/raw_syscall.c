// Makes the system call with number argv[1] (default 39, getpid) and up to six numeric arguments argv[2..7],
// prints the answer and END. For tables over the whole policy: most calls with all arguments 0 do nothing.
// The number's top bit 0x40000000 selects the x32 ABI.
// Tally: RV naming the call when the policy has no rule for it; "refused (EPERM or ENOSYS)" and OK when it
// has one that says no.
#include "program.h"

int main(int argc, char** argv) {
  long argument[6];
  for (int i = 0; i < 6; ++i) argument[i] = (long)Number(argc, argv, i + 2, 0);
  SafetyNet();
  TRY("syscall", syscall((long)Number(argc, argv, 1, 39), argument[0], argument[1], argument[2], argument[3],
                         argument[4], argument[5]));
  End();
  return 0;
}
