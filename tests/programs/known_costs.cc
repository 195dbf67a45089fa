// Functions whose costs can be told beforehand: BURN(n) is 2 n + 1 instructions, all of its line.
#include <csetjmp>
#include <csignal>

#include "program.h"

#define BURN(n) __asm__ volatile("mov %0, %%ecx\n1: dec %%ecx\n jnz 1b" : : "i"(n) : "ecx", "cc")
#define ALONE __attribute__((noipa))

namespace {
std::jmp_buf far_back;
volatile int handled;
}  // namespace

extern "C" {

ALONE void Leaf() {
  BURN(1000);  // 2001, and a return
}

static inline __attribute__((always_inline)) void Inlined() {
  BURN(500);  // 1001
  Leaf();
}

ALONE void CallsTwice() {
  Inlined();
  Leaf();
  handled = 0;
}

ALONE void EndsInAJump() {
  BURN(100);
  Leaf();  // a tail call
}

ALONE int Recursive(int n) {
  BURN(100);
  const int below = n > 0 ? Recursive(n - 1) : 0;
  return below + handled;
}

ALONE void JumpsFar() {
  BURN(100);
  std::longjmp(far_back, 1);
}

ALONE void ReturnsTwice() {
  if (setjmp(far_back) == 0) JumpsFar();
  BURN(50000);  // not of JumpsFar
}

ALONE void Throws() {
  BURN(100);
  throw 1;
}

ALONE void Catches() {
  try {
    Throws();
  } catch (int) {
    handled = 0;
  }
  BURN(60000);  // not of Throws
}

void OnSignal(int) {
  BURN(700);
  Leaf();
  handled = 0;
}

ALONE void IsInterrupted() {
  std::raise(SIGUSR1);
  BURN(70000);  // not of OnSignal
}

}  // extern "C"

int main() {
  SafetyNet();
  std::signal(SIGUSR1, OnSignal);
  CallsTwice();
  EndsInAJump();
  Recursive(10);
  ReturnsTwice();
  Catches();
  IsInterrupted();
  End();
}
