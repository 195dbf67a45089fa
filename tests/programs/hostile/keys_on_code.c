// Tries: to lock the judge out by protection keys: a key on its code, its stack and its data, all keys denied by PKRU, and a call, a
//   signal or new code behind that.
// Kernel: pkey_mprotect(2) and wrpkru are a program's own; a signal's frame is written with the initial PKRU since Linux 6.12.
// Stopped by: the fault is the program's; where the processor has no keys the calls fail.
// Run: -- data => OK RE
// Run: -- code => OK RE RV
// Run: -- stack => OK RE RV
// Run: -- all => OK RE RV
// Run: -- free => OK RE
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }
static void handler(int number) { (void)number; }
static void deny(uint32_t pkru) { __asm__ volatile(".byte 0x0f, 0x01, 0xef" : : "a"(pkru), "c"(0), "d"(0) : "memory"); }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "data";
  signal(SIGUSR1, handler);
  signal(SIGALRM, handler);
  const int key = pkey_alloc(0, 0);
  if (key < 0) return 0;
  uint8_t* const p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(p, "\x31\xc0\xc3", 3);
  uint8_t local;
  if (is(how, "data")) pkey_mprotect(p, 4096, PROT_READ | PROT_WRITE, key), deny(3u << (2 * key)), p[0] = 1;
  if (is(how, "code")) pkey_mprotect(p, 4096, PROT_READ | PROT_EXEC, key), deny(3u << (2 * key));
  if (is(how, "stack")) pkey_mprotect((void*)((uintptr_t)&local & ~4095UL), 4096, PROT_READ | PROT_WRITE, key), deny(3u << (2 * key));
  if (is(how, "all")) deny(0xfffffffc), ualarm(1000, 1000), pause();
  if (is(how, "free")) {
    for (int i = 0; i < 20; ++i) pkey_free(i), pkey_alloc(0, i);
  }
  return ((int (*)(void))(uintptr_t)p)();
}
