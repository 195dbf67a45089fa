// Tries: to have a translator disagree with the processor about what is an instruction: lock in front of what refuses it, bytes
//   that are reserved, gone in 64 bits or too long, the kernel's own instructions, operands that no segment holds.
// Kernel: the processor faults in front of each, and the kernel turns the fault into a signal with the instruction's address.
// Stopped by: what the decoder does not know is executed by nobody and raises the processor's fault (x86/decode.cc).
// Run: same -- => OK
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

struct instruction {
  const char* name;
  uint8_t size;
  uint8_t bytes[18];
};
// rax, rbx, rdi: aligned data; rcx, rdx: 0; rsi: not canonical.
static const struct instruction all[] = {
    {"lock nop", 2, {0xf0, 0x90}},
    {"lock mov", 3, {0xf0, 0x89, 0x0f}},
    {"lock add to a register", 3, {0xf0, 0x01, 0xc9}},
    {"lock add to memory", 3, {0xf0, 0x01, 0x0f}},
    {"lock cmp", 3, {0xf0, 0x39, 0x0f}},
    {"lock xchg", 3, {0xf0, 0x87, 0x0f}},
    {"lock bt", 4, {0xf0, 0x0f, 0xa3, 0x0f}},
    {"lock bts", 4, {0xf0, 0x0f, 0xab, 0x0f}},
    {"lock cpuid", 3, {0xf0, 0x0f, 0xa2}},
    {"lock syscall", 3, {0xf0, 0x0f, 0x05}},
    {"lock jmp", 3, {0xf0, 0xeb, 0x00}},
    {"lock ret", 2, {0xf0, 0xc3}},
    {"lock movsb", 2, {0xf0, 0xa4}},
    {"ud2", 2, {0x0f, 0x0b}},
    {"ud1", 3, {0x0f, 0xb9, 0xc0}},
    {"ud0", 3, {0x0f, 0xff, 0xc0}},
    {"push es", 1, {0x06}},
    {"push cs", 1, {0x0e}},
    {"daa", 1, {0x27}},
    {"aaa", 1, {0x37}},
    {"pusha", 1, {0x60}},
    {"bound", 3, {0x62, 0x00, 0x00}},
    {"group 82", 3, {0x82, 0xc0, 0x01}},
    {"far call", 7, {0x9a, 0, 0, 0, 0, 0x33, 0}},
    {"into", 1, {0xce}},
    {"aam", 2, {0xd4, 0x0a}},
    {"salc", 1, {0xd6}},
    {"far jmp", 7, {0xea, 0, 0, 0, 0, 0x33, 0}},
    {"15 bytes", 15, {0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90}},
    {"16 bytes", 16, {0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90}},
    {"rex in front of a prefix", 3, {0x48, 0x66, 0x90}},
    {"two rex", 3, {0x4f, 0x48, 0x90}},
    {"repne rep nop", 3, {0xf2, 0xf3, 0x90}},
    {"hlt", 1, {0xf4}},
    {"cli", 1, {0xfa}},
    {"sti", 1, {0xfb}},
    {"in", 1, {0xec}},
    {"outs", 1, {0x6e}},
    {"lgdt", 3, {0x0f, 0x01, 0x17}},
    {"lmsw", 3, {0x0f, 0x01, 0xf0}},
    {"invlpg", 3, {0x0f, 0x01, 0x3f}},
    {"swapgs", 3, {0x0f, 0x01, 0xf8}},
    {"monitor", 3, {0x0f, 0x01, 0xc8}},
    {"mwait", 3, {0x0f, 0x01, 0xc9}},
    {"lldt", 3, {0x0f, 0x00, 0xd0}},
    {"ltr", 3, {0x0f, 0x00, 0xd8}},
    {"clts", 2, {0x0f, 0x06}},
    {"sysret", 2, {0x0f, 0x07}},
    {"invd", 2, {0x0f, 0x08}},
    {"wbinvd", 2, {0x0f, 0x09}},
    {"mov from cr0", 3, {0x0f, 0x20, 0xc0}},
    {"mov to dr7", 3, {0x0f, 0x23, 0xf8}},
    {"wrmsr", 2, {0x0f, 0x30}},
    {"rdmsr", 2, {0x0f, 0x32}},
    {"sysexit", 2, {0x0f, 0x35}},
    {"rsm", 2, {0x0f, 0xaa}},
    {"mov to cs", 2, {0x8e, 0xc8}},
    {"mov to segment 6", 2, {0x8e, 0xf0}},
    {"mov from segment 7", 2, {0x8c, 0xf8}},
    {"lea of a register", 2, {0x8d, 0xc0}},
    {"group fe /2", 2, {0xfe, 0xd0}},
    {"group ff /7", 2, {0xff, 0xf8}},
    {"group c6 /1", 3, {0xc6, 0x0f, 0x00}},
    {"0f 04", 2, {0x0f, 0x04}},
    {"0f 0a", 2, {0x0f, 0x0a}},
    {"0f 24", 3, {0x0f, 0x24, 0xc0}},
    {"0f 39", 2, {0x0f, 0x39}},
    {"0f a6", 3, {0x0f, 0xa6, 0xc0}},
    {"0f 38 ff", 4, {0x0f, 0x38, 0xff, 0xc0}},
    {"0f 3a ff", 5, {0x0f, 0x3a, 0xff, 0xc0, 0}},
    {"lock in front of vex", 4, {0xf0, 0xc5, 0xf8, 0x77}},
    {"66 in front of vex", 4, {0x66, 0xc5, 0xf8, 0x77}},
    {"rex in front of vex", 4, {0x48, 0xc5, 0xf8, 0x77}},
    {"read of no address", 3, {0x48, 0x8b, 0x0e}},
    {"read of no address by rsp", 5, {0x36, 0x48, 0x8b, 0x0e, 0x90}},
    {"cmpxchg16b of odd address", 5, {0x48, 0x0f, 0xc7, 0x4f, 0x01}},
    {"movaps of odd address", 4, {0x0f, 0x28, 0x47, 0x01}},
    {"div by 0", 2, {0xf7, 0xf1}},
    {"idiv by 0", 3, {0x48, 0xf7, 0xf9}},
};

