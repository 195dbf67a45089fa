#define _GNU_SOURCE
#include "cheats.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int answers;
static unsigned char text[1 << 16];
static size_t size;

__attribute__((constructor)) static void Early(int argc, char **argv) { answers = argc > 2 ? atoi(argv[2]) : -1; }

static void Put(const void *bytes, size_t count) { memcpy(text + size, bytes, count); size += count; }
static void Number(uint32_t number) { Put(&number, 4); }
static void Pointer(uint32_t object, uint32_t offset) { Number(object); Number(offset); }
static void Head(void) { size = 0; Number(0); Number(0); Number(0); }
static void Object(uint32_t number, const void *bytes, uint32_t count) { Number(number); Number(count); Put(bytes, count); }
static void Send(char kind) {
  const uint32_t count = (uint32_t)size;
  (void)!write(answers, &count, 4);
  (void)!write(answers, &kind, 1);
  (void)!write(answers, text, size);
}
static int Wait(void) { sleep(100); return 0; }
static int Answer(uint32_t objects, uint32_t values) { Number(objects); Number(values); Send('r'); return Wait(); }

int garbage(void) { memset(text, 'r', 1000); (void)!write(answers, text, 1000); return Wait(); }
int endless(void) { (void)!write(answers, "\xff\xff\xff\xffr", 5); return Wait(); }
int empty(void) { (void)!write(answers, "\0\0\0\0r", 5); return Wait(); }
int no_kind(void) { Head(); Number(41); Number(0); Number(16); Send('?'); return Wait(); }
int another_kind(void) { Head(); Number(41); Number(0); Number(16); Send('h'); return Wait(); }
int shorter(void) { Head(); return Answer(0, 12); }
int longer(void) { Head(); Number(41); Number(41); return Answer(0, 20); }
int many_objects(void) { Head(); Number(41); return Answer(1u << 31, 16); }
int objects_elsewhere(void) { Head(); Number(41); return Answer(0, 1u << 31); }
int printed_much(void) { size = 0; Number(1u << 31); Number(0); Number(0); Number(41); return Answer(0, 16); }
int freed_much(void) { size = 0; Number(0); Number(0); Number(1u << 31); Number(41); return Answer(0, 16); }
int object_twice(void) { Head(); Number(41); Object(9001, "x", 1); Object(9001, "x", 1); return Answer(2, 16); }
int object_cut_off(void) { Head(); Number(41); Number(9001); Number(1000); return Answer(1, 16); }
int asks_for_no_function(void) { Head(); Number(7); Number(0); Number(16); Send('c'); return Wait(); }
int gives_reasons(void) { size = 0; Put("<testcase/>", 11); Send('x'); return Wait(); }
int begins_anew(void) { size = 0; Put("t 1 i 4 0 0\nf x 1\n", 18); Send('h'); return Wait(); }
int exits(void) { exit(0); }
int exits_at_once(void) { _exit(0); }
int crashes(void) { return *(volatile int *)8; }
int aborts(void) { abort(); }
int hangs(void) { for (;;) { } }
int floods(void) { for (;;) printf("0123456789012345678901234567890123456789\n"); }
int eats(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }
int ends_its_thread(void) { pthread_exit(NULL); }
int forks_and_answers(void) { return fork() == 0 ? 40 : 41; }
int forks_guesses(void) { for (int guess = 0; guess < 50; ++guess) if (fork() == 0) return guess; return 0; }
int executes(void) { return execl("/bin/true", "true", (char *)NULL); }
int jumps(void) { static jmp_buf before; longjmp(before, 1); }
int closes_all(void) { close_range(0, ~0u, 0); return 41; }
int answers_twice(void) { Head(); Number(41); Number(0); Number(16); Send('r'); return 41; }
int writes_everywhere(void) {
  for (int fd = 3; fd < 1000; ++fd) if (fd != answers) (void)!write(fd, "0123456789abcdef0123456789abcdef done 1\n0\n", 42);
  return 41;
}
int looks_for_tests(void) {
  struct stat status;
  const char *places[] = {"/box/tests", "/box/out/run", "/box/out/tests.so", "/box/out/asked", "/proc/self/maps", "/tests"};
  for (int i = 0; i < 6; ++i) if (stat(places[i], &status) == 0) return 42;
  return 0;
}
int reads_memory(void) {
  char bytes[64];
  struct iovec here = {bytes, sizeof bytes}, there = {(void *)0x400000, sizeof bytes};
  for (int pid = 1; pid < 100; ++pid) if (pid != getpid() && process_vm_readv(pid, &here, 1, &there, 1, 0) > 0) return 42;
  return 0;
}

