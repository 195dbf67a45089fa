// Compiles and links as the compiler does, and says what it says, in less time:  quick_link COMPILER ARGUMENT...
//
// What a linker takes for a small library it spends on the names of the C library, which are three thousand and more with their
// versions. So it is given libraries of the same sonames and versions first that have nothing but the names which programs use most
// (short_names.sh): what it makes of them is the same. Where a name is missing there, all is done once more with the libraries themselves,
// and of the first time nothing is seen.
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char short_names[] = "@/prepared/short_names/link.options", math[] = "-lm";

static void fail(const char *what) {
  fprintf(stderr, "quick_link: %s: %s\n", what, strerror(errno));
  exit(1);
}

// Its stderr goes to `err`. The exit status as a shell has it.
static int run(char *const *command, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t pid;
  if ((errno = posix_spawnp(&pid, command[0], &actions, NULL, command, environ)) != 0) fail(command[0]);
  int status;
  if (waitpid(pid, &status, 0) != pid) fail("waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// What was written into the file.
static char *words(int fd, size_t *size) {
  struct stat status;
  if (fstat(fd, &status) != 0) fail("fstat");
  *size = (size_t)status.st_size;
  char *text = malloc(*size + 1);
  if (text == NULL || pread(fd, text, *size, 0) != status.st_size) fail("the compiler's words");
  return text;
}

int main(int argc, char **argv) {
  char path[] = "/tmp/quick_linkXXXXXX";
  const int err = mkstemp(path);
  if (err < 0 || unlink(path) != 0) fail(path);
  char **command = calloc((size_t)argc + 1, sizeof *command);
  if (command == NULL || argc < 2) fail("arguments");
  memcpy(command, argv + 1, (size_t)(argc - 1) * sizeof *command);
  command[argc - 1] = short_names;
  const int status = run(command, err);
  size_t size;
  const char *text = words(err, &size);
  if (status != 0 && memmem(text, size, "undefined reference to ", 23) != NULL) {
    command[argc - 1] = math;
    execvp(command[0], command);
    fail(command[0]);
  }
  return fwrite(text, 1, size, stderr) == size ? status : 1;
}
