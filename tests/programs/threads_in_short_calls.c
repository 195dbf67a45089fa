// Two threads that call functions of a few instructions all the time, also by pointers and in recursion, and note down where each finds that
// the other has had a turn: where turns end must not depend on how such calls are translated.
// Tally: OK with 2 processes; one output for each length of turns.
#include "program.h"

#include <pthread.h>

#define NOINLINE __attribute__((noinline, noclone))

enum { kRounds = 2500 };
static volatile unsigned last;

typedef struct {
  unsigned id, value, turns;
  unsigned long where;
} Thread;

NOINLINE static unsigned Value(const Thread* t) { return t->value; }
NOINLINE static unsigned Add(unsigned a, unsigned b) { return a + b; }
NOINLINE static unsigned Xor(unsigned a, unsigned b) { return a ^ b; }
NOINLINE static unsigned Least(unsigned a, unsigned b) { return a < b ? a : b; }
// As long as such a function may be, behind much straight on.
NOINLINE static unsigned Longest(unsigned a) {
  __asm__ volatile(".rept 18\n\tnop\n\t.endr");
  return a + 1;
}
NOINLINE static unsigned Fibonacci(unsigned n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }

static unsigned (*volatile const kOperations[])(unsigned, unsigned) = {Add, Xor, Least};

static inline void See(Thread* t, unsigned here) {
  if (last == t->id) return;
  last = t->id;
  ++t->turns;
  t->where = t->where * 31 + here;
}

static void* Run(void* argument) {
  Thread* const t = argument;
  for (unsigned i = 0; i < kRounds; ++i) {
    t->value = kOperations[i % 3](Value(t), i) + Fibonacci(i % 7);
    See(t, i);
    for (unsigned k = 0; k < 8; ++k) {
      __asm__ volatile(".rept 30\n\tnop\n\t.endr");
      const unsigned value = Longest(t->value);
      See(t, i * 8 + k);
      t->value = value;
    }
  }
  return NULL;
}

int main(void) {
  Thread threads[2] = {{.id = 1}, {.id = 2}};
  pthread_t other;
  if (pthread_create(&other, NULL, Run, &threads[1]) != 0) return 2;
  Run(&threads[0]);
  pthread_join(other, NULL);
  for (int i = 0; i < 2; ++i) printf("%u: %u turns, %lx, value %u\n", i, threads[i].turns, threads[i].where, threads[i].value);
  End();
  return 0;
}
