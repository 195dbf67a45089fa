// Counts what the solution and the tests allocate and free: a library beside the guard. Their objects, and no others,
// are linked with --wrap (leaks.options), so the framework's memory and what the C library keeps for itself is not
// counted. A function of the C library that returns memory to be freed counts as an allocation. A free counts when it
// gives back what was counted: pointers are kept in a table, so memory from a function that is not wrapped (scandir,
// open_memstream) is nobody's leak and no surplus of frees either. What a forked child does is the child's.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#include "tests_interface.h"

static long allocated, freed;
static uintptr_t *table;  // open addressing; 0 is free, 1 was removed
static size_t slots, used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t Place(uintptr_t key) { return (size_t)((key >> 4) * 0x9e3779b97f4a7c15u) & (slots - 1); }

static int Put(uintptr_t key) {
  size_t at = Place(key);
  while (table[at] > 1) at = (at + 1) & (slots - 1);
  const int was_new = table[at] == 0;
  table[at] = key;
  return was_new;
}

static int Grow(void) {
  uintptr_t *old = table;
  const size_t old_slots = slots, new_slots = slots == 0 ? 4096 : slots * 2;
  void *pages = mmap(NULL, new_slots * sizeof *table, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return 0;
  table = pages;
  slots = new_slots;
  used = 0;
  for (size_t i = 0; i < old_slots; ++i) {
    if (old[i] > 1) used += (size_t)Put(old[i]);
  }
  if (old != NULL) munmap(old, old_slots * sizeof *old);
  return 1;
}

static void *Allocated(void *memory) {
  if (memory == NULL) return NULL;
  const int error = errno;
  pthread_mutex_lock(&lock);
  if (used * 2 < slots || Grow()) {
    used += (size_t)Put((uintptr_t)memory);
    ++allocated;
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return memory;
}

// 1 when it was counted.
static int Freed(const void *memory) {
  int found = 0;
  if (memory == NULL) return 0;
  pthread_mutex_lock(&lock);
  for (size_t at = slots == 0 ? 0 : Place((uintptr_t)memory); slots != 0 && table[at] != 0; at = (at + 1) & (slots - 1)) {
    if (table[at] != (uintptr_t)memory) continue;
    table[at] = 1;
    ++freed;
    found = 1;
    break;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

void tally_leaks_begin(void) {}  // constructors are the solution's, too

int tally_leak_counts(long *allocations, long *frees) {
  *allocations = allocated;
  *frees = freed;
  return 1;
}

#define WRAP(name) __wrap_##name

void *WRAP(malloc)(size_t size) { return Allocated(malloc(size)); }
void *WRAP(calloc)(size_t count, size_t size) { return Allocated(calloc(count, size)); }
void *WRAP(aligned_alloc)(size_t alignment, size_t size) { return Allocated(aligned_alloc(alignment, size)); }
void *WRAP(memalign)(size_t alignment, size_t size) { return Allocated(aligned_alloc(alignment, size)); }
char *WRAP(strdup)(const char *text) { return Allocated(strdup(text)); }
char *WRAP(__strdup)(const char *text) { return Allocated(strdup(text)); }
char *WRAP(strndup)(const char *text, size_t size) { return Allocated(strndup(text, size)); }
char *WRAP(__strndup)(const char *text, size_t size) { return Allocated(strndup(text, size)); }
wchar_t *WRAP(wcsdup)(const wchar_t *text) { return Allocated(wcsdup(text)); }

void WRAP(free)(void *memory) {
  Freed(memory);
  free(memory);
}

int WRAP(posix_memalign)(void **memory, size_t alignment, size_t size) {
  const int error = posix_memalign(memory, alignment, size);
  if (error == 0) Allocated(*memory);
  return error;
}

void *WRAP(realloc)(void *memory, size_t size) {
  const int counted = Freed(memory);
  void *moved = realloc(memory, size);
  // It stays where and what it was when there is no room for more.
  if (moved == NULL && size != 0 && counted) Allocated(memory);
  return moved == NULL || (memory != NULL && !counted) ? moved : Allocated(moved);
}

void *WRAP(reallocarray)(void *memory, size_t count, size_t size) {
  size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return WRAP(realloc)(memory, bytes);
  errno = ENOMEM;
  return NULL;
}

ssize_t WRAP(getdelim)(char **line, size_t *room, int end, FILE *file) {
  Freed(*line);
  const ssize_t size = getdelim(line, room, end, file);
  Allocated(*line);
  return size;
}
ssize_t WRAP(__getdelim)(char **line, size_t *room, int end, FILE *file) { return WRAP(getdelim)(line, room, end, file); }
ssize_t WRAP(getline)(char **line, size_t *room, FILE *file) { return WRAP(getdelim)(line, room, '\n', file); }

int WRAP(vasprintf)(char **text, const char *format, va_list arguments) {
  const int size = vasprintf(text, format, arguments);
  if (size >= 0) Allocated(*text);
  return size;
}
int WRAP(asprintf)(char **text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int size = WRAP(vasprintf)(text, format, arguments);
  va_end(arguments);
  return size;
}
// What the C library's headers make of these with _FORTIFY_SOURCE.
int WRAP(__vasprintf_chk)(char **text, int flag, const char *format, va_list arguments) {
  (void)flag;
  return WRAP(vasprintf)(text, format, arguments);
}
int WRAP(__asprintf_chk)(char **text, int flag, const char *format, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, format);
  const int size = WRAP(vasprintf)(text, format, arguments);
  va_end(arguments);
  return size;
}

char *WRAP(realpath)(const char *path, char *resolved) {
  char *result = realpath(path, resolved);
  return resolved == NULL ? Allocated(result) : result;
}
char *WRAP(getcwd)(char *path, size_t size) {
  char *result = getcwd(path, size);
  return path == NULL ? Allocated(result) : result;
}
