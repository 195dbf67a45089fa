// Prints its arguments, its environment and its work directory. The environment is a block of the
// supervisor's choice that execve copies; inheriting the judge's own hands over its tokens, proxies and
// LD_PRELOAD.
// Tally: OK; the variables of the sandbox's description and of the request, nothing of the host's.
#include "program.h"

extern char** environ;

int main(int argc, char** argv) {
  char folder[4096];
  for (int i = 0; i < argc; ++i) printf("argv[%d] %s\n", i, argv[i]);
  for (char** variable = environ; *variable != NULL; ++variable) printf("env %s\n", *variable);
  printf("cwd %s\n", getcwd(folder, sizeof folder) != NULL ? folder : strerrorname_np(errno));
  End();
  return 0;
}
