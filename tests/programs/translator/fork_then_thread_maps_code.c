// A thread that is not the first of its process maps code and executes it, while a child that has the same code lives.
#define _GNU_SOURCE
#include "program.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void* MapCode(void* argument) {
  (void)argument;
  unsigned char* code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return NULL;
  const unsigned char body[] = {0xb8, 42, 0, 0, 0, 0xc3};  // mov $42, %eax; ret
  memcpy(code, body, sizeof body);
  return (void*)(long)((int (*)(void))code)();
}

int main(void) {
  int ends[2];
  if (pipe(ends) != 0) return 2;
  const pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) {
    char byte = 0;
    close(ends[1]);
    _exit(read(ends[0], &byte, 1) == 1 ? byte : 1);
  }
  pthread_t thread;
  if (pthread_create(&thread, NULL, MapCode, NULL) != 0) return 2;
  void* result = NULL;
  pthread_join(thread, &result);
  int status = 0;
  if (write(ends[1], "\7", 1) != 1 || waitpid(child, &status, 0) != child) return 3;
  printf("the thread's code gives %ld, the child %d\n", (long)result, WEXITSTATUS(status));
  End();
  return 0;
}
