// The three calls of the vsyscall page, by a pointer and by a jump in place of a call.
#include "program.h"

#include <sys/time.h>
#include <time.h>

static int Present(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) return 1;
  char line[300];
  while (fgets(line, sizeof line, maps) != NULL) {
    if (strstr(line, "[vsyscall]") != NULL) return 1;
  }
  return 0;
}

__attribute__((noinline)) static long ByJump(long* at) {
  long result;
  __asm__ volatile("lea 1f(%%rip), %%rcx\n push %%rcx\n mov $0xffffffffff600400, %%rcx\n jmp *%%rcx\n 1:\n"
                   : "=a"(result) : "D"(at) : "rcx", "r11", "memory", "cc");
  return result;
}

int main(void) {
  if (!Present()) {
    puts("the kernel has no such page");
    End();
    return 0;
  }
  int (*const of_day)(struct timeval*, void*) = (int (*)(struct timeval*, void*))0xffffffffff600000UL;
  time_t (*const now)(time_t*) = (time_t (*)(time_t*))0xffffffffff600400UL;
  int (*const processor)(unsigned*, unsigned*, void*) = (int (*)(unsigned*, unsigned*, void*))0xffffffffff600800UL;
  for (int i = 0; i < 3; ++i) {
    struct timeval day = {0, 0};
    time_t first = 0;
    unsigned which = 99999;
    unsigned node = 99999;
    const int ok = of_day(&day, NULL);
    const time_t second = now(&first);
    printf("%d %d %d", ok, first == second, first - day.tv_sec < 2);
    printf(" %d %d %d\n", processor(&which, &node, NULL), which < 10000, node < 10000);
    long third = 0;
    printf("%d", ByJump(&third) - first < 2);
    printf(" %d %d\n", third - first < 2, now(NULL) > 1577836800);
  }
  End();
  return 0;
}
