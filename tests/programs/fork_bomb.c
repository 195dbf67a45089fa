// Forks, and so do its children, without looking back; after argv[1] forks (default 200) in all processes
// together they wait for one another and end (30 s at most). Every process doubles, so the process table or
// the memory is full in moments; a limit must hold at once.
// Tally: RV ("clone") with a process limit of 1. With a larger limit of P: never more than P at a time, RV
// ("process limit exceeded") or printed refusals and OK; nothing is left afterwards.
#include "program.h"

#include <sys/mman.h>
#include <sys/wait.h>

int main(int argc, char** argv) {
  const long long bound = Number(argc, argv, 1, 200);
  volatile long* forks = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int alive[2];
  if (forks == MAP_FAILED || pipe(alive) != 0) return 1;
  const pid_t first = getpid();
  alarm(30);
  while (__sync_add_and_fetch(forks, 1) <= bound) {
    const pid_t child = fork();
    if (child == 0) alarm(30);
    if (child < 0) __sync_add_and_fetch(forks + 1, 1);
  }
  char byte;
  close(alive[1]);  // every process holds one: the pipe ends when all of them are here
  while (read(alive[0], &byte, 1) < 0) {
  }
  if (getpid() != first) _exit(0);
  while (wait(NULL) > 0) {
  }
  printf("%ld forks refused\n", forks[1]);
  End();
  return 0;
}
