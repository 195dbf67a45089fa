// Tries: to be over and go on: the first thread ends by exit(2) alone, with a good code, and others burn, sleep, write, fail, execute
//   another program or do nothing any more.
// Kernel: a process lives as long as one of its threads; its leader is a zombie that nobody can wait for until then.
// Stopped by: a process is over with its last thread; its code is that of the last end, and its clocks are all threads'.
// Build: threads
// Run: processes=4 time=0.2 -- burn => TLE
// Run: processes=4 time=0.2 -- sleep => TLE
// Run: same processes=4 -- write => OK
// Run: processes=4 output=1M -- flood => OLE
// Run: processes=4 -- code => RE
// Run: processes=4 -- signal => RE
// Run: processes=4 -- exec => OK
// Run: processes=4 -- nothing => OK
// Run: processes=4 memory=32M -- memory => MLE
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char* how;
static char** args;
static int is(const char* name) { return strcmp(how, name) == 0; }

static void* other(void* unused) {
  usleep(10000);  // the leader is gone
  for (volatile unsigned i = 0; is("burn");) ++i;
  while (is("sleep")) pause();
  if (is("write")) (void)!write(1, "after the end\n", 14);
  static char text[1 << 16];
  for (int i = 0; is("flood") && i < 64; ++i) (void)!write(1, text, sizeof text);
  if (is("code")) syscall(SYS_exit_group, 3);
  if (is("signal")) abort();
  if (is("exec")) execv(args[0], (char* const[]){args[0], "done", NULL});
  if (is("memory")) {
    char* const p = mmap(NULL, 48 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) syscall(SYS_exit_group, 1);
    memset(p, 1, 48 << 20);
  }
  syscall(SYS_exit, 0);
  return unused;
}

int main(int argc, char** argv) {
  how = argc > 1 ? argv[1] : "nothing";
  args = argv;
  if (is("done")) return 0;
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  syscall(SYS_exit, 0);
}
