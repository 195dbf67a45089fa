// Runs a native test program so that only its tests can say that they passed.
//
//   guard run TESTS.so [CASE]   one case (tests_interface.h), reported through the channel (evaluation/report_channel.h)
//   guard list TESTS.so         prints the cases, a line each
//   guard cover TESTS.so CASE   run, for its coverage: the only step that calls the solution by a name, and judges nothing
//   guard send ...              its own last step
//
// Theory of operation. Tests and solution are two shared libraries, TESTS.so and libsolution.so, which it needs. When
// this program's main begins, neither is mapped. It takes the secret out of stdin, empties the channel, moves its
// descriptor away, and only then loads them: no constructor, resolver of an indirect function or initializer of the
// solution runs earlier. Three things follow from two libraries below a third program:
//
//   * Names are looked up in this program and the system's libraries first, then in the tests, then in the solution. So
//     the tests' and the framework's write, strcmp, operator new, exit are the system's, and what they define themselves
//     is theirs, whatever the solution defines. Its own main, memcmp or TEST_CASE is nobody's but its own.
//   * The framework's names are hidden in the tests: a solution that wants to turn them off does not link.
//   * Cases are listed by the same tests over a hollow solution (place.c), so that it cannot hide any.
//
// What is asked of the tests is found by one name, which they have themselves, before their main begins. After their main
// has returned no name is looked up, and nothing of the solution is called.
//
// "The tests came to their end" means that their main returned, here, in the first process: not that something called
// exit, _exit, quick_exit, abort or execve, wherever it did, nor that a forked child returned. Then the report is taken
// from the framework's results in memory (no file that others could write), this process executes itself anew, which no
// thread of the solution survives, kills all others, writes all records at once and seals them.
//
// What remains. Solution and tests share an address space, as they must where one calls the other.
//
//   * The compiled tests can be read: their library is a file that this process must be able to open, and
//     dl_iterate_phdr says where it lies in memory. So a solution can print the tests' constants and the texts of their
//     assertions, and who studies these files can work out an answer that is expected. What must stay secret is tested by
//     inputs and answers (stack `io`), where the two are never in one process.
//   * Who finds the framework's results or this program's page in memory and changes them there can pass. They lie
//     elsewhere in each run, and no symbol shows where; that they cannot be found is not said.
//   * A function that returns in its caller's place is noticed (frames.c). One that moves its return address, behind the
//     assertion and still in the same function, is not.
//   * Where the tests make processes, the solution may (process_calls in the stack): then it can try an answer in a child,
//     see how far the child comes, and give the right one.
//   * The number of allocations is only as honest as the solution.
//   * A header of the solution that the tests include is part of the tests, its macros included: put headers that matter
//     among the request's include_files, which are found first.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include "tests_interface.h"
#ifdef TALLY_SPLIT  // the solution is another process (split/asker.c)
#include "junit_text.h"
#include "split/asker.h"
#endif

enum { kSecretSize = 32, kCannotRun = 125, kUsualDescriptors = 1024, kMostDescriptors = 8192, kLongestReport = 100000 };

struct State {
  char secret[kSecretSize + 1];
  int channel;  // -1: none; somebody tries the tests by hand
  pid_t pid;
  char program[256];  // ours
};
// In a page of its own, which nobody can read while the tests run: a search through memory ends in it.
static struct State *state;

static _Noreturn void CannotRun(const char *why) {
  dprintf(STDERR_FILENO, "the tests cannot be run: %s\n", why);
  _exit(kCannotRun);
}

static void *Pages(size_t size) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) CannotRun("no memory");
  return pages;
}

static void CloseState(void) { mprotect(state, sizeof *state, PROT_NONE); }
static void OpenState(void) { mprotect(state, sizeof *state, PROT_READ); }

// A number that a loop over the usual ones does not meet, if there are any others; the limit stays what it was.
static int MovedAway(int descriptor) {
  struct rlimit before, wide;
  getrlimit(RLIMIT_NOFILE, &before);
  wide = before;
  if (wide.rlim_max < kMostDescriptors) {
    wide.rlim_cur = wide.rlim_max;
  } else if (wide.rlim_cur < kMostDescriptors) {
    wide.rlim_cur = kMostDescriptors;
  }
  setrlimit(RLIMIT_NOFILE, &wide);
  const int end = wide.rlim_cur < kMostDescriptors ? (int)wide.rlim_cur : kMostDescriptors;
  const int begin = end > 2 * kUsualDescriptors ? kUsualDescriptors : end / 2;
  unsigned number = 0;
  (void)!getrandom(&number, sizeof number, 0);
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, begin + (int)(number % (unsigned)(end - begin)));
  if (moved < 0) moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  setrlimit(RLIMIT_NOFILE, &before);
  return moved;
}

static void TakeChannel(const char *program) {
  state = Pages(sizeof *state);
  snprintf(state->program, sizeof state->program, "%s", program);
  state->channel = -1;
  state->pid = getpid();
  char line[kSecretSize + 1];
  const int is_channel = pread(STDIN_FILENO, line, sizeof line, 0) == sizeof line && line[kSecretSize] == '\n' &&
                         strspn(line, "0123456789abcdef") == kSecretSize;
  if (is_channel) {
    memcpy(state->secret, line, kSecretSize);
    if (ftruncate(STDIN_FILENO, 0) != 0) CannotRun("the report channel cannot be emptied");
    state->channel = MovedAway(STDIN_FILENO);
    if (state->channel < 0) CannotRun("no descriptor is left for the report channel");
  }
  memset(line, 0, sizeof line);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) CannotRun("there is no /dev/null");
  if (nothing != STDIN_FILENO) close(nothing);
  CloseState();
}

