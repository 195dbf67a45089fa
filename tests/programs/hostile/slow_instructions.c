// Tries: much time in few instructions: denormal numbers, divisions, long copies, transcendental functions, locked accesses across
//   cache lines, flushed lines, fences, serializing and answered instructions, page faults.
// Kernel: an instruction count says little of time; each of these takes a hundred times as long as an addition, or more.
// Stopped by: limits are on CPU time by the kernel's clocks, whatever was executed.
// Run: time=0.15 -- denormals => TLE
// Run: time=0.15 -- divisions => TLE
// Run: time=0.15 -- copies => TLE
// Run: time=0.15 -- sines => TLE
// Run: time=0.15 -- split => TLE
// Run: time=0.15 -- flushes => TLE
// Run: time=0.15 -- fences => TLE
// Run: time=0.15 -- cpuid => TLE
// Run: time=0.15 -- clock => TLE
// Run: time=0.15 -- saves => TLE
// Run: time=0.15 -- pauses => TLE
// Run: time=0.15 -- scans => TLE
#include <stdint.h>
#include <string.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "denormals";
  static uint8_t area[8 << 20] __attribute__((aligned(64)));
  for (;;) {
    if (is(how, "copies") || is(how, "scans")) {
      uint8_t *from = area, *to = area + (4 << 20);
      uint64_t count = 4 << 20;
      if (is(how, "copies")) __asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
      else __asm__ volatile("repe cmpsb" : "+S"(from), "+D"(to), "+c"(count) : : "memory", "cc");
      continue;
    }
    for (int i = 0; i < 1000; ++i) {
      if (is(how, "denormals")) {
        volatile double x = 1e-310;
        x = x * 0.5 + 3e-320;
      }
      if (is(how, "divisions")) {
        uint64_t high = 12345, low = ~0ull;
        __asm__ volatile("divq %2" : "+a"(low), "+d"(high) : "r"(0xfffffffffffffff1) : "cc");
      }
      if (is(how, "sines")) __asm__ volatile("fldpi; fsin; fptan; fpatan; fstp %%st(0)" : : : "st");
      if (is(how, "split")) __asm__ volatile("lock; incq 61(%0)" : : "r"(area) : "memory", "cc");
      if (is(how, "flushes")) __asm__ volatile("clflush (%0); movb (%0), %%al" : : "r"(area + i * 64) : "rax", "memory");
      if (is(how, "fences")) __asm__ volatile("mfence; lfence; sfence" : : : "memory");
      if (is(how, "cpuid")) __asm__ volatile("xorl %%eax, %%eax; cpuid" : : : "rax", "rbx", "rcx", "rdx", "memory");
      if (is(how, "clock")) __asm__ volatile("rdtsc" : : : "rax", "rdx");
      if (is(how, "saves")) __asm__ volatile("fxsave (%0); fxrstor (%0)" : : "r"(area) : "memory");
      if (is(how, "pauses")) __asm__ volatile("pause; pause; pause");
    }
  }
}
