// Tries: to have a translator read or execute what is not there: instructions cut short by the end of a mapping, overlapping
//   ones, prefixes without end, a direction flag left set, calls with an odd rsp, code that may be executed and not read.
// Kernel: the processor fetches byte by byte and faults at the byte that is missing, in the middle of an instruction.
// Stopped by: a block ends in front of what cannot be read, and the program faults there, as natively.
// Run: same -- cut => RE
// Run: same -- prefixes => RE
// Run: same -- overlap => OK
// Run: same -- oddstack => OK
// Run: same -- unreadable => OK
// Run: same -- stackcode => RE
// Run: same -- noncanonical => RE
// Run: same -- kernel => RE
// Run: same -- farjump => RE
// Run: same -- iret => RE OK
// Run: same -- into => RE
// Run: same -- direction => OK
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "overlap";
  setvbuf(stdout, NULL, _IONBF, 0);
  unsigned char* const p = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(p + 4096, 4096);
  uint64_t target = (uint64_t)(uintptr_t)p;
  memset(p, 0x90, 4096);
  puts("begins");
  if (is(how, "cut")) memcpy(p + 4093, "\x48\xb8\x01", 3);
  if (is(how, "prefixes")) memset(p, 0x66, 4096);
  if (is(how, "overlap")) memcpy(p, "\xeb\x01\xb8\x31\xc0\xeb\x01\xe8\xc3", 9);  // jumps into the middle of a mov and a call
  if (is(how, "oddstack")) memcpy(p, "\x48\x83\xec\x03\xe8\x05\0\0\0\x48\x83\xc4\x03\xc3\x31\xc0\xc3", 17);
  if (is(how, "unreadable")) memcpy(p, "\x31\xc0\xc3", 3), mprotect(p, 4096, PROT_EXEC);
  if (is(how, "direction")) memcpy(p, "\xfd\xfc\x31\xc0\xc3", 5);
  if (is(how, "farjump")) memcpy(p, "\x48\xff\x2c\x24", 4);
  if (is(how, "iret")) memcpy(p, "\x48\xcf", 2);
  if (is(how, "into")) p[0] = 0xce;
  static unsigned char data[64] = {0xc3};
  if (is(how, "stackcode")) target = (uint64_t)(uintptr_t)data;
  if (is(how, "noncanonical")) target = 0x8000000000000000;
  if (is(how, "kernel")) target = 0xffffffff81000000;
  printf("%d\n", ((int (*)(void))(uintptr_t)target)());
  return 0;
}
