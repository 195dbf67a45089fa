// Calls reboot(2) with the wrong magic numbers, so that nothing can happen. EPERM: no CAP_SYS_BOOT; EINVAL:
// it had the right. In a pid namespace of its own a permitted reboot would kill only the namespace's init.
// Tally: RV ("reboot").
#include "program.h"

#include <sys/syscall.h>

int main(void) {
  TRY("reboot", syscall(SYS_reboot, 0, 0, 0, 0));
  End();
  return 0;
}
