// Returns to addresses that nobody called, whose low bits are those of a call's continuation where the flags are dead, or many of which are
// some. What is there overwrites the flags only behind a jump through a register, or behind a system call. And a return to behind a call
// through gs, where the flags are read.
#include "program.h"

#include <asm/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

__asm__(
    ".pushsection .text.aside, \"ax\", @progbits\n"
    ".balign 65536\n"
    ".globl calls_beside\ncalls_beside:\n"
    "call nothing\n"
    "xor %eax, %eax\n"  // at 5
    "ret\n"
    "nothing: ret\n"
    "carries: stc\n"
    "ret\n"
    ".macro goes_on value\n"
    "lea 1f(%rip), %rax\n"
    "jmp *%rax\n"
    "1: mov $\\value, %eax\n"
    "test %eax, %eax\n"
    "ret\n"
    ".endm\n"
    ".org 8192 + 5\n"
    ".globl near_by\nnear_by: goes_on 1\n"
    ".org 2 * 8192 + 5\n"
    ".globl behind_call\nbehind_call: mov $39, %eax\n"  // getpid
    "syscall\n"
    "mov $2, %eax\n"
    "test %eax, %eax\n"
    "ret\n"
    ".org 3 * 8192 + 5 - 8\n"
    ".globl calls_by_gs\ncalls_by_gs: call *%gs:0\n"  // 8 bytes
    "mov $0, %eax\n"
    "adc $0, %eax\n"
    "ret\n"
    ".org 65536 + 5\n"
    ".globl far_away\nfar_away: goes_on 3\n"
    ".popsection\n");
long calls_beside(void);
extern const char near_by[], behind_call[], far_away[], carries[];
int calls_by_gs(void);

static int ReturnTo(const char* place) {
  int result = 0;
  __asm__ volatile("sub $128, %%rsp; lea 1f(%%rip), %%rdx; push %%rdx; push %1; mov $1, %%ecx; neg %%ecx; ret; 1: add $128, %%rsp"
                   : "=&a"(result)
                   : "r"(place)
                   : "rcx", "rdx", "r11", "cc", "memory");
  return result;
}

enum { kContexts = 10 };
static ucontext_t main_context, contexts[kContexts];
static char stacks[kContexts][16384];
static int sum;
#define TEN(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7) what(8) what(9)
#define BODY(n) static void Body##n(void) { sum += n; swapcontext(&contexts[n], &main_context); }
#define NAME(n) Body##n,
TEN(BODY)

int main(void) {
  static const char* const where = carries;
  syscall(SYS_arch_prctl, ARCH_SET_GS, &where);
  for (int i = 0; i < 2; ++i) {
    calls_beside();
    printf("%d %d %d %d\n", ReturnTo(near_by), ReturnTo(behind_call), ReturnTo(far_away), calls_by_gs());
  }
  static void (*const bodies[])(void) = {TEN(NAME)};
  for (int i = 0; i < kContexts; ++i) {
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = stacks[i];
    contexts[i].uc_stack.ss_size = sizeof stacks[i];
    makecontext(&contexts[i], bodies[i], 0);
    swapcontext(&main_context, &contexts[i]);
  }
  printf("%d\n", sum);
  End();
  return 0;
}
