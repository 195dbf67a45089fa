// Adds numbers in AVX-512's registers, under masks, and looks whether a signal's handler, which overwrites them, leaves them alone.
// Kernel: it saves them in the signal's frame, which Tally changes (supervisor/machine/processor_state.h).
// Tally: OK where the virtual CPU is x86-64-v4, with one count by every engine; else SIGILL, whatever the real processor has.
#include "program.h"

#include <immintrin.h>
#include <signal.h>

#define WITH_512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd")))

WITH_512 static void Handle(int signal) {
  __asm__ volatile("vpternlogd $255, %%zmm20, %%zmm20, %%zmm20\n\tkxorw %%k3, %%k3, %%k3" : : "r"(signal) : "xmm20", "k3");
}

WITH_512 int main(void) {
  signal(SIGUSR1, Handle);
  int numbers[16], kept[16];
  unsigned sum = 0, masks = 0, low = 0, high = 0;
  __m512i sums = _mm512_setzero_si512();
  for (int i = 0; i < 32; ++i) {
    const __m512i more = _mm512_add_epi32(_mm512_set1_epi32(i), _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    sums = _mm512_mask_add_epi32(sums, 0x5555, sums, more);
  }
  _mm512_storeu_si512(numbers, sums);
  for (int i = 0; i < 16; ++i) sum += (unsigned)numbers[i];
  __asm__ volatile(
      "vmovdqu32 %[from], %%zmm20\n\tkmovw %[mask], %%k3\n\tmovl $39, %%eax\n\tsyscall\n\tmovl %%eax, %%edi\n\tmovl $10, %%esi\n\t"
      "movl $62, %%eax\n\tsyscall\n\tvmovdqu32 %%zmm20, %[to]\n\tkmovw %%k3, %[masks]"
      : [to] "=m"(kept), [masks] "=r"(masks)
      : [from] "m"(numbers), [mask] "r"(0x5555)
      : "rax", "rdi", "rsi", "rcx", "r11", "xmm20", "k3", "memory");
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  printf("sum %u kept %d masks %u state %u\n", sum, memcmp(numbers, kept, sizeof kept) == 0, masks, low);
  End();
  return 0;
}
