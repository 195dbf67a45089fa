// Instructions by which processors differ: each is executed behind a handler for SIGILL, and what came of it is printed. On
// the virtual CPU it is the same everywhere, for what it has not is an invalid opcode (docs/virtual-cpu.md); natively it is
// what this machine has.
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define CODE(name, ...) {name, sizeof((uint8_t[]){__VA_ARGS__}), {__VA_ARGS__}}
static const struct {
  const char* name;
  uint8_t size;
  uint8_t bytes[12];
} kInstructions[] = {
    CODE("vaddpd ymm", 0xc5, 0xf5, 0x58, 0xc2),
    CODE("vfmadd231pd", 0xc4, 0xe2, 0xf5, 0xb8, 0xc2),
    CODE("pext", 0xc4, 0xe2, 0xfa, 0xf5, 0xc2),
    CODE("movbe", 0x0f, 0x38, 0xf0, 0x07),
    CODE("aesenc", 0x66, 0x0f, 0x38, 0xdc, 0xc1),
    CODE("lzcnt", 0xf3, 0x0f, 0xbd, 0xc1),
    CODE("rdsspq", 0xf3, 0x48, 0x0f, 0x1e, 0xc8),
    CODE("vaddpd zmm", 0x62, 0xf1, 0xf5, 0x48, 0x58, 0xc2),
    CODE("vpaddd ymm in EVEX", 0x62, 0xf1, 0x75, 0x28, 0xfe, 0xc2),
    CODE("kmovw", 0xc5, 0xf8, 0x92, 0xc8),
    CODE("vpdpbusd", 0xc4, 0xe2, 0x75, 0x50, 0xc2),
    CODE("vpdpbssd", 0xc4, 0xe2, 0x77, 0x50, 0xc2),
    CODE("vsha512rnds2", 0xc4, 0xe2, 0x77, 0xcb, 0xc2),
    CODE("vaesenc ymm", 0xc4, 0xe2, 0x75, 0xdc, 0xc2),
    CODE("sha1nexte", 0x0f, 0x38, 0xc8, 0xc1),
    CODE("adcx", 0x66, 0x0f, 0x38, 0xf6, 0xc1),
    CODE("gf2p8mulb", 0x66, 0x0f, 0x38, 0xcf, 0xc1),
    CODE("clflushopt", 0x66, 0x0f, 0xae, 0x3f),
    CODE("clwb", 0x66, 0x0f, 0xae, 0x37),
    CODE("xsavec", 0x0f, 0xc7, 0x27),
    CODE("sgdt", 0x0f, 0x01, 0x07),
    CODE("smsw", 0x0f, 0x01, 0xe0),
    CODE("lsl", 0x0f, 0x03, 0xc1),
    CODE("vmcall", 0x0f, 0x01, 0xc1),
    CODE("serialize", 0x0f, 0x01, 0xe8),
    CODE("rdpkru", 0x0f, 0x01, 0xee),
    CODE("rdpru", 0x0f, 0x01, 0xfd),
    CODE("rdfsbase", 0xf3, 0x48, 0x0f, 0xae, 0xc0),
    CODE("rdgsbase", 0xf3, 0x48, 0x0f, 0xae, 0xc8),
    CODE("xtest", 0x0f, 0x01, 0xd6),
    CODE("VEX behind a prefix", 0x66, 0xc5, 0xf5, 0x58, 0xc2),
    CODE("VEX in no map", 0xc4, 0xe0, 0x75, 0x58, 0xc2),
    CODE("3DNow", 0x0f, 0x0f, 0xc1, 0x9e),
    CODE("XOP", 0x8f, 0xe8, 0x78, 0xc0, 0xc1, 0x00),
    CODE("REX2", 0xd5, 0x00, 0x01, 0xc1),
};

static sigjmp_buf back;
static const uint8_t* at;
static void illegal(int number, siginfo_t* info, void* context) {
  (void)context;
  siglongjmp(back, number == SIGILL && info->si_addr == at ? 1 : 2);
}

int main(void) {
  static uint8_t room[4096] __attribute__((aligned(64)));
  uint8_t* const code = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction action = {.sa_sigaction = illegal, .sa_flags = SA_SIGINFO};
  sigaction(SIGILL, &action, 0);
  sigaction(SIGSEGV, &action, 0);
  uint8_t* place = code;
  const uint8_t* begins[sizeof kInstructions / sizeof *kInstructions];
  for (unsigned i = 0; i < sizeof kInstructions / sizeof *kInstructions; ++i) {
    begins[i] = place;
    memcpy(place, kInstructions[i].bytes, kInstructions[i].size);
    place += kInstructions[i].size;
    *place++ = 0xc3;  // ret
  }
  mprotect(code, 4096, PROT_READ | PROT_EXEC);
  for (unsigned i = 0; i < sizeof kInstructions / sizeof *kInstructions; ++i) {
    at = begins[i];
    const char* what = "done";
    const int jumped = sigsetjmp(back, 1);
    if (jumped != 0) {
      what = jumped == 1 ? "invalid" : "another fault";
    } else {
      __asm__ volatile("xorl %%eax, %%eax; xorl %%edx, %%edx; xorl %%ecx, %%ecx; call *%0" : : "r"(at), "D"(room)
                       : "rax", "rcx", "rdx", "rbx", "cc", "memory", "xmm0");
    }
    printf("%s: %s\n", kInstructions[i].name, what);
  }
  puts("END");
  return 0;
}
