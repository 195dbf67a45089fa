// Tries: to keep the supervisor busy at the end of each thread: lists of locks (get_robust_list(2)) that go round, lead nowhere or are long,
//   in an address space of tens of thousands of mappings, while another waits for a lock.
// Kernel: it walks 2048 entries at the end of each task, in the program's own memory.
// Stopped by: the list is read once, of each entry one word; the mappings are read once, too.
// Build: threads
// Run: processes=8 time=3 -- circle => OK RE TLE
// Run: processes=8 time=3 -- nowhere => OK RE TLE
// Run: processes=8 time=3 -- long => OK RE TLE
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char* how = "circle";
static struct robust_list entries[3000];
static int word;

static void* Waits(void* nothing) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL);
  return nothing;
}

static void* Ends(void* nothing) {
  static __thread struct robust_list_head head;
  for (int i = 0; i < 3000; ++i) entries[i].next = &entries[(i + 1) % (strcmp(how, "circle") == 0 ? 2 : 3000)];
  head.list.next = strcmp(how, "nowhere") == 0 ? (struct robust_list*)0xdeadbeef000 : &entries[0];
  head.list_op_pending = (struct robust_list*)0xffffffff81000000;
  head.futex_offset = 8;
  syscall(SYS_set_robust_list, &head, sizeof head);
  return nothing;
}

int main(int argc, char** argv) {
  if (argc > 1) how = argv[1];
  const size_t pages = 20000;
  char* const area = mmap(NULL, pages * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (size_t i = 0; i < pages; i += 2) mprotect(area + i * 4096, 4096, PROT_READ);
  pthread_t thread;
  pthread_create(&thread, NULL, Waits, NULL);
  usleep(1000);
  for (int i = 0; i < 10; ++i) {
    if (pthread_create(&thread, NULL, Ends, NULL) == 0) pthread_join(thread, NULL);
  }
  return 0;
}
