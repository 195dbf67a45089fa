// Asks for the time in every way, with the flags set and clear, from places where the call's number is known before it is made
// and where it is not, with memory for the answer that is whole, in part, read-only, or none; prints a sum of all that came of it,
// the registers that the call leaves alone or changes among it, and with an argument all of it.
#include "../program.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

static int tells;
static unsigned long sum;

static void Add(unsigned long value) { sum = (sum ^ value) * 0x100000001b3; }

static void Tell(const char* what, unsigned long first, unsigned long second) {
  Add(first);
  Add(second);
  if (tells) printf("  %s: %ld %ld\n", what, (long)first, (long)second);
}

static void TellSum(const char* of) { printf("%s: %lx\n", of, sum); }

struct Seen {
  unsigned long result, behind, rdi, rsi, rdx, r8, r9, r10, r11, flags;
};

// rcx is to be the address behind the call: its distance is kept. `load` sets eax; `set` is for ah and al, of which the flags are made,
// without popf, behind which our code does not answer (clock_code.h).
#define CALL(direction, load)                                                                        \
  __asm__ volatile(                                                                                  \
      "mov %[set], %%rax\n\tadd $0x7f, %%al\n\tsahf\n\t" direction "mov %[number], %%rax\n\t" load   \
      "\n\tsyscall\n"                                                                                \
      "1:\n\tmov %%r11, %[r11]\n\tpushfq\n\tpop %%r11\n\tmov %%r11, %[flags]\n\tcld\n\t"             \
      "lea 1b(%%rip), %%r11\n\tsub %%r11, %%rcx\n\tmov %%rcx, %[behind]"                             \
      : "=&a"(result), [r11] "=m"(seen.r11), [flags] "=m"(seen.flags), [behind] "=m"(seen.behind),   \
        "+D"(rdi), "+S"(rsi), "+d"(rdx), "+r"(r8), "+r"(r9), "+r"(r10)                               \
      : [set] "r"(set), [number] "r"(number)                                                         \
      : "rcx", "r11", "memory", "cc")

static void Call(const char* what, unsigned long number, unsigned long a, unsigned long b, unsigned long flags, int known) {
  struct Seen seen;
  memset(&seen, 0, sizeof seen);
  register unsigned long rdi __asm__("rdi") = a, rsi __asm__("rsi") = b, rdx __asm__("rdx") = 0x1122334455667788;
  const unsigned long set = (flags & 0xd5) << 8 | (flags >> 11 & 1), backwards = flags & 0x400;
  unsigned long result;
  register unsigned long r8 __asm__("r8") = 8, r9 __asm__("r9") = 9, r10 __asm__("r10") = 10;
  if (known && number == SYS_clock_gettime) {
    if (backwards) CALL("std\n\t", "mov $228, %%eax");
    else CALL("", "mov $228, %%eax");
  } else if (known && number == SYS_gettimeofday) {
    if (backwards) CALL("std\n\t", "mov $96, %%eax");
    else CALL("", "mov $96, %%eax");
  } else if (known && number == SYS_time) {
    if (backwards) CALL("std\n\t", "mov $201, %%eax");
    else CALL("", "mov $201, %%eax");
  } else if (known && number == SYS_getrusage) {
    if (backwards) CALL("std\n\t", "mov $98, %%eax");
    else CALL("", "mov $98, %%eax");
  } else if (known && number == SYS_getcpu) {
    if (backwards) CALL("std\n\t", "mov $309, %%eax");
    else CALL("", "mov $309, %%eax");
  } else {
    if (backwards) CALL("std\n\t", "");
    else CALL("", "");
  }
  const unsigned long all[] = {result, seen.behind, rdi == a, rsi == b, rdx == 0x1122334455667788, r8 == 8 && r9 == 9 && r10 == 10,
                               seen.r11, seen.flags};
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i) Add(all[i]);
  if (!tells) return;
  printf("%s%s, flags %lx:", what, known ? " (known)" : "", flags);
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i) printf(" %lx", all[i]);
  puts("");
}

static void AskAll(void) {
  static const int kClocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_TAI, 10, 12, -6, -5};
  const unsigned long flags = 0x202;
  for (int known = 0; known < 2; ++known) {
    for (unsigned i = 0; i < sizeof kClocks / sizeof *kClocks; ++i) {
      struct timespec t = {-1, -1};
      Call("clock_gettime", SYS_clock_gettime, (unsigned long)kClocks[i], (unsigned long)&t, flags, known);
      Tell("clock", (unsigned long)t.tv_sec, (unsigned long)t.tv_nsec);
    }
    long day[2] = {-1, -1}, zone[2] = {-1, -1};
    Call("gettimeofday", SYS_gettimeofday, (unsigned long)day, 0, flags, known);
    Call("gettimeofday with its zone", SYS_gettimeofday, (unsigned long)day, (unsigned long)zone, flags, known);
    Call("gettimeofday for nothing", SYS_gettimeofday, 0, 0, flags, known);
    Tell("day", (unsigned long)day[0], (unsigned long)day[1]);
    Tell("zone", (unsigned long)zone[0], 0);
    long seconds = -1;
    Call("time", SYS_time, 0, 7, flags, known);
    Call("time", SYS_time, (unsigned long)&seconds, 0, flags, known);
    Tell("seconds", (unsigned long)seconds, 0);
    for (int who = -2; who < 3; ++who) {
      unsigned long usage[19];
      memset(usage, 0xff, sizeof usage);
      Call("getrusage", SYS_getrusage, (unsigned long)who, (unsigned long)usage, flags, known);
      for (int i = 0; i < 18; i += 2) Tell("usage", usage[i], usage[i + 1]);
      Tell("behind it", usage[18], 0);
    }
    int numbers[4] = {-1, -1, -1, -1};
    Call("getcpu", SYS_getcpu, (unsigned long)&numbers[0], (unsigned long)&numbers[2], flags, known);
    Call("getcpu", SYS_getcpu, 0, 0, flags, known);
    Tell("processor", (unsigned long)numbers[0], (unsigned long)numbers[1]);
    Tell("node", (unsigned long)numbers[2], (unsigned long)numbers[3]);
  }
  Call("clock_gettime, high half", SYS_clock_gettime, 1UL << 32 | 1, 8, flags, 1);
  Call("another call", SYS_getpid, 0, 0, flags, 0);
  Call("another call", SYS_getpid, 0, 0, flags, 1);
}