// The library itself is searched first, and has it.
static const struct tally_tests *InterfaceOf(void *tests) {
  void *found = dlsym(tests, "tally_tests"), *map = NULL;
  Dl_info info;
  if (found == NULL || dladdr1(found, &info, &map, RTLD_DL_LINKMAP) == 0 || map != tests) CannotRun("they have no interface");
  return found;
}

// gcov's counters are in the solution's library, and so is what writes them.
static void WriteCoverage(void) {
  void *solution = dlopen("libsolution.so", RTLD_LAZY | RTLD_NOLOAD);
  void (*write)(void) = (void (*)(void))(solution != NULL ? dlsym(solution, "tally_coverage") : NULL);
  if (write != NULL) write();
}

static size_t WithRecord(char *to, const char *secret, const char *kind, const char *payload) {
  if (to == NULL) return strlen(secret) + strlen(kind) + strlen(payload) + 32;
  return (size_t)sprintf(to, "%s %s %zu\n%s\n", secret, kind, strlen(payload), payload);
}

// In a process namespace of its own the program is process 2 (on a machine that is the kernel's), and all others there
// are descendants.
static void KillOthers(void) {
  if (getpid() == 2) kill(-1, SIGKILL);
}

// guard send CHANNEL SECRET REPORT LEAKS STATUS: what this process becomes when the tests are over. All at once: who
// waits for the secret to appear in the file finds it finished.
static _Noreturn void Send(char **arguments) {
  const int channel = atoi(arguments[0]), status = atoi(arguments[4]);
  const char *secret = arguments[1], *report = arguments[2], *leaks = arguments[3];
  KillOthers();
  char *text = Pages(WithRecord(NULL, secret, "report", report) + WithRecord(NULL, secret, "leaks", leaks) + 128);
  size_t size = 0;
  if (report[0] != '\0') size += WithRecord(text + size, secret, "report", report);
  if (leaks[0] != '\0') size += WithRecord(text + size, secret, "leaks", leaks);
  size += WithRecord(text + size, secret, "done", arguments[4]);
  const int clean = write(channel, text, size) == (ssize_t)size;
  const int sealed = fcntl(channel, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0;
  if (!clean || !sealed) (void)!write(channel, "?", 1);  // somebody has it mapped; then nothing counts
  _exit(status);
}

// Ends all threads and mappings of this process, the solution's with them; only then the secret is written anywhere.
static _Noreturn void BecomeSender(const char *report, const char *leaks, int status) {
  char channel[16], number[16], words[kLongestReport];
  snprintf(channel, sizeof channel, "%d", state->channel);
  snprintf(number, sizeof number, "%d", status);
  snprintf(words, sizeof words, "%s", report);
  fcntl(state->channel, F_SETFD, 0);
  char *arguments[] = {state->program, "send", channel, state->secret, words, (char *)leaks, number, NULL};
  char *nothing[] = {NULL};
  execve(state->program, arguments, nothing);
  CannotRun("the report cannot be sent");
}

static _Noreturn void Report(const char *xml, const char *leaks, int status) {
  OpenState();
  if (getpid() != state->pid) _exit(status);  // a child that the solution forked
  if (state->channel >= 0) BecomeSender(xml, leaks, status);
  dprintf(STDOUT_FILENO, "%s%s%s\n", xml, leaks[0] != '\0' ? "\nallocations and frees: " : "", leaks);
  _exit(status);
}

static _Noreturn void Finish(const struct tally_tests *tests, int status) {
  fflush(NULL);
  const char *xml = tests->report();
  char leaks[64] = "";
#ifndef TALLY_SPLIT
  long allocations = 0, frees = 0;
  if (tally_leak_counts(&allocations, &frees)) snprintf(leaks, sizeof leaks, "%ld %ld", allocations, frees);
#endif
  Report(xml, leaks, status);
}

#ifdef TALLY_SPLIT
static const char *running = "tests";  // the case

static void GiveUp(const char *why) {
  char *text = NULL;
  size_t size = 0;
  fflush(NULL);
  FILE *out = open_memstream(&text, &size);
  if (out == NULL) _exit(1);
  junit_case(out, running, running, "error", why, "");
  fclose(out);
  Report(text, "", 1);
}
#endif
int main(int argc, char **argv, char **environment) {
  if (argc == 7 && strcmp(argv[1], "send") == 0) Send(argv + 2);
  TakeChannel(argv[0]);
  if (argc < 3) CannotRun("usage: guard run TESTS.so [CASE], or guard list TESTS.so");
#ifdef TALLY_SPLIT
  if (argc > 3) running = argv[3];
  split_open(GiveUp);
#endif
  void *library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) CannotRun(dlerror());
  const struct tally_tests *tests = InterfaceOf(library);
#ifdef TALLY_SPLIT
  split_begin(library, argv[2]);
#endif
  if (strcmp(argv[1], "list") == 0) {
    if (tests->list == NULL) CannotRun("they have no list of cases");
    Finish(tests, tests->list(argv + 2));
  }
  char *none[] = {argv[2], NULL};
  char **arguments = argc > 3 ? tests->select(argv[2], argv[3]) : none;
  int count = 0;
  while (arguments[count] != NULL) ++count;
#ifndef TALLY_SPLIT
  tally_leaks_begin();
#endif
  const int status = tests->main(count, arguments, environment) & 0xff;
  if (strcmp(argv[1], "cover") == 0) WriteCoverage();
  Finish(tests, status);
}
