// Counts what is lost in C++: a library beside the guard, in the place of leaks.c.
//
// Theory of operation. Templates, libstdc++ and the framework allocate for one another, so whose a block is cannot be told by who calls
// malloc. What can be told is whether anybody still has it. This library's malloc stands before the C library's for all of the process
// (glibc's manual, "Replacing malloc"; operator new calls it), and keeps each block in a table. When the tests are over, their objects are
// gone; the variables of all libraries, the stack and the thread's own data are searched for what looks like an address in a block, then
// those blocks themselves, as a conservative collector does (H.-J. Boehm, M. Weiser, "Garbage collection in an uncooperative environment",
// 1988). What was there before tally_leaks_begin is the loader's, some of it kept where nobody looks, and is never lost. Blocks that
// nothing leads to are.
//
// So what a static container keeps is no leak. A number that looks like an address hides one; none is made up. Where a thread still runs,
// whose stack nobody looks into, nothing is said.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests_interface.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);
extern void *__libc_stack_end;

enum { kRemoved = 1, kThreadSize = 2304 };  // sizeof(struct pthread): glibc 2.36's, whose first words are the thread's own

struct Block {
  uintptr_t begin;  // 0: none was here; kRemoved
  size_t size;
  int is_kept;  // whether anything leads to it or not
};

// ---- the table: open addressing

static struct Block *table;
static size_t slots, used;
static long allocated;
static int running;  // threads beside the first
static __thread int in_system;  // 1: what is allocated is the C library's own
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *Pages(size_t size) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

static struct Block *Place(uintptr_t begin) {
  size_t at = (size_t)((begin >> 4) * 0x9e3779b97f4a7c15u) & (slots - 1);
  while (table[at].begin != 0 && table[at].begin != begin) at = (at + 1) & (slots - 1);
  return &table[at];
}

static int Grow(void) {
  struct Block *old = table;
  const size_t old_slots = slots, new_slots = slots == 0 ? 4096 : slots * 2;
  struct Block *pages = Pages(new_slots * sizeof *table);
  if (pages == NULL) return 0;
  table = pages;
  slots = new_slots;
  used = 0;
  for (size_t i = 0; i < old_slots; ++i) {
    if (old[i].begin <= kRemoved) continue;
    *Place(old[i].begin) = old[i];
    ++used;
  }
  if (old != NULL) munmap(old, old_slots * sizeof *old);
  return 1;
}

