// Tries: to make a translator's memory of calls and returns grow without end, or believe in it: calls that never return, returns
//   that nobody called, to the middle of the call just executed, to another place each time.
// Kernel: call and ret are a push with a jump and a pop with a jump; that they pair up is custom.
// Stopped by: what is remembered of calls is bounded, and a return goes where the stack says (docs/translator.md).
// Run: same -- calls => OK
// Run: same -- returns => OK
// Run: same -- middle => OK
// Run: same -- deep => OK
// Run: same -- turns => OK
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

// A call whose return address is thrown away, N times.
static long calls(long n) {
  __asm__ volatile("1: call 2f\n2: addq $8, %%rsp; decq %0; jnz 1b" : "+r"(n) : : "memory", "cc");
  return n;
}
// A return to an address that was pushed, N times.
static long returns(long n) {
  long target;
  __asm__ volatile("1: leaq 2f(%%rip), %1; pushq %1; ret\n2: decq %0; jnz 1b" : "+r"(n), "=&r"(target) : : "memory", "cc");
  return n;
}
// As many calls as the stack holds, and all their returns.
static long deep(long n) {
  long depth = 0;
  __asm__ volatile(
      "movq %0, %%rcx; call 1f; jmp 3f\n"
      "1: decq %%rcx; jz 2f; call 1b\n"
      "2: incq %1; ret\n"
      "3:"
      : "+r"(n), "+r"(depth)
      :
      : "rcx", "memory", "cc");
  return depth;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "calls";
  uint8_t* const p = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  long result = 0;
  if (is(how, "calls")) result = calls(1000000);
  if (is(how, "returns")) result = returns(300000);
  if (is(how, "deep")) result = deep(100000);
  if (is(how, "middle")) {
    // call 1f; 1: pop rax; cmp eax, ecx; je 2f; lea -2(rax), rax; jmp rax, into the call's last bytes: add %al, (%rax) there
    // needs rax to be writable, as this page is; then 2: ret.
    static const uint8_t code[] = {0xe8, 0, 0, 0, 0, 0x58, 0xff, 0xc9, 0x78, 0x07, 0x50, 0x48, 0x83, 0xe8, 0x02, 0xff, 0xe0, 0xc3};
    memcpy(p, code, sizeof code);
    long count = 3, rax = 0;
    uint8_t* target = p;
    __asm__ volatile("call *%0" : "+r"(target), "+c"(count), "+a"(rax) : : "memory", "cc");
    result = count;
  }
  if (is(how, "turns")) {  // one return instruction, 4096 places
    uint8_t* const end = p + 4096 * 8;
    for (int i = 0; i < 4096; ++i) memcpy(p + i * 8, "\x48\xff\xc0\xc3", 4);
    memcpy(end, "\x48\x89\xf8\x56\xc3", 5);  // mov rdi, rax; push rsi; ret
    for (int i = 0; i < 20000; ++i) {
      uint8_t* const target = p + (i * 2654435761u % 4096) * 8;
      result = ((long (*)(long, uint8_t*))(uintptr_t)end)(result, target);
    }
  }
  printf("%ld\n", result);
  return 0;
}
