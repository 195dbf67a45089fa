// Tries: to have the kernel itself change code behind the translator's back: a dying thread's id is cleared, and a new one's
//   is written, in the middle of an instruction (CLONE_CHILD_CLEARTID, CLONE_PARENT_SETTID, set_tid_address).
// Kernel: those addresses are written as the program's own memory, by the thread that starts or ends (kernel/fork.c, mm_release).
// Stopped by: code that has been translated is not writable; the kernel's write fails as one to a read-only page.
// Build: threads
// Run: processes=3 -- => OK RE RV
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static char stack[65536] __attribute__((aligned(16)));

static int thread(void* unused) {
  (void)unused;
  usleep(1000);
  syscall(SYS_exit, 0);
  return 0;
}

int main(void) {
  unsigned char* const code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(code, "\xb8\x01\x01\x01\x01\xc3", 6);  // mov eax, 0x01010101; ret
  int (*const call)(void) = (int (*)(void))code;
  if (call() != 0x01010101) return 1;
  int* const constant = (int*)(code + 1);
  const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  const int id = clone(thread, stack + sizeof stack, flags, NULL, constant, NULL, constant);
  if (id < 0) return 2;
  const int first = call();
  if (first != id && first != 0x01010101 && first != 0) return 3;
  usleep(20000);
  const int second = call();
  if (second != 0 && second != id && second != 0x01010101) return 4;
  syscall(SYS_set_tid_address, constant);
  syscall(SYS_set_robust_list, code, 24);
  return 0;
}
