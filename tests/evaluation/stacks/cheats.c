#define _GNU_SOURCE
#include "cheats.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Names of the framework, of the guard and of the C library that others use: all are this library's own business.
int main(void) { _exit(0); }
int srunner_ntests_failed(void *runner) { return runner == NULL; }
void _ck_assert_failed(void) {}
void __wrap__ck_assert_failed(void) {}
void __wrap_srunner_run_all(void) { _exit(0); }
void _tcase_add_test(void) {}
int tally_leak_counts(long *a, long *b) { return (*a = *b = -1000) < 0; }
void __assert_fail(void) {}
ssize_t write(int fd, const void *data, size_t size) { return fd >= 0 && data != NULL ? (ssize_t)size : -1; }
int memcmp(const void *a, const void *b, size_t size) { return a == b && size == 1; }
int strcmp(const char *a, const char *b) { return *a == '\0' && *b == 'x'; }
void *dlsym_(void) { return NULL; }
pid_t getpid(void) { return 2; }

static char secret[64] = "";
// Executed while the libraries are linked, before any constructor and when no function can be called yet.
static int ReadSecret(void) {
  long result = 17;  // pread64
  register long offset __asm__("r10") = 0;
  __asm__ volatile("syscall" : "+a"(result) : "D"(0L), "S"(secret), "d"(33L), "r"(offset) : "rcx", "r11", "memory");
  return (int)result;
}
static int (*Resolve(void))(void) {
  ReadSecret();
  return ReadSecret;
}
int resolved(void) __attribute__((ifunc("Resolve")));

static const char kReport[] = "<testsuite name=\"Cheats\"><testcase name=\"x\" classname=\"Cheats\"/></testsuite>";

int calls_exit(void) { exit(0); }
int calls_underscore_exit(void) { _exit(0); }
int calls_quick_exit(void) { quick_exit(0); }
int executes_true(void) { return execl("/bin/true", "true", (char *)NULL); }
int ends_its_thread(void) { pthread_exit(NULL); }
static void ExitNow(void) { _exit(0); }
int exits_at_exit(void) { return atexit(ExitNow); }
static void ExitOnSignal(int signal) { _exit(signal == 0); }
int exits_in_a_signal_handler(void) {
  signal(SIGALRM, ExitOnSignal);
  raise(SIGALRM);
  return 0;
}
int prints_a_report(void) {
  printf("%s\n", kReport);
  fprintf(stderr, "%s\n", kReport);
  fflush(stdout);
  _exit(0);
}

static void WriteTo(int fd, const char *text) { (void)!syscall(1, fd, text, strlen(text)); }
int writes_everywhere(void) {
  for (int fd = 3; fd < 1 << 16; ++fd) WriteTo(fd, "0123456789abcdef0123456789abcdef done 1\n0\n");
  return 0;
}
int closes_everything(void) { return close_range(0, ~0u, 0); }
int closes_the_report(void) {
  for (int fd = 500; fd < 1 << 16; ++fd) close(fd);
  return 0;
}

static jmp_buf before;
int jumps_out(void) {
  longjmp(before, 1);
  return 0;
}

int forks_guesses(void) {
  for (int guess = 0; guess < 50; ++guess) {
    if (fork() == 0) return guess;
  }
  while (wait(NULL) > 0) {
  }
  _exit(0);
}
int goes_on_in_a_child(void) {
  if (fork() == 0) return 42;
  wait(NULL);
  _exit(0);
}
int leaves_a_child_behind(void) {
  if (fork() != 0) return 0;
  for (;;) WriteTo(1, "");
}
static void *Empty(void *nothing) {
  for (;;) {
    for (int fd = 3; fd < 64; ++fd) (void)!ftruncate(fd, 0);
  }
  return nothing;
}
int empties_files(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Empty, NULL);
  usleep(1000);
  return 0;
}

