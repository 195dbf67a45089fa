// Reads the kernel's log by syslog(2) and opens /dev/kmsg.
// The log names addresses, devices and other people's programs; dmesg_restrict decides whether everybody may
// read it.
// Tally: RV ("syslog").
#include "program.h"

#include <fcntl.h>
#include <sys/klog.h>

int main(void) {
  static char text[4096];
  Report("open /dev/kmsg", open("/dev/kmsg", O_RDONLY));
  TRY("syslog", klogctl(3 /* read all */, text, sizeof text));
  End();
  return 0;
}