// With what the tests give ---------------------------------------------------------------------------------------------

void changes_a_constant(const int *numbers, int count) { for (int i = 0; i < count; ++i) ((int *)numbers)[i] = 0; }
int reads_beside(const int *in) { return in[1]; }
int reads_behind(const char *some) { for (int i = 0; i < 1000; ++i) if (memcmp(some + i, "answer: ", 8) == 0) return atoi(some + i + 8); return 0; }
int reads_around(const struct link *link) { return ((const int *)link)[4]; }
static int *kept;
void keeps(int *where) { kept = where; }
int writes_later(void) { *kept = 42; return 0; }
char *returns_what_was(void) { return (char *)kept; }
void forges_bytes(void *words, size_t count, const char *near) { (void)near; for (size_t i = 0; i < count; ++i) ((uintptr_t *)words)[i] = 0x7f0000001000; }
// What a new object is said to be: numbers that the solution may give are odd.
struct link *returns_no_link(void) {
  uintptr_t words[2] = {0x555555555555, 0x7fffffffe000};
  Head(); Pointer(90001, 0); Object(90001, words, 16); Answer(1, 20);
  return NULL;
}
struct link *returns_bytes_as_a_link(char *bytes) { memset(bytes, 0x55, 16); return (struct link *)bytes; }
char *returns_an_unknown_one(void) { Head(); Pointer(90001, 0); Answer(0, 20); return NULL; }
char *returns_behind_it(void) { Head(); Pointer(90001, 100); Object(90001, "x", 1); Answer(1, 20); return NULL; }
char *returns_the_tests(void) { Head(); Pointer(90000, 0); Object(90000, "x", 1); Answer(1, 20); return NULL; }
char *returns_a_function(call *function) { (void)function; Head(); Pointer(~0u, 0); Pointer(~0u, 0); Answer(0, 28); return NULL; }
call *returns_an_object(void) { Head(); Pointer(90001, 0); Object(90001, "x", 1); Answer(1, 20); return NULL; }
char *returns_no_end(void) { Head(); Pointer(90001, 0); Object(90001, "42", 2); Answer(1, 20); return NULL; }
int asks_with_less(call *function) { (void)function; Head(); Number(0); Number(0); Number(16); Send('c'); return Wait(); }
int asks_another_function(call *function) { (void)function; Head(); Number(1); Number(5); Number(0); Number(20); Send('c'); return Wait(); }
static void *Ask(void *function) { ((call *)function)(1); return NULL; }
int asks_from_a_thread(call *function) { pthread_t thread; pthread_create(&thread, NULL, Ask, (void *)function); pthread_join(thread, NULL); return 41; }
int changes_its_size(int *number) {
  (void)number;
  Head(); Pointer(2048, 0); Number(42); Object(2048, "xxxxxxxxxxxx", 12);
  return Answer(1, 24);
}
int frees_the_tests(int *number) {
  (void)number;
  size = 0; Number(0); Number(0); Number(1); Number(2048); Pointer(2048, 0); Number(41); Object(2048, "\x29\0\0\0", 4);
  return Answer(1, 28);
}
int *returns_the_end(int *numbers, int count) { return numbers + count; }
struct pair *returns_too_little(void) { Head(); Pointer(90001, 0); Object(90001, "xxxx", 4); Answer(1, 20); return NULL; }
static int Order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void sorts(int *numbers, int count) { qsort(numbers, count, sizeof *numbers, Order); }
const char *expected_or_not(int n) { return n == 1 ? "honest" : "42"; }
