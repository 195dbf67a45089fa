// Processes out of threads: fork in one while others run, and an execve by a thread that is not the first, which
// ends all others.
#include "program.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop;

static void* Spin(void* argument) {
  while (!stop) argument = (char*)argument + 1;
  return NULL;
}

static void* Fork(void* argument) {
  long sum = 0;
  for (int i = 0; i < 3; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      int value = 0;
      for (int k = 0; k <= i; ++k) value += k;
      _exit(value);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    sum = sum * 10 + WEXITSTATUS(status);
  }
  *(long*)argument = sum;
  return NULL;
}

static void* Execute(void* argument) {
  char* const arguments[] = {(char*)argument, (char*)"again", NULL};
  char* const environment[] = {NULL};
  execve((char*)argument, arguments, environment);
  exit(3);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    puts(argv[1]);
    End();
    return 0;
  }
  pthread_t spinner;
  pthread_t forker;
  pthread_t executer;
  long sum = 0;
  pthread_create(&spinner, NULL, Spin, NULL);
  pthread_create(&forker, NULL, Fork, &sum);
  pthread_join(forker, NULL);
  printf("%ld\n", sum);
  fflush(stdout);
  pthread_create(&executer, NULL, Execute, argv[0]);
  pthread_join(spinner, NULL);
  return 1;
}
