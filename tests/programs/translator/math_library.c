// The mathematical library: functions that it chooses by processor, and vectors of doubles in loops.
#include "program.h"

#include <math.h>

int main(void) {
  double sum = 0, values[32];
  for (int i = 0; i < 12; ++i) {
    volatile double x = i * 0.37 + 0.01;
    values[i] = sin(x) * cos(x) + exp(-x) + log(x) + pow(x, 1.5) + atan2(x, 2) + fmod(x, 0.7) + floor(x) + cbrt(x);
  }
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 12; ++i) values[i] = values[i] * 1.01 + 0.5 / (i + 1);
  }
  for (int i = 0; i < 12; ++i) sum += values[i];
  printf("%.12g %.9Lg\n", sum, sinl(1.5L) + expl(0.3L) + (long double)fmaf(1.5F, 2.5F, 3.5F));
  End();
  return 0;
}
