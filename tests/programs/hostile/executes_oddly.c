// Tries: to make an execve that nobody expects: no arguments at all, arguments at the kernel's addresses, without an end, a folder, a
//   device, a script, a file of its own making, a path too long, a descriptor, in a program that may have one process alone.
// Kernel: most of these fail after the kernel has read part of what it was given; an empty argv gets a first argument.
// Stopped by: a failing execve is answered as the kernel answers it; one that succeeds is a new beginning of the same run.
// Run: processes=2 -- fails => OK
// Run: same processes=2 -- empty => OK
// Run: processes=2 -- descriptor => OK RV
// Run: processes=2 -- made => OK
// Run: -- empty => RV
// Run: -- fails => RV
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }
static long execute(const void* path, const void* arguments, const void* variables) { return syscall(SYS_execve, path, arguments, variables); }

int main(int argc, char** argv, char** variables) {
  if (argc < 2 || argv[0][0] == 0) {
    puts("no arguments");
    return 0;
  }
  const char* const how = argv[1];
  char* const few[] = {argv[0], NULL};
  static char long_path[8192];
  memset(long_path, '/', sizeof long_path - 1);
  if (is(how, "empty")) {
    char* const none[] = {NULL};
    execve(argv[0], none, variables);
    return 1;
  }
  if (is(how, "descriptor")) {
    syscall(SYS_execveat, open(argv[0], O_RDONLY), "", few, variables, AT_EMPTY_PATH);
    return 0;
  }
  if (is(how, "made")) {
    const char* const texts[] = {"#!/tmp/made\n", "#!\n", "#!/nowhere x\n", "\177ELF\2\1\1", "MZ", ""};
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
      const int fd = open("/tmp/made", O_CREAT | O_TRUNC | O_WRONLY, 0755);
      if (fd < 0) return 0;
      (void)!write(fd, texts[i], strlen(texts[i]));
      close(fd);
      if (execute("/tmp/made", few, variables) == 0) return 1;
    }
    return 0;
  }
  const void* const paths[] = {"", "/", "/dev/zero", "/dev/null", "/tmp", "/usr", long_path, NULL, (void*)0xffffffff81000000, (void*)~0UL};
  for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
    if (execute(paths[i], few, variables) == 0) return 1;
  }
  const void* const lists[] = {(void*)8, (void*)0xffffffff81000000, (void*)0x7ffffffffff8};
  for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; ++i) execute(argv[0], lists[i], variables), execute(argv[0], few, lists[i]);
  char* const bad[] = {argv[0], (char*)0xffffffff81000000, NULL};
  execute(argv[0], bad, variables);
  return 0;
}
