// Tries: to learn of the machine, and to count by it: descriptor tables, task register, machine status, performance counters, processor
//   number, extended control register, random numbers, waits in user mode.
// Kernel: what ring 3 may ask the processor without a call; UMIP, CR4.TSD and CR4.PCE decide about some of it.
// Stopped by: in translation each is answered or refused by rule (docs/virtual-cpu.md); natively nothing secret is in it.
// Run: -- => OK
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static sigjmp_buf back;
static void handler(int number) { siglongjmp(back, number); }

int main(void) {
  static const struct {
    const char* name;
    uint8_t bytes[8];
    int size;
  } all[] = {
      {"sgdt", {0x0f, 0x01, 0x07}, 3},       {"sidt", {0x0f, 0x01, 0x0f}, 3},         {"sldt", {0x0f, 0x00, 0xc0}, 3},
      {"str", {0x0f, 0x00, 0xc8}, 3},        {"smsw", {0x0f, 0x01, 0xe0}, 3},         {"rdpmc", {0x0f, 0x33}, 2},
      {"rdtsc", {0x0f, 0x31}, 2},            {"rdtscp", {0x0f, 0x01, 0xf9}, 3},       {"rdpid", {0xf3, 0x0f, 0xc7, 0xf8}, 4},
      {"xgetbv", {0x0f, 0x01, 0xd0}, 3},     {"rdrand", {0x0f, 0xc7, 0xf0}, 3},       {"rdseed", {0x0f, 0xc7, 0xf8}, 3},
      {"cpuid", {0x0f, 0xa2}, 2},            {"verr", {0x0f, 0x00, 0xe0}, 3},         {"lar", {0x0f, 0x02, 0xc1}, 3},
      {"lsl", {0x0f, 0x03, 0xc1}, 3},        {"rdpkru", {0x0f, 0x01, 0xee}, 3},       {"umonitor", {0xf3, 0x0f, 0xae, 0xf0}, 4},
      {"serialize", {0x0f, 0x01, 0xe8}, 3},  {"enclu", {0x0f, 0x01, 0xd7}, 3},        {"xtest", {0x0f, 0x01, 0xd6}, 3},
      {"clui", {0xf3, 0x0f, 0x01, 0xee}, 4}, {"testui", {0xf3, 0x0f, 0x01, 0xed}, 4}, {"rdsspq", {0xf3, 0x48, 0x0f, 0x1e, 0xc8}, 5},
  };
  static uint8_t data[64];
  uint8_t* const code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const int count = sizeof all / sizeof all[0];
  for (int i = 0; i < count; ++i) memcpy(code + i * 16, all[i].bytes, 8), code[i * 16 + all[i].size] = 0xc3;
  mprotect(code, 4096, PROT_READ | PROT_EXEC);
  signal(SIGILL, handler);
  signal(SIGSEGV, handler);
  for (int i = 0; i < count; ++i) {
    const int number = sigsetjmp(back, 1);
    if (number == 0) {
      long rax = 0, rbx = 0, rcx = 0, rdx = 0;
      uint8_t* rdi = data;
      register uint8_t* target __asm__("r8") = code + i * 16;
      __asm__ volatile("call *%%r8" : "+r"(target), "+a"(rax), "+b"(rbx), "+c"(rcx), "+d"(rdx), "+D"(rdi) : : "memory", "cc");
    }
    printf("%s: %d\n", all[i].name, number);
  }
  return 0;
}
