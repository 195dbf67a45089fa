// Compiles and links as the compiler does, and says what it says, in less time.
//
// What a linker takes for a small library it spends on the names of the C library, which are three thousand and more with their
// versions. So it is given libraries of the same sonames and versions first that have nothing but the names which programs use most
// (short_names.sh): what it makes of them is the same. Where a name is missing there, all is done once more with the libraries themselves,
// and of the first time nothing is seen.
#pragma once
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void cannot(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

// Its stderr goes to `err`. The exit status as a shell has it.
static int run_with_errors(char *const *command, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t pid;
  int status;
  if ((errno = posix_spawnp(&pid, command[0], &actions, NULL, command, environ)) != 0) cannot(command[0]);
  if (waitpid(pid, &status, 0) != pid) cannot("waitpid");
  posix_spawn_file_actions_destroy(&actions);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// What was written into the file; to be freed.
static char *words_in(int fd, size_t *size) {
  struct stat status;
  if (fstat(fd, &status) != 0) cannot("fstat");
  *size = (size_t)status.st_size;
  char *text = malloc(*size + 1);
  if (text == NULL || pread(fd, text, *size, 0) != status.st_size) cannot("the compiler's words");
  return text;
}

// `command`: the compiler and its arguments, `count` in all, and room for two more. Its exit status.
static int quick_link(char **command, size_t count) {
  static char short_names[] = "@/prepared/short_names/link.options", math[] = "-lm", missing[] = "undefined reference to ";
  char path[] = "/tmp/quick_linkXXXXXX";
  const int err = mkstemp(path);
  if (err < 0 || unlink(path) != 0) cannot(path);
  command[count] = short_names;
  command[count + 1] = NULL;
  int status = run_with_errors(command, err);
  size_t size;
  char *text = words_in(err, &size);
  close(err);
  if (status != 0 && memmem(text, size, missing, strlen(missing)) != NULL) {
    command[count] = math;
    status = run_with_errors(command, STDERR_FILENO);
  } else if (fwrite(text, 1, size, stderr) != size) {
    cannot("stderr");
  }
  free(text);
  return status;
}
