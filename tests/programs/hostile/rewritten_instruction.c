// Tries: to have the judge look at an instruction twice: code changes an instruction of its own block that a translator must
//   answer itself (through gs, rdtsc) into another one, so that a load of rsp is taken for a call, or nothing decodes.
// Kernel: a program may write its own code; the processor executes what stands there (Intel SDM vol. 3, 8.1.3).
// Stopped by: every byte is read once, the instruction that was translated is the one that is acted on, and a block that is
//   written to is left behind the instruction that writes (guest.cc, HandleFault).
// Run: -- far => OK RE RV
// Run: -- near => OK RE RV
// Run: -- undecodable => RE
// Run: -- own => OK
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static unsigned char* q;
static void put(const char* bytes, int n) { memcpy(q, bytes, (size_t)n), q += n; }
static void put32(uint32_t value) { memcpy(q, &value, 4), q += 4; }
// mov dword [rip + to `target`], value
static void put_store(unsigned char* target, uint32_t value) {
  put("\xc7\x05", 2);
  put32((uint32_t)(target - (q + 8)));
  put32(value);
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "own";
  unsigned char* const base = mmap((void*)0x10000000, 0x40000, PROT_READ | PROT_WRITE | PROT_EXEC,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (base == MAP_FAILED) return 2;
  uint64_t* const cell = (uint64_t*)(base + 0x30000);
  *cell = (uint64_t)(uintptr_t)(base + 0x20000);
  unsigned char* const border = base + 0x4000;
  unsigned char* const target = border + 8;
  q = border - 40;
  unsigned char* const start = q;
  put("\x49\x89\xe4", 3);  // mov r12, rsp
  if (strcmp(how, "far") == 0) put_store(target, 0x1cff4865);        // gs call far [cell]
  if (strcmp(how, "near") == 0) put_store(target, 0x14ff4865);       // gs call [cell]
  if (strcmp(how, "undecodable") == 0) put_store(target, 0x1fc4);    // no instruction
  if (strcmp(how, "own") == 0) put_store(target + 1, 42);
  while (q < target) *q++ = 0x90;
  if (strcmp(how, "own") == 0) {
    put("\xb8\x07\0\0\0", 5);  // mov eax, 7
  } else if (strcmp(how, "undecodable") == 0) {
    put("\x0f\x31\x90\x90", 4);  // rdtsc
  } else {
    put("\x65\x48\x8b\x24\x25", 5);  // mov rsp, gs:[cell]
    put32((uint32_t)(uintptr_t)cell);
  }
  put("\x4c\x89\xe4\xc3", 4);  // mov rsp, r12; ret
  int result = 0;
  __asm__ volatile("call *%1" : "=a"(result) : "r"(start) : "rdx", "rcx", "r11", "r12", "memory", "cc");
  printf("%d\nEND\n", result);
  return strcmp(how, "own") == 0 && result != 42;
}
