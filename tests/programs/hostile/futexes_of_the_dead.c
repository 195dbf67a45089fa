// Tries: to have the kernel write for it where it may not write itself, when a thread ends: a robust list and a child's thread id
//   at addresses of code, of the judge's, of the kernel, in a circle.
// Kernel: at a thread's exit it stores 0 at its clear_child_tid and marks each futex of its robust list (kernel/futex).
// Stopped by: both go through the program's own page tables, which hold nothing writable of ours.
// Build: threads
// Run: processes=3 -- code => OK RE
// Run: processes=3 -- kernel => OK RE
// Run: processes=3 -- cache => OK RE RV
// Run: processes=3 -- circle => OK RE
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char* how;
static uint8_t* code;

static void* thread(void* unused) {
  static struct robust_list_head head;
  uintptr_t at = (uintptr_t)code;
  if (strcmp(how, "kernel") == 0) at = 0xffff888000000000;
  if (strcmp(how, "cache") == 0) at = 0x70000000;
  if (strcmp(how, "circle") == 0) at = (uintptr_t)&head;
  head.list.next = (struct robust_list*)at;
  head.futex_offset = 0;
  head.list_op_pending = (struct robust_list*)at;
  syscall(SYS_set_robust_list, &head, sizeof head);
  syscall(SYS_set_tid_address, at);
  syscall(SYS_exit, 0);
  return unused;
}

int main(int argc, char** argv) {
  how = argc > 1 ? argv[1] : "code";
  code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  static const uint8_t returns_7[] = {0xb8, 7, 0, 0, 0, 0xc3};
  memcpy(code, returns_7, sizeof returns_7);
  const int before = ((int (*)(void))code)();
  pthread_t other;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&other, &attributes, thread, 0);
  usleep(50000);
  printf("%d\n", before);
  return 0;
}
