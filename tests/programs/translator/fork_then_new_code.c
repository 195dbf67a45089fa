// Parent and child execute the same code, until one of them makes new code: first a child, which has a second thread,
// then the parent. Neither may see what the other made at the same address.
#define _GNU_SOURCE
#include "program.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int Make(int value) {
  const unsigned char body[] = {0xb8, (unsigned char)value, 0, 0, 0, 0xc3};  // mov $value, %eax; ret
  unsigned char* code = mmap((void*)0x30000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  memcpy(code, body, sizeof body);
  mprotect(code, 4096, PROT_READ | PROT_EXEC);
  return ((int (*)(void))code)();
}

static volatile int stop;
static void* Count(void* argument) {
  long n = 0;
  while (!stop) ++n;
  *(long*)argument = n;
  return NULL;
}

int main(void) {
  int pipes[2];
  if (pipe(pipes) != 0) return 2;
  const pid_t first = fork();
  if (first == 0) {
    long counted = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, Count, &counted);
    int value = Make(11);
    stop = 1;
    pthread_join(thread, NULL);
    char byte;
    if (read(pipes[0], &byte, 1) != 1) _exit(100);  // the parent made its own meanwhile
    _exit(value + ((int (*)(void))0x30000000)());
  }
  printf("%d\n", Make(5));
  fflush(stdout);
  const pid_t second = fork();
  if (second == 0) _exit(((int (*)(void))0x30000000)());
  int status = 0;
  waitpid(second, &status, 0);
  printf("%d\n", WEXITSTATUS(status));
  if (write(pipes[1], "x", 1) != 1) return 3;
  waitpid(first, &status, 0);
  printf("%d %d\n", WEXITSTATUS(status), Make(6));
  End();
  return 0;
}