static void AskWithFlags(unsigned long flags) {
  long t[2];
  for (int known = 0; known < 2; ++known) {
    Call("clock_gettime", SYS_clock_gettime, CLOCK_MONOTONIC, (unsigned long)t, flags, known);
    Call("gettimeofday", SYS_gettimeofday, (unsigned long)t, 0, flags, known);
    Call("time", SYS_time, (unsigned long)t, 0, flags, known);
    unsigned long usage[18];
    Call("getrusage", SYS_getrusage, 0, (unsigned long)usage, flags, known);
    Call("getcpu", SYS_getcpu, (unsigned long)t, 0, flags, known);
  }
}

static void AskWithout(const char* what, unsigned long at) {
  for (int known = 0; known < 2; ++known) {
    Call("clock_gettime", SYS_clock_gettime, CLOCK_MONOTONIC, at, 0x8d5, known);
    Call("gettimeofday", SYS_gettimeofday, at, 0, 0x8d5, known);
    Call("time", SYS_time, at, 0, 0x8d5, known);
    Call("getrusage", SYS_getrusage, 1, at, 0x8d5, known);
    Call("getcpu", SYS_getcpu, at, at, 0x8d5, known);
  }
  TellSum(what);
}

static void ReadStamps(void) {
  static const unsigned long kFlags[] = {0, 0xd501};  // ah, al
  for (int i = 0; i < 6; ++i) {
    unsigned long low = ~0UL, high = ~0UL, processor = ~0UL, flags = kFlags[i % 2], r11 = 0;
    if (i < 4) {
      __asm__ volatile("mov $11, %%r11d\n\tmov %3, %%rax\n\tadd $0x7f, %%al\n\tsahf\n\trdtsc\n\tpushfq\n\tpop %3\n\tcld\n\tmov %%r11, %2"
                       : "+a"(low), "+d"(high), "=r"(r11), "+r"(flags) : : "r11", "cc");
    } else {
      __asm__ volatile("mov $11, %%r11d\n\tmov %3, %%rax\n\tadd $0x7f, %%al\n\tsahf\n\trdtscp\n\tpushfq\n\tpop %3\n\tcld\n\tmov %%r11, %2"
                       : "+a"(low), "+d"(high), "=r"(r11), "+r"(flags), "+c"(processor) : : "r11", "cc");
    }
    Tell("rdtsc", high, low);
    Tell("  rcx, r11", processor, r11);
    Tell("  flags", flags, 0);
  }
}

// Only popf can set it. Nobody translates this before it is called.
static void SetOtherFlag(void) { __asm__ volatile("pushfq\n\tbtsq $21, (%%rsp)\n\tpopfq" : : : "memory", "cc"); }
static void (*volatile set_other_flag)(void) = SetOtherFlag;

int main(int argc, char** argv) {
  tells = argc > 1 && argv != NULL;
  AskAll();
  TellSum("all");
  AskWithFlags(0x202 | 0x8d5);
  AskWithFlags(0x202 | 0x400);
  TellSum("with flags");
  ReadStamps();
  char* const pages = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(pages + 4096, 4096);
  mprotect(pages + 2 * 4096, 4096, PROT_READ);
  AskWithout("nothing there", 8);
  AskWithout("no address", 1UL << 63);
  AskWithout("half of it", (unsigned long)pages + 4096 - 8);
  AskWithout("a quarter of it", (unsigned long)pages + 4096 - 4);
  AskWithout("may only be read", (unsigned long)pages + 2 * 4096);
  FILE* const file = tmpfile();
  if (file != NULL) {
    char* const empty = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    AskWithout("behind a file's end", (unsigned long)empty);
  }
  const struct timespec second = {.tv_sec = 1, .tv_nsec = 1};
  nanosleep(&second, NULL);
  AskAll();
  ReadStamps();
  TellSum("after sleep");
  set_other_flag();
  AskWithFlags(0x202 | 0x8d5);
  ReadStamps();
  TellSum("with another flag");
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    printf("the child: ");
    End();
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  End();
  return status;
}