static int Channel(void) {
  for (int fd = 500; fd < 1 << 16; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) return fd;
  }
  return -1;
}
// Waits until somebody writes the secret, and writes a better report behind it.
int replays_the_secret(void) {
  if (fork() != 0) return 0;
  const int fd = Channel();
  char first[33] = "", text[512];
  while (pread(fd, first, 32, 0) != 32) {
  }
  snprintf(text, sizeof text, "%s report %zu\n%s\n%s done 1\n0\n", first, strlen(kReport), kReport, first);
  (void)!ftruncate(fd, 0);
  WriteTo(fd, text);
  for (;;) pause();
}

// The same from a thread, with the file mapped so that it cannot be sealed.
static void *Replay(void *nothing) {
  const int fd = Channel();
  static char first[33], text[512];
  ftruncate(fd, 4096);
  volatile char *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  mapped[4095] = '\0';
  ftruncate(fd, 0);
  while (pread(fd, first, 32, 0) != 32) {
  }
  snprintf(text, sizeof text, "%s report %zu\n%s\n%s done 1\n0\n", first, strlen(kReport), kReport, first);
  for (;;) {
    (void)!ftruncate(fd, 0);
    WriteTo(fd, text);
  }
  return nothing;
}
int replays_in_a_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Replay, NULL);
  usleep(10000);
  return 0;
}

// Of each loaded object the data that can be read.
static int Search(struct dl_phdr_info *info, size_t size, void *out) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) == 0) continue;
    const char *at = (const char *)(info->dlpi_addr + segment->p_vaddr);
    for (size_t j = 0; j + 33 < segment->p_memsz; ++j) {
      if (strspn(at + j, "0123456789abcdef") == 32) memcpy(out, at + j, 32);
    }
  }
  return 0;
}
int searches_memory(void) {
  char found[33] = "", text[512];
  dl_iterate_phdr(Search, found);
  snprintf(text, sizeof text, "%s report %zu\n%s\n%s done 1\n0\n", found, strlen(kReport), kReport, found);
  if (found[0] != '\0') WriteTo(Channel(), text);
  _exit(0);
}

int kills_its_parent(void) { return kill(getppid(), SIGKILL) == 0 ? 42 : 0; }
int kills_all(void) { return kill(-1, SIGKILL); }
int traces(void) { return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 1 : 0; }
int sets_the_environment(void) {
  setenv("CK_RUN_CASE", "none", 1);
  setenv("CK_FORK", "yes", 1);
  return 0;
}
int redirects_output(void) {
  close(1);
  open("/dev/null", O_WRONLY);
  stdout = stderr;
  return 0;
}
int loads_the_tests_again(void) {
  void *tests = dlopen("/box/out/run/tests.so", RTLD_NOW | RTLD_NOLOAD);
  if (tests == NULL) tests = dlopen("/box/out/run/test.test_loads_the_tests_again.so", RTLD_NOW | RTLD_NOLOAD);
  const char *hidden[] = {"__wrap__tcase_add_test", "srunner_run_all", "_mark_point"};
  for (int i = 0; tests != NULL && i < 3; ++i) {
    if (dlsym(tests, hidden[i]) != NULL) return 42;
  }
  return tests == NULL ? 42 : 0;
}
int looks_for_answers(void) {
  struct stat status;
  const char *places[] = {"/box/tests", "/box/solution", "/box/out/tests.o", "/proc/self/maps", "/tests"};
  for (int i = 0; i < 5; ++i) {
    if (stat(places[i], &status) == 0) return 42;
  }
  return 0;
}

int early_exit(void) { return 0; }
int early_thread(void) {
  usleep(200000);
  return 0;
}
int early_main(void) { return 0; }
int early_secret(void) {
  resolved();
  return secret[0] != '\0' ? 42 : 0;
}

static void *ExitSoon(void *nothing) {
  usleep(1000);
  WriteTo(1, kReport);
  _exit(0);
  return nothing;
}
__attribute__((constructor)) static void Early(int argc, char **argv) {
  static int entered;
  const char *name = argc > 3 ? argv[3] : "";
  pthread_t thread;
  if (setjmp(before) != 0) _exit(0);
  if (strstr(name, "early_exit") != NULL) _exit(0);
  if (strstr(name, "early_thread") != NULL) pthread_create(&thread, NULL, ExitSoon, NULL);
  if (strstr(name, "early_main") != NULL && entered++ == 0) exit(0);
}
