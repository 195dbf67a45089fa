// The blocks of the heap: this program's malloc is the C library's, and keeps in mind where each begins and how long it is.
#pragma once

#include <stddef.h>

struct Block {
  char *base;
  size_t size;
};

// The block that has this address in it; one without a base where there is none.
struct Block heap_block(const char *at);
// One that has zeros behind it, of which nobody knows.
void *heap_padded(size_t size, size_t padding);
// Of a table with so many places, a power of two.
size_t heap_slot(const char *base, size_t room);

// What memory.c does when a block goes. 1: it was none.
void memory_note_freed(char *base);
int memory_free_handle(char *at);

// Those that keep nothing in mind.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);
