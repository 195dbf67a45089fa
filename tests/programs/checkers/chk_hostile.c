// Tries what a checker must not: opens its three files for writing, a host file, a socket; forks; then says
// OK and, as its comment, what was allowed: "allowed: nothing" in a good sandbox. An untrusted checker comes
// from whoever wrote the task; it must not change the hint for the next run.
// Tally: RV of the checker as a clear result (socket is not in the policy), or OK with "allowed: nothing".
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  static const char* const names[] = {"in", "out", "hint"};
  char text[200] = "";
  int length = 0;
  for (int i = 0; i < 3 && i + 1 < argc; ++i) {
    if (open(argv[i + 1], O_WRONLY) >= 0) length += snprintf(text + length, 30, " write-%s", names[i]);
  }
  if (open("/etc/shadow", O_RDONLY) >= 0) length += snprintf(text + length, 30, " shadow");
  if (socket(AF_INET, SOCK_STREAM, 0) >= 0) length += snprintf(text + length, 30, " socket");
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) {
    waitpid(child, NULL, 0);
    length += snprintf(text + length, 30, " fork");
  }
  printf("OK\nallowed:%s\n100\n", length > 0 ? text : " nothing");
  return 0;
}