static sigjmp_buf back;
static uint8_t* at;
static volatile long where;
static void handler(int number, siginfo_t* info, void* context) {
  (void)info;
  where = (long)(((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP] - (long)(uintptr_t)at);
  siglongjmp(back, number);
}

int main(void) {
  static uint8_t data[64] __attribute__((aligned(64)));
  uint8_t* const code = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const unsigned count = sizeof all / sizeof all[0];
  for (unsigned i = 0; i < count; ++i) {
    memcpy(code + i * 64, all[i].bytes, all[i].size);
    code[i * 64 + all[i].size] = 0xc3;
  }
  mprotect(code, 8192, PROT_READ | PROT_EXEC);
  const int signals[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP};
  for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; ++i) {
    sigaction(signals[i], &(struct sigaction){.sa_sigaction = handler, .sa_flags = SA_SIGINFO}, NULL);
  }
  for (unsigned i = 0; i < count; ++i) {
    at = code + i * 64;
    const int number = sigsetjmp(back, 1);
    if (number == 0) {
      register uint8_t* target __asm__("r8") = at;
      long rax = (long)data, rbx = (long)data, rcx = 0, rdx = 0, rsi = (long)0x8000000000000000, rdi = (long)data;
      __asm__ volatile("call *%%r8" : "+r"(target), "+a"(rax), "+b"(rbx), "+c"(rcx), "+d"(rdx), "+S"(rsi), "+D"(rdi) : : "memory", "cc", "r9", "r10", "r11", "xmm0");
    }
    printf("%s: signal %d at %ld\n", all[i].name, number, number == 0 ? 0 : where);
  }
  return 0;
}
