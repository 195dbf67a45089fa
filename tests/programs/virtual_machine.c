// Prints what the machine says of itself: random numbers from every source, the kernel's name, memory, processors, the
// auxiliary vector, and the place of its stack.
// Tally: OK when counted by translator or step, with the same figures each time and everywhere but for another seed;
// natively OK too, with this machine's figures.
#include "program.h"

#include <asm/prctl.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

static void PrintBytes(const char* source, const unsigned char* bytes, long size) {
  printf("%s:", source);
  for (long i = 0; i < size; ++i) printf(" %02x", bytes[i]);
  printf("\n");
}

static void PrintRandom(void) {
  unsigned char bytes[20] = {0};
  PrintBytes("AT_RANDOM", (const unsigned char*)getauxval(AT_RANDOM), 16);  // NOLINT: an address
  PrintBytes("getrandom", bytes, syscall(SYS_getrandom, bytes, sizeof bytes, 0));
  PrintBytes("getrandom again", bytes, syscall(SYS_getrandom, bytes, 7, 1));
  static const char* const kFiles[] = {"/dev/urandom", "/dev/random"};
  for (int i = 0; i < 2; ++i) {
    const int file = open(kFiles[i], O_RDONLY);
    PrintBytes(kFiles[i], bytes, read(file, bytes, sizeof bytes));
    close(file);
  }
  Report("getrandom with unknown flags", syscall(SYS_getrandom, bytes, sizeof bytes, 8));
  Report("getrandom to 8", syscall(SYS_getrandom, 8, 8, 0));
  // A block that ends where nothing may be written.
  static unsigned char block[1 << 20];
  Report("getrandom of a megabyte", syscall(SYS_getrandom, block, sizeof block, 0));
  unsigned sum = 0;
  for (size_t i = 0; i < sizeof block; i += 4096) sum += block[i];
  printf("sum %u\n", sum);
}

int main(void) {
  PrintRandom();
  struct utsname name;
  uname(&name);
  printf("uname: %s, %s, %s, %s\n", name.sysname, name.nodename, name.release, name.machine);
  struct sysinfo info;
  sysinfo(&info);
  printf("sysinfo: %ld s, %lu of %lu times %u\n", info.uptime, info.freeram, info.totalram, info.mem_unit);
  unsigned cpu = 9;
  unsigned node = 9;
  syscall(SYS_getcpu, &cpu, &node, NULL);
  printf("processor %u of node %u, by libc %d\n", cpu, node, sched_getcpu());
  printf("processors %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
  cpu_set_t set;
  Report("sched_getaffinity", syscall(SYS_sched_getaffinity, 0, sizeof set, &set));
  Report("sched_getaffinity of one byte", syscall(SYS_sched_getaffinity, 0, 1, &set));
  Report("arch_prctl(ARCH_GET_CPUID)", syscall(SYS_arch_prctl, ARCH_GET_CPUID, 0));
  Report("arch_prctl(ARCH_SET_CPUID)", syscall(SYS_arch_prctl, ARCH_SET_CPUID, 1));
  Report("rseq", syscall(SYS_rseq, 0, 0, 0, 0));
  for (unsigned long type = 3; type < 64; ++type) {
    const int address = type == AT_PHDR || type == AT_ENTRY || type == AT_RANDOM || type == AT_EXECFN || type == AT_PLATFORM;
    errno = 0;
    const unsigned long value = getauxval(type);
    if (errno == 0) printf("auxiliary %lu: %#lx\n", type, address ? value & 0xf : value);
  }
  printf("signal stack %d\n", sysconf(_SC_MINSIGSTKSZ) >= 2048);
  int on_stack = 0;
  printf("stack %p\n", (void*)&on_stack);
  End();
  return 0;
}
