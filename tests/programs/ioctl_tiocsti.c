// Types a newline into the terminal behind stdin, and stderr, with ioctl(TIOCSTI). The bytes appear as typed
// by the judge's user: a command for the shell that runs when the judge is done. New kernels can switch it
// off (dev.tty.legacy_tiocsti); TIOCLINUX does the same on consoles.
// Tally: RV ("ioctl"), whether or not stdin is a terminal.
#include "program.h"

#include <sys/ioctl.h>

int main(void) {
  char newline = '\n';
  TRY("ioctl TIOCSTI", ioctl(0, TIOCSTI, &newline));
  TRY("ioctl TIOCSTI", ioctl(2, TIOCSTI, &newline));
  End();
  return 0;
}
