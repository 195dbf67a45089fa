// Overwrites the canary behind a local array; built with -fstack-protector-all.
// The function's end finds the canary changed and calls __stack_chk_fail, which prints a line and aborts.
// Tally: RE (signal 6).
#include "program.h"

__attribute__((noinline)) static int Fill(int n) {
  volatile char small[8];
  for (int i = 0; i < n; ++i) small[i] = 'x';
  return small[0];
}

int main(int argc, char** argv) {
  printf("%d\n", Fill((int)Number(argc, argv, 1, 16)));
  End();
  return 0;
}
