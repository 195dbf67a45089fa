#define _GNU_SOURCE
#include "heap.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// Blocks by their address; the rest of a chain of collisions is put anew where one goes.
static struct Block *blocks;
static size_t block_count, block_room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

size_t heap_slot(const char *base, size_t room) { return ((uintptr_t)base >> 4) * 0x9e3779b97f4a7c15u >> 20 & (room - 1); }

static void PutBlock(char *base, size_t size) {
  size_t at = heap_slot(base, block_room);
  while (blocks[at].base != NULL && blocks[at].base != base) at = (at + 1) & (block_room - 1);
  block_count += blocks[at].base == NULL;
  blocks[at] = (struct Block){base, size};
}

static void Grow(void) {
  struct Block *before = blocks;
  const size_t room = block_room;
  block_room = room == 0 ? 4096 : 2 * room;
  blocks = mmap(NULL, block_room * sizeof *blocks, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (blocks == MAP_FAILED) abort();
  block_count = 0;
  for (size_t i = 0; i < room; ++i) {
    if (before[i].base != NULL) PutBlock(before[i].base, before[i].size);
  }
  if (room > 0) munmap(before, room * sizeof *before);
}

static struct Block *BlockAt(const char *base) {
  if (block_room == 0) return NULL;
  for (size_t at = heap_slot(base, block_room); blocks[at].base != NULL; at = (at + 1) & (block_room - 1)) {
    if (blocks[at].base == base) return &blocks[at];
  }
  return NULL;
}

static void *Noted(void *block, size_t size) {
  if (block == NULL) return NULL;
  pthread_mutex_lock(&lock);
  if (2 * block_count >= block_room) Grow();
  PutBlock(block, size);
  pthread_mutex_unlock(&lock);
  return block;
}

static void Drop(char *base) {
  pthread_mutex_lock(&lock);
  struct Block *gone = BlockAt(base);
  if (gone != NULL) {
    memory_note_freed(base);
    gone->base = NULL;
    --block_count;
    for (size_t at = ((size_t)(gone - blocks) + 1) & (block_room - 1); blocks[at].base != NULL; at = (at + 1) & (block_room - 1)) {
      const struct Block moved = blocks[at];
      blocks[at].base = NULL;
      --block_count;
      PutBlock(moved.base, moved.size);
    }
  }
  pthread_mutex_unlock(&lock);
}

void *malloc(size_t size) { return Noted(__libc_malloc(size), size); }
void *calloc(size_t count, size_t size) { return Noted(__libc_calloc(count, size), count * size); }
void *memalign(size_t alignment, size_t size) { return Noted(__libc_memalign(alignment, size), size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}
void free(void *block) {
  if (block == NULL || memory_free_handle(block)) return;
  Drop(block);
  __libc_free(block);
}
void *realloc(void *block, size_t size) {
  if (block == NULL) return malloc(size);
  Drop(block);
  return Noted(__libc_realloc(block, size), size);
}
void *reallocarray(void *block, size_t count, size_t size) {
  size_t all = 0;
  if (__builtin_mul_overflow(count, size, &all)) return errno = ENOMEM, NULL;
  return realloc(block, all);
}

void *heap_padded(size_t size, size_t padding) { return Noted(__libc_calloc(1, size + padding), size); }

static struct Block BlockAround(const char *at) {
  struct Block none = {NULL, 0}, *exact = BlockAt(at);
  if (exact != NULL) return *exact;
  for (size_t i = 0; i < block_room; ++i) {
    if (blocks[i].base != NULL && at > blocks[i].base && at < blocks[i].base + blocks[i].size) return blocks[i];
  }
  return none;
}

struct Block heap_block(const char *at) {
  pthread_mutex_lock(&lock);
  const struct Block found = BlockAround(at);
  pthread_mutex_unlock(&lock);
  return found;
}
