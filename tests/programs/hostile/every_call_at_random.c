// Tries: every system call from FIRST to LAST, COUNT times each, with arguments drawn from a seed: nothing, small numbers, all
//   bits, its own memory, the kernel's, addresses in between, bits above the lower half.
// Kernel: it has some 350 calls, and the rarest paths of each are the least tried ones.
// Stopped by: what no group names is a rule violation, or ENOSYS where a sandbox says so; the others concern the program's own.
// Build: nolibc
// Run: sandbox=interpreter-sandbox processes=2 time=1 -- 1 0 600 3 => OK RE OLE
// Run: sandbox=interpreter-sandbox processes=2 time=1 -- 2 0 600 3 => OK RE OLE
// Run: sandbox=interpreter-sandbox processes=2 time=1 -- 3 150 600 10 => OK RE OLE
// Run: time=1 -- 4 0 16 20 => OK RE OLE
// Run: time=1 -- 5 17 29 20 => OK RE OLE
// Run: time=1 -- 24 32 41 20 => OK RE OLE
// Run: time=1 -- 23 73 101 20 => OK RE OLE
// Run: -- 6 41 56 1 => RV
// Run: -- 7 134 137 1 => RV
// Run: -- 8 153 157 1 => RV
// Run: -- 9 159 160 1 => RV
// Run: -- 10 161 180 1 => RV
// Run: -- 11 188 190 1 => RV
// Run: -- 12 246 250 1 => RV
// Run: -- 13 272 273 1 => RV
// Run: -- 14 298 299 1 => RV
// Run: -- 15 300 301 1 => RV
// Run: -- 16 303 318 1 => RV
// Run: -- 17 320 324 1 => RV
// Run: -- 18 424 425 1 => RV
// Run: -- 19 425 434 1 => RV
// Run: -- 20 600 601 1 => RV
// Run: -- 21 4294967295 4294967296 1 => RV
// Run: -- 22 2147483647 2147483648 1 => RV
#include <stdint.h>

static uint8_t area[1 << 16] __attribute__((aligned(4096)));
static uint64_t state;

static uint64_t next(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}
static uint64_t argument(void) {
  static const uint64_t some[] = {0, 1, 2, 3, 8, 64, 4096, 65536, 0x7fffffff, 0xffffffff, ~0ull, 0x8000000000000000, 0x100000001};
  switch (next() % 6) {
    case 0: return (uint64_t)(uintptr_t)area + next() % 4096 * 8;
    case 1: return 0xffffffff81000000 + next();
    case 2: return next() << (next() % 33);
    default: return some[next() % (sizeof some / sizeof some[0])];
  }
}
static long call(long number, const uint64_t* a) {
  register uint64_t r10 __asm__("r10") = a[3];
  register uint64_t r8 __asm__("r8") = a[4];
  register uint64_t r9 __asm__("r9") = a[5];
  long result = number;
  __asm__ volatile("syscall" : "+a"(result) : "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory", "cc");
  return result;
}
// Calls that end or leave the caller, only wait, or take its memory (unmaps_everything.c has those).
static int is_left_out(long number) {
  static const short numbers[] = {7,   9,   10,  11,  12,  15,  23,  25,  26,  27,  28,  34,  35,  37,  38,  56,  57,  58,  59,  60,
                                  61,  62,  128, 130, 149, 150, 200, 202, 219, 230, 231, 232, 234, 247, 270, 271, 281, 322, 329, 335,
                                  336, 435, 441};
  for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
    if (numbers[i] == number) return 1;
  }
  return 0;
}
static long number_of(const char* text) {
  long value = 0;
  while (*text != 0) value = value * 10 + (*text++ - '0');
  return value;
}

__attribute__((used)) static void start(long* stack) {
  char** const argv = (char**)(stack + 1);
  if (stack[0] > 4) {
    state = (uint64_t)number_of(argv[1]);
    for (long number = number_of(argv[2]); number < number_of(argv[3]); ++number) {
      for (long i = number_of(argv[4]); i > 0 && !is_left_out(number); --i) {
        uint64_t arguments[6];
        for (int j = 0; j < 6; ++j) arguments[j] = argument();
        call(number, arguments);
      }
    }
  }
  const uint64_t none[6] = {0};
  for (;;) call(231, none);
}
__asm__(".globl _start\n_start: movq %rsp, %rdi; andq $-16, %rsp; call start");
