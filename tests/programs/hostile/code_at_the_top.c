// Tries: to make the processor or the judge compute an address that does not exist: code in the highest page that a program may
//   have, which ends with a system call, a jump, a call or nothing at the page's last byte.
// Kernel: the last page below 2^47 is no program's, because sysret to 2^47 faults in the kernel (arch/x86/include/asm/page_64_types.h).
// Stopped by: the kernel's guard page, and a fault at the byte that is missing.
// Run: same -- fall => RE
// Run: same -- syscall => RE
// Run: same -- ret => OK
// Run: same -- jump => RE
// Run: same -- last => OK
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "fall";
  setvbuf(stdout, NULL, _IONBF, 0);
  uint8_t* const top = (uint8_t*)0x7fffffffe000;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
  if (is(how, "last")) {
    puts(mmap(top + 4096, 4096, PROT_READ | PROT_EXEC, flags, -1, 0) == MAP_FAILED ? "none" : "some");
    puts(mmap(top + 8192, 4096, PROT_READ | PROT_EXEC, flags, -1, 0) == MAP_FAILED ? "none" : "some");
    return 0;
  }
  uint8_t* at = mmap(top, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, flags, -1, 0);
  if (at == MAP_FAILED) at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);  // the stack is there
  puts("mapped");
  memset(at, 0x90, 4096);
  if (at != top) munmap(at + 4096, 4096);
  if (is(how, "syscall")) memcpy(at + 4089, "\xb8\x27\0\0\0\x0f\x05", 7);
  if (is(how, "ret")) at[4095] = 0xc3;
  if (is(how, "jump")) memcpy(at + 4094, "\xeb\x7f", 2);
  ((void (*)(void))(uintptr_t)at)();
  puts("came back");
  return 0;
}
