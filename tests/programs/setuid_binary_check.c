// Prints its ids, executes a setuid program (argv[1], default /usr/bin/su --version; "none": only looks) that
// would run as root, and shows the setuid files it can see. no_new_privs and nosuid mounts make execve ignore
// the setuid bit: the program runs, as the same user. Without them a bug in any setuid program of the
// sandbox's /usr is the way to root.
// Tally: RV ("execve") without the processes permission; with it the program runs unprivileged.
#include "program.h"

#include <sys/stat.h>

int main(int argc, char** argv) {
  static const char* const files[] = {"/usr/bin/su", "/usr/bin/passwd", "/usr/bin/sudo", "/usr/bin/mount"};
  const char* program = argc > 1 ? argv[1] : "/usr/bin/su";
  struct stat info;
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    if (stat(files[i], &info) == 0 && (info.st_mode & S_ISUID) != 0) printf("setuid file %s\n", files[i]);
  }
  printf("uid %d euid %d\n", (int)getuid(), (int)geteuid());
  if (strcmp(program, "none") != 0) {
    char* arguments[] = {(char*)program, (char*)"--version", NULL};
    char* environment[] = {NULL};
    TRY("execve", execve(program, arguments, environment));
  }
  End();
  return 0;
}
