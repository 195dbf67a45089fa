// Tries: to make the judge fail: null selectors that ptrace(2) refuses to write back, and a base of fs in the kernel's half,
//   while a tracer changes registers all the time.
// Kernel: mov to ds takes 1, 2 and 3 alike, wrfsbase any canonical address, but PTRACE_SETREGS gives EIO for those that it
//   would not set itself (arch/x86/kernel/ptrace.c).
// Stopped by: registers that the kernel refuses are left as they are (tracing/tracee.h).
// Run: -- ds => OK
// Run: -- fs => OK RE RV
#include <string.h>
#include <sys/auxv.h>

static void trap(void) {
  unsigned a = 0x20, b, c = 0, d;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "fs") == 0) {
    if ((getauxval(AT_HWCAP2) & 2) == 0) return 0;  // HWCAP2_FSGSBASE
    __asm__ volatile(
        "rdfsbase %%r8\n\tmov $0xffff800000000000, %%rax\n\twrfsbase %%rax\n\tmov $0x20, %%eax\n\tcpuid\n\twrfsbase %%r8"
        : : : "rax", "rbx", "rcx", "rdx", "r8");
    return 0;
  }
  for (int selector = 0; selector < 4; ++selector) {
    __asm__ volatile("mov %0, %%ds\n\tmov %0, %%es" : : "r"(selector));
    trap();
  }
  return 0;
}