static void *Allocated(void *memory, size_t size) {
  if (memory == NULL) return NULL;
  const int error = errno;
  pthread_mutex_lock(&lock);
  if (used * 2 < slots || Grow()) {
    struct Block *place = Place((uintptr_t)memory);
    used += place->begin == 0;
    *place = (struct Block){(uintptr_t)memory, size, in_system};
    ++allocated;
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return memory;
}

// The size of one that was counted, or -1.
static long Freed(const void *memory) {
  if (memory == NULL || slots == 0) return -1;
  pthread_mutex_lock(&lock);
  struct Block *place = Place((uintptr_t)memory);
  const long size = place->begin != 0 ? (long)place->size : -1;
  if (place->begin != 0) place->begin = kRemoved;
  pthread_mutex_unlock(&lock);
  return size;
}

// ---- before the C library's

void *malloc(size_t size) { return Allocated(__libc_malloc(size), size); }
void *memalign(size_t alignment, size_t size) { return Allocated(__libc_memalign(alignment, size), size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
void *valloc(size_t size) { return memalign(4096, size); }
void *pvalloc(size_t size) { return memalign(4096, (size + 4095) / 4096 * 4096); }

void *calloc(size_t count, size_t size) {
  void *memory = __libc_calloc(count, size);
  return memory == NULL ? NULL : Allocated(memory, count * size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *aligned = memalign(alignment, size);
  if (aligned == NULL) return ENOMEM;
  *memory = aligned;
  return 0;
}

void free(void *memory) {
  Freed(memory);
  __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
  const long counted = Freed(memory);
  void *moved = __libc_realloc(memory, size);
  if (moved == NULL) {
    if (size != 0 && counted >= 0) Allocated(memory, (size_t)counted);  // it stays where it was
    return NULL;
  }
  return memory == NULL || counted >= 0 ? Allocated(moved, size) : moved;
}

void *reallocarray(void *memory, size_t count, size_t size) {
  size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return realloc(memory, bytes);
  errno = ENOMEM;
  return NULL;
}

// ---- threads: the C library keeps memory for those that have ended, where nobody looks for it

struct Start {
  void *(*run)(void *);
  void *argument;
};

static void Ended(void *unused) {
  (void)unused;
  __atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST);
}

static void *RunThread(void *given) {
  const struct Start start = *(struct Start *)given;
  __libc_free(given);
  void *result = NULL;
  pthread_cleanup_push(Ended, NULL);
  result = start.run(start.argument);
  pthread_cleanup_pop(1);
  return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (create == NULL) create = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
  struct Start *start = __libc_malloc(sizeof *start);
  if (start == NULL) return EAGAIN;
  *start = (struct Start){run, argument};
  __atomic_add_fetch(&running, 1, __ATOMIC_SEQ_CST);
  in_system = 1;
  const int error = create(thread, attributes, RunThread, start);
  in_system = 0;
  if (error != 0) {
    Ended(NULL);
    __libc_free(start);
  }
  return error;
}

// ---- the search

struct Search {
  struct Block *blocks;  // by address
  unsigned char *found;
  size_t *waiting;  // found, and not yet looked through
  size_t count, waits;
};

static int ByAddress(const void *a, const void *b) {
  const uintptr_t left = ((const struct Block *)a)->begin, right = ((const struct Block *)b)->begin;
  return (left > right) - (left < right);
}

static void Look(struct Search *search, const void *from, const void *to) {
  if (search->count == 0) return;
  const struct Block *blocks = search->blocks;
  const uintptr_t first = blocks[0].begin, last = blocks[search->count - 1].begin + blocks[search->count - 1].size;
  const uintptr_t *end = (const uintptr_t *)((uintptr_t)to & ~(uintptr_t)7);
  for (const uintptr_t *at = (const uintptr_t *)(((uintptr_t)from + 7) & ~(uintptr_t)7); at < end; ++at) {
    if (*at < first || *at > last) continue;
    size_t low = 0, high = search->count;  // the last block that begins at or before it
    while (high - low > 1) {
      const size_t middle = low + (high - low) / 2;
      if (blocks[middle].begin <= *at) low = middle;
      else high = middle;
    }
    const size_t room = blocks[low].size == 0 ? 1 : blocks[low].size;
    if (*at - blocks[low].begin > room || search->found[low]) continue;  // one behind its end is an iterator's
    search->found[low] = 1;
    search->waiting[search->waits++] = low;
  }
}

static int LookInVariables(struct dl_phdr_info *info, size_t size, void *given) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    const char *begin = (const char *)(info->dlpi_addr + part->p_vaddr);
    if (part->p_type == PT_TLS) begin = info->dlpi_tls_data;
    const int is_searched = (part->p_type == PT_LOAD && (part->p_flags & PF_W) != 0) || (part->p_type == PT_TLS && begin != NULL);
    if (is_searched) Look(given, begin, begin + part->p_memsz);
  }
  return 0;
}

static long Lost(void) {
  long lost = 0;
  struct Search search = {0};
  for (size_t i = 0; i < slots; ++i) search.count += table[i].begin > kRemoved;
  if (search.count == 0) return 0;
  search.blocks = Pages(search.count * sizeof *search.blocks);
  search.found = Pages(search.count);
  search.waiting = Pages(search.count * sizeof *search.waiting);
  if (search.blocks == NULL || search.found == NULL || search.waiting == NULL) return -1;
  size_t next = 0;
  for (size_t i = 0; i < slots; ++i) {
    if (table[i].begin > kRemoved) search.blocks[next++] = table[i];
  }
  qsort(search.blocks, search.count, sizeof *search.blocks, ByAddress);
  dl_iterate_phdr(LookInVariables, &search);
  Look(&search, __builtin_frame_address(0), __libc_stack_end);
  const char *thread = __builtin_thread_pointer();
  Look(&search, thread, thread + kThreadSize);
  for (size_t i = 0; i < search.count; ++i) {
    if (!search.blocks[i].is_kept || search.found[i]) continue;
    search.found[i] = 1;
    search.waiting[search.waits++] = i;
  }
  while (search.waits > 0) {
    const struct Block *block = &search.blocks[search.waiting[--search.waits]];
    Look(&search, (const void *)block->begin, (const void *)(block->begin + block->size));
  }
  for (size_t i = 0; i < search.count; ++i) lost += !search.found[i];
  return lost;
}

void tally_leaks_begin(void) {
  for (size_t i = 0; i < slots; ++i) table[i].is_kept = 1;
  allocated = 0;
}

int tally_leak_counts(long *allocations, long *frees) {
  const long lost = __atomic_load_n(&running, __ATOMIC_SEQ_CST) == 0 ? Lost() : -1;
  *allocations = allocated;
  *frees = allocated - lost;
  return lost >= 0;
}
