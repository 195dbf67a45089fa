// Prints the network interfaces that /proc/net/dev and /sys/class/net show, then asks by a socket. Both list
// the interfaces of the network namespace of the process (/proc) or of the mount (/sys): a shared one tells
// the judge's addresses and traffic.
// Tally: RV ("socket") after the files; with the sockets permission OK, "lo" alone.
#include "program.h"

#include <dirent.h>
#include <net/if.h>
#include <sys/socket.h>

int main(void) {
  char line[512];
  FILE* dev = fopen("/proc/net/dev", "r");
  if (dev == NULL) Report("/proc/net/dev", -1);
  while (dev != NULL && fgets(line, sizeof line, dev) != NULL) {
    if (strchr(line, ':') != NULL) printf("proc %.*s\n", (int)strcspn(line, ":"), line);
  }
  DIR* links = opendir("/sys/class/net");
  if (links == NULL) Report("/sys/class/net", -1);
  for (struct dirent* entry; links != NULL && (entry = readdir(links)) != NULL;)
    printf("sys %s\n", entry->d_name);
  TRY("socket", socket(AF_INET, SOCK_DGRAM, 0));
  struct if_nameindex* names = if_nameindex();
  for (int i = 0; names != NULL && names[i].if_index != 0; ++i) printf("socket %s\n", names[i].if_name);
  End();
  return 0;
}
