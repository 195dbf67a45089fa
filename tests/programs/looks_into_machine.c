// Looks in /proc for what tells of the machine: each file that is not to be seen is read, network interfaces are counted,
// and its own peak memory is to be forgotten (/proc/self/clear_refs).
// Tally: OK where a sandbox shows /proc; no line says "told", cpuinfo and meminfo are there, nothing can be written.
#include "program.h"

#include <dirent.h>
#include <fcntl.h>

static int HasBytes(const char* path) {
  char byte;
  const int fd = open(path, O_RDONLY);
  const int has = fd >= 0 && read(fd, &byte, 1) == 1;
  if (fd >= 0) close(fd);
  return has;
}

static int Entries(const char* path) {
  DIR* const directory = opendir(path);
  int n = 0;
  if (directory == NULL) return 0;
  for (const struct dirent* entry; (entry = readdir(directory)) != NULL;) n += entry->d_name[0] != '.';
  closedir(directory);
  return n;
}

int main(void) {
  const char* const hidden[] = {"cmdline", "config.gz", "kallsyms", "interrupts", "partitions", "diskstats", "devices", "modules", "swaps", "locks", "key-users"};
  char path[64], line[512];
  for (unsigned i = 0; i < sizeof hidden / sizeof *hidden; ++i) {
    snprintf(path, sizeof path, "/proc/%s", hidden[i]);
    printf("%s: %s\n", hidden[i], HasBytes(path) ? "told" : "nothing");
  }
  const char* const folders[] = {"fs", "irq", "bus", "driver", "tty"};
  for (unsigned i = 0; i < sizeof folders / sizeof *folders; ++i) {
    snprintf(path, sizeof path, "/proc/%s", folders[i]);
    printf("%s: %s\n", folders[i], Entries(path) > 0 ? "told" : "nothing");
  }
  printf("cpuinfo: %s\n", HasBytes("/proc/cpuinfo") ? "there" : "missing");
  printf("meminfo: %s\n", HasBytes("/proc/meminfo") ? "there" : "missing");
  const int clear = open("/proc/self/clear_refs", O_WRONLY);
  printf("clear_refs: %s\n", clear < 0 || write(clear, "5", 1) != 1 ? "refused" : "done");
  FILE* const network = fopen("/proc/net/dev", "r");
  int interfaces = 0;
  while (network != NULL && fgets(line, sizeof line, network) != NULL) interfaces += strchr(line, ':') != NULL;
  printf("interfaces: %d\n", interfaces);
  End();
  return 0;
}
