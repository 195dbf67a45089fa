#define _GNU_SOURCE
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unwind.h>

#include "end.h"
#include "heap.h"

enum { kMostObjects = 1 << 22, kMostHandles = 1 << 20, kHandle = 16, kMostFrames = 1000, kDeepest = 50 };

static struct Object **objects[2];  // by number / 2, those of the tests and of the solution
static size_t object_count[2];
static int side;
static struct Place place;
static struct Frame {
  uintptr_t address, code;
} frames[kMostFrames];
static int frame_count = -1;  // not looked at yet
static char *handles, *next_handle;
static uint32_t freed[1 << 16];
static int freed_count;

// By base: chains, in a table of a fixed size.
static struct Chain {
  struct Object *object;
  struct Chain *next;
} *chains[1 << 16];

static struct Chain **ChainOf(const char *base) { return &chains[heap_slot(base, sizeof chains / sizeof *chains)]; }

void memory_begin(struct Place where, int odd) {
  place = where;
  side = odd;
  handles = next_handle = mmap(NULL, (size_t)kMostHandles * kHandle, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (handles == MAP_FAILED) abort();
}

void memory_moved(void) { frame_count = -1; }

static struct Object *Put(uint32_t number, char *base, size_t size) {
  const int whose = (int)(number & 1);
  const size_t at = number / 2;
  if (at >= kMostObjects) end_case("with params.split more than four million objects go between tests and solution");
  if (at >= object_count[whose]) {
    const size_t wanted = at + 1024;
    objects[whose] = __libc_realloc(objects[whose], wanted * sizeof(struct Object *));
    if (objects[whose] == NULL) abort();
    memset(objects[whose] + object_count[whose], 0, (wanted - object_count[whose]) * sizeof(struct Object *));
    object_count[whose] = wanted;
  }
  struct Object *object = __libc_calloc(1, sizeof *object);
  struct Chain *link = __libc_malloc(sizeof *link);
  if (object == NULL || link == NULL) abort();
  *object = (struct Object){.base = base, .size = size, .number = number, .is_ours = whose == side};
  objects[whose][at] = object;
  *link = (struct Chain){object, *ChainOf(base)};
  *ChainOf(base) = link;
  return object;
}

static void Remove(struct Object *object) {
  for (struct Chain **at = ChainOf(object->base); *at != NULL; at = &(*at)->next) {
    if ((*at)->object != object) continue;
    struct Chain *gone = *at;
    *at = gone->next;
    __libc_free(gone);
    break;
  }
  objects[object->number & 1][object->number / 2] = NULL;
  if (object->active == 0) __libc_free(object);  // or calls that wait know it
}

static struct Object *AtBase(const char *base) {
  for (struct Chain *at = *ChainOf(base); at != NULL; at = at->next) {
    if (at->object->base == base) return at->object;
  }
  return NULL;
}

void memory_note_freed(char *base) {
  struct Object *object = AtBase(base);
  if (object == NULL) return;
  if (freed_count < (int)(sizeof freed / sizeof *freed)) freed[freed_count++] = object->number;
  Remove(object);
}

int memory_free_handle(char *at) {
  if (at < handles || at >= handles + (size_t)kMostHandles * kHandle) return 0;
  memory_note_freed(at);
  return 1;
}

int memory_freed(uint32_t *numbers, int most) {
  const int count = freed_count < most ? freed_count : most;
  memcpy(numbers, freed, count * sizeof *freed);
  memmove(freed, freed + count, (freed_count - count) * sizeof *freed);
  freed_count -= count;
  return count;
}

struct Object *memory_numbered(uint32_t number) {
  return number / 2 < object_count[number & 1] ? objects[number & 1][number / 2] : NULL;
}

void memory_forget(uint32_t number, int and_free) {
  struct Object *object = memory_numbered(number);
  if (object == NULL) return;
  if (object->active > 0) {
    object->is_gone = 1;
    return;
  }
  char *block = and_free && object->is_ours ? object->base : NULL;
  Remove(object);
  if (block != NULL && heap_block(block).base == block) free(block);
}

static uint32_t NewNumber(void) {
  static uint32_t next[2] = {1 << 10, 1 << 10};  // below are variables
  return 2 * next[side]++ + (uint32_t)side;
}

struct Object *memory_mirror(uint32_t number, size_t size, size_t padding) {
  if ((int)(number & 1) == side || number / 2 >= kMostObjects) return NULL;
  if (size == 0) {
    if (next_handle >= handles + (size_t)kMostHandles * kHandle) return NULL;
    next_handle += kHandle;
    return Put(number, next_handle - kHandle, 0);
  }
  // Texts end, whatever the other side says.
  char *block = heap_padded(size, padding);
  if (block == NULL) return NULL;
  struct Object *object = Put(number, block, size);
  object->is_heap = 1;
  return object;
}

struct Object *memory_variable(char *at, size_t size, uint32_t number) { return Put(number, at, size); }

struct Object *memory_handle(char *at) {
  struct Object *known = AtBase(at);
  return known != NULL ? known : Put(NewNumber(), at, 0);
}

// Where a pointer points to ---------------------------------------------------------------------------------------------

struct Found {
  char *base;
  size_t size;
  const struct Type *type;
  int is_constant, is_heap;
  const struct Variable *variable;
};

static int IsAlike(const struct Type *one, const struct Type *other) {
  one = Plain(one);
  other = Plain(other);
  return one->kind == other->kind && SizeOf(one) == SizeOf(other);
}

static const struct Type *Innermost(const struct Type *type) {
  type = Plain(type);
  for (int depth = 0; type->kind == 'a' && depth < kDeepest; ++depth) type = Plain(type->of);
  return type;
}

// Of a variable the part that the pointer means: the array or struct that is declared as what it points to, not what lies around it.
static struct Found Narrowed(char *base, const struct Type *type, const char *at, const struct Type *wanted) {
  const int is_bytes = Plain(wanted)->kind == 'v' || SizeOf(wanted) == 0;
  int is_constant = type->kind == 'c';
  for (int depth = 0; depth < kDeepest; ++depth) {
    is_constant |= type->kind == 'c';
    type = Plain(type);
    const long offset = at - base;
    if (type->kind == 'a') {
      const long size = SizeOf(type->of);
      if (size <= 0) break;
      is_constant |= type->of->kind == 'c';
      const int is_array = Plain(wanted)->kind == 'a' && SizeOf(wanted) == 0 && IsAlike(Innermost(type), Innermost(wanted));
      if (is_array || IsAlike(type->of, wanted) || (is_bytes && offset % size == 0 && Plain(type->of)->kind != 'a')) break;
      base += offset / size * size;
      type = type->of;
    } else if (type->kind == 's' && !(is_bytes && offset == 0) && !IsAlike(type, wanted)) {
      const struct Member *in = NULL;
      for (int i = 0; i < type->member_count; ++i) {
        const struct Member *one = &type->members[i];
        if (offset >= one->offset && offset < one->offset + SizeOf(one->type)) in = one;
      }
      if (in == NULL) break;
      base += in->offset;
      type = in->type;
    } else {
      break;
    }
  }
  const struct Type *plain = Plain(type);
  return (struct Found){base, (size_t)SizeOf(type), plain->kind == 'a' ? plain->of : plain, is_constant, 0, NULL};
}

static int IsIn(const char *at, const char *base, long size) { return size > 0 && at >= base && at < base + size; }

// An unwinder says of a frame where it goes on, and of the one above it where it began.
static _Unwind_Reason_Code NoteFrame(struct _Unwind_Context *context, void *nothing) {
  (void)nothing;
  if (frame_count > 0) frames[frame_count - 1].address = _Unwind_GetCFA(context);
  if (frame_count == kMostFrames) return _URC_END_OF_STACK;
  frames[frame_count++] = (struct Frame){0, _Unwind_GetIP(context)};
  return _URC_NO_REASON;
}

static struct Found InStack(const char *at, const struct Type *wanted) {
  if (frame_count < 0) {
    frame_count = 0;
    _Unwind_Backtrace(NoteFrame, NULL);
  }
  for (int i = 0; i < frame_count; ++i) {
    const long pc = (long)(frames[i].code - 1 - place.loaded_at);
    for (int j = 0; j < place.table->code_count && frames[i].address != 0; ++j) {
      const struct Code *of = &place.table->code[j];
      if (pc < of->begin || pc >= of->end) continue;
      for (int k = 0; k < of->count; ++k) {
        char *base = (char *)frames[i].address + of->variables[k].where;
        if (!IsIn(at, base, SizeOf(of->variables[k].type))) continue;
        struct Found found = Narrowed(base, of->variables[k].type, at, wanted);
        found.variable = &of->variables[k];
        return found;
      }
    }
  }
  return (struct Found){.base = NULL};
}

static struct Found InData(const char *at, const struct Type *wanted) {
  for (int i = 0; i < place.table->data_count; ++i) {
    char *base = (char *)place.loaded_at + place.table->data[i].where;
    if (IsIn(at, base, SizeOf(place.table->data[i].type))) return Narrowed(base, place.table->data[i].type, at, wanted);
  }
  const uintptr_t address = (uintptr_t)at;
  if (address >= place.text_begin && address < place.text_end && SizeOf(wanted) == 1) {
    const size_t length = strnlen(at, place.text_end - address);
    return (struct Found){(char *)at, length + 1, wanted, 1, 0, NULL};
  }
  return (struct Found){.base = NULL};
}

// The other side's, whose memory is here.
static struct Object *Mirror(const char *at) {
  for (size_t i = 0; i < object_count[!side]; ++i) {
    struct Object *one = objects[!side][i];
    if (one != NULL && at >= one->base && at < one->base + one->size) return one;
  }
  return NULL;
}

// One in this message that ends here.
static struct Object *EndOf(const char *at, uint64_t message) {
  for (int whose = 0; whose < 2; ++whose) {
    for (size_t i = 0; i < object_count[whose]; ++i) {
      struct Object *one = objects[whose][i];
      if (one != NULL && one->seen == message && one->size > 0 && at == one->base + one->size) return one;
    }
  }
  return NULL;
}

// Another variable was here before.
static void RemoveStale(const struct Found *found) {
  for (size_t i = 0; i < object_count[side]; ++i) {
    struct Object *one = objects[side][i];
    const int is_apart = one == NULL || one->is_heap || one->base >= found->base + found->size || one->base + one->size <= found->base;
    if (is_apart || one->number < 2 << 10) continue;
    const int is_part = one->active > 0;  // of what the other side is told as a whole, or as another part
    if (!is_part) Remove(one);
  }
}

struct Object *memory_object(const char *at, const struct Type *wanted, uint64_t message) {
  struct Object *exact = AtBase(at);
  if (exact != NULL && exact->size == 0 && exact->is_ours) exact = NULL;  // there may be something by now
  if (exact != NULL && (!exact->is_ours || exact->is_heap || exact->seen == message)) return exact;
  const struct Block block = heap_block(at);
  struct Found found = {block.base, block.size, NULL, 0, 1, NULL};
  struct Object *known = block.base != NULL ? AtBase(block.base) : Mirror(at);
  if (known != NULL && known->size == 0 && known->is_ours && block.size > 0) {
    if (known->active > 0 || known->seen == message) return known;
    Remove(known);
    known = NULL;
  }
  if (known != NULL) return known;
  if (found.base == NULL) found = InStack(at, wanted);
  if (found.base == NULL) found = InData(at, wanted);
  if (found.base == NULL) return EndOf(at, message);
  known = AtBase(found.base);
  struct Object *object = known != NULL && known->size == found.size && known->variable == found.variable ? known : NULL;
  if (object == NULL) {
    if (!found.is_heap) RemoveStale(&found);
    object = Put(NewNumber(), found.base, found.size);
  }
  object->type = found.type;
  object->is_constant = found.is_constant;
  object->is_heap = found.is_heap;
  object->variable = found.variable;
  return object;
}

int memory_is_there(const struct Object *object) {
  if (object->variable == NULL || object->active > 0) return 1;
  const struct Found found = InStack(object->base, object->type);
  return found.variable == object->variable;
}
