#include "values.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "end.h"
#include "wire.h"

enum { kDeepest = 50 };
// Behind what stands for an object; of one whose type is not known more.
enum { kPadding = 64, kUnknownPadding = 4096 };
static const uint32_t kFunction = 0xffffffffu;

struct Part {
  uint32_t number, size;
  const char *bytes;
};

typedef void Slot(struct Message *message, char *slot, const struct Type *pointee);

// Calls `slot` for each pointer in a value.
static void Slots(struct Message *message, const struct Type *type, char *value, Slot *slot, int depth) {
  type = Plain(type);
  if (depth > kDeepest || !HasPointers(type)) return;
  if (type->kind == 'p') {
    slot(message, value, type->of);
  } else if (type->kind == 'a') {
    for (long i = 0; i < type->count; ++i) Slots(message, type->of, value + i * SizeOf(type->of), slot, depth + 1);
  } else if (type->kind == 's') {
    for (int i = 0; i < type->member_count; ++i) Slots(message, type->members[i].type, value + type->members[i].offset, slot, depth + 1);
  } else {
    end_case("with params.split a union with pointers in it cannot go between tests and solution");
  }
}

static void SlotsOfObject(struct Message *message, const struct Object *object, char *contents, Slot *slot) {
  const long size = object->type == NULL ? 0 : SizeOf(object->type);
  if (size <= 0 || !HasPointers(object->type)) return;
  for (size_t at = 0; at + (size_t)size <= object->size; at += (size_t)size) Slots(message, object->type, contents + at, slot, 0);
}

struct Message *message_new(void) {
  static uint64_t count;
  struct Message *message = calloc(1, sizeof *message);
  if (message == NULL) abort();
  message->number = ++count;
  return message;
}

void message_free(struct Message *message) {
  free(message->data);
  free(message->queue);
  free(message->parts);
  free(message);
}

static void Enqueue(struct Message *message, struct Object *object) {
  if (message->queued == message->queue_room) {
    message->queue_room = message->queue_room * 2 + 16;
    message->queue = realloc(message->queue, message->queue_room * sizeof *message->queue);
    if (message->queue == NULL) abort();
  }
  message->queue[message->queued++] = object;
}

// What an object is, if nothing better was known.
static int TakeType(struct Object *object, const struct Type *pointee) {
  const struct Type *type = Plain(pointee);
  const long size = SizeOf(type);
  if (object->type != NULL || size <= 0 || (size_t)size > object->size) return 0;
  object->type = type;
  return 1;
}

// Writing -------------------------------------------------------------------------------------------------------------

void put_bytes(struct Message *message, const void *bytes, size_t size) {
  if (size > kLongestMessage - message->size) end_case("with params.split no more than 64 MiB go at once between tests and solution");
  if (message->size + size > message->room) {
    message->room = 2 * (message->size + size) + 256;
    message->data = realloc(message->data, message->room);
    if (message->data == NULL) abort();
  }
  if (size > 0) memcpy(message->data + message->size, bytes, size);
  message->size += size;
}

void put_number(struct Message *message, uint32_t number) { put_bytes(message, &number, sizeof number); }

void put_object(struct Message *message, struct Object *object) {
  if (object->seen == message->number) return;
  object->seen = message->number;
  Enqueue(message, object);
}

static void PutPointer(struct Message *message, char *slot, const struct Type *pointee) {
  char *at = NULL;
  uint32_t words[2] = {0, 0};
  memcpy(&at, slot, sizeof at);
  const struct Type *type = Plain(pointee);
  if (at != NULL && type->kind == 'F') {
    words[0] = kFunction;
    words[1] = lend_function(at, type);
  } else if (at != NULL && type->kind == 'x' && (message->is_argument || !is_tests_side)) {
    end_case("with params.split a FILE cannot go between tests and solution");
  } else if (at != NULL) {
    struct Object *object = memory_object(at, pointee, message->number);
    // In a struct it may lead nowhere, as what was freed, or not set, does.
    if (object == NULL && SizeOf(type) > 0 && is_tests_side && message->is_argument) {
      end_case("with params.split a pointer to memory whose size is not known cannot be given to the solution");
    }
    if (object == NULL) object = memory_handle(at);
    TakeType(object, pointee);
    if (pointee->kind != 'c' && !object->is_constant) object->changeable = 1;
    put_object(message, object);
    words[0] = object->number;
    words[1] = (uint32_t)(at - object->base);
  }
  memcpy(slot, words, sizeof words);
}

void put_value(struct Message *message, const struct Type *type, const void *value) {
  const size_t size = (size_t)SizeOf(type), at = message->size;
  put_bytes(message, value, size);
  char *copy = malloc(size + 1);
  if (copy == NULL) abort();
  memcpy(copy, value, size);
  message->is_argument = 1;
  Slots(message, type, copy, PutPointer, 0);
  message->is_argument = 0;
  memcpy(message->data + at, copy, size);
  free(copy);
}

void put_objects(struct Message *message) {
  const size_t values_size = message->size;
  for (size_t i = 0; i < message->queued; ++i) {
    struct Object *object = message->queue[i];
    put_number(message, object->number);
    put_number(message, (uint32_t)object->size);
    const size_t at = message->size;
    put_bytes(message, object->base, object->size);
    if (object->size == 0 || object->type == NULL || !HasPointers(object->type)) continue;
    char *copy = malloc(object->size);
    if (copy == NULL) abort();
    memcpy(copy, object->base, object->size);
    SlotsOfObject(message, object, copy, PutPointer);
    memcpy(message->data + at, copy, object->size);
    free(copy);
  }
  put_number(message, (uint32_t)message->queued);
  put_number(message, (uint32_t)values_size);
}

// Reading -------------------------------------------------------------------------------------------------------------

const void *get_bytes(struct Message *message, size_t size) {
  if (size > message->left) misunderstood("less than a message");
  const char *bytes = message->at;
  message->at += size;
  message->left -= size;
  return bytes;
}

uint32_t get_number(struct Message *message) {
  uint32_t number = 0;
  memcpy(&number, get_bytes(message, sizeof number), sizeof number);
  return number;
}

static int ByNumber(const void *one, const void *other) {
  const uint32_t a = ((const struct Part *)one)->number, b = ((const struct Part *)other)->number;
  return (a > b) - (a < b);
}

static const struct Part *PartOf(const struct Message *message, uint32_t number) {
  const struct Part key = {.number = number};
  return message->part_count == 0 ? NULL : bsearch(&key, message->parts, message->part_count, sizeof key, ByNumber);
}

// The last eight bytes say how many objects there are, and where they begin.
void get_objects(struct Message *message) {
  if (message->left < 8) misunderstood("less than a message");
  uint32_t end[2];
  memcpy(end, message->at + message->left - 8, sizeof end);
  struct Message rest = *message;
  if (end[1] > message->left - 8) misunderstood("no objects");
  get_bytes(&rest, end[1]);
  rest.left -= 8;
  message->left = end[1];
  if (end[0] > rest.left / 8) misunderstood("no objects");
  message->part_count = end[0];
  message->parts = calloc(message->part_count + 1, sizeof *message->parts);
  if (message->parts == NULL) misunderstood("too many objects");
  for (size_t i = 0; i < message->part_count; ++i) {
    struct Part *part = &message->parts[i];
    part->number = get_number(&rest);
    part->size = get_number(&rest);
    part->bytes = get_bytes(&rest, part->size);
  }
  if (rest.left != 0) misunderstood("more than a message");
  qsort(message->parts, message->part_count, sizeof *message->parts, ByNumber);
  for (size_t i = 1; i < message->part_count; ++i) {
    if (message->parts[i].number == message->parts[i - 1].number) misunderstood("an object twice");
  }
}

static int IsSameLayout(const struct Type *one, const struct Type *other, int depth) {
  one = Plain(one);
  other = Plain(other);
  if (one == other) return 1;
  if (depth > kDeepest || one->kind != other->kind || SizeOf(one) != SizeOf(other) || one->member_count != other->member_count) return 0;
  if (one->kind == 'a') return IsSameLayout(one->of, other->of, depth + 1);
  if (one->kind == 'p') return (Plain(one->of)->kind == 'F') == (Plain(other->of)->kind == 'F');
  for (int i = 0; i < one->member_count; ++i) {
    if (one->members[i].offset != other->members[i].offset || !IsSameLayout(one->members[i].type, other->members[i].type, depth + 1)) return 0;
  }
  return 1;
}

// What the tests read or write there is what the pointer says, and not what lies behind it. Behind what stands for the solution's object there
// is some room; behind their own are other variables.
static void CheckRoom(const struct Message *message, const struct Object *object, const struct Type *pointee, uint32_t offset) {
  if (!is_tests_side || object->size == 0 || message->is_argument) return;
  const size_t wanted = (size_t)SizeOf(pointee), room = object->size - offset;
  const int is_end = room == 0 && !object->is_ours && wanted <= kPadding;
  if (!is_end && room < (wanted == 0 ? 1 : wanted)) misunderstood("a pointer behind an object");
}

// Bytes of the other side are never taken for pointers.
static void CheckPointee(const struct Object *object, const struct Type *pointee, uint32_t offset) {
  if (!is_tests_side || !HasPointers(pointee) || object->size == 0) return;
  const long size = SizeOf(pointee);
  if (object->type == NULL || size <= 0) misunderstood("a pointer to something else");
  const struct Type *type = Plain(pointee);
  if (!IsSameLayout(object->type, type, 0) || offset % size != 0) misunderstood("a pointer to something else");
}

static void GetPointer(struct Message *message, char *slot, const struct Type *pointee) {
  uint32_t words[2];
  char *at = NULL;
  memcpy(words, slot, sizeof words);
  const struct Type *type = Plain(pointee);
  if (words[0] == kFunction) {
    if (type->kind != 'F') misunderstood("a function for an object");
    at = borrowed_function(words[1], type);
  } else if (words[0] != 0) {
    if (type->kind == 'F') misunderstood("an object for a function");
    const struct Part *part = PartOf(message, words[0]);
    struct Object *object = memory_numbered(words[0]);
    if (object == NULL && part == NULL) misunderstood("an object that is not there");
    if (object == NULL) object = memory_mirror(words[0], part->size, SizeOf(type) > 0 ? kPadding : kUnknownPadding);
    if (object == NULL) misunderstood("an object that is not its own");
    if (is_tests_side && object->is_ours && !memory_is_there(object)) misunderstood("a pointer to what is not there any more");
    if (words[1] > object->size) misunderstood("a pointer behind an object");
    CheckRoom(message, object, pointee, words[1]);
    if (TakeType(object, pointee)) object->filled = 0;  // bytes until now
    CheckPointee(object, pointee, words[1]);
    get_object(message, object);
    at = object->base + words[1];
  } else if (words[1] != 0) {
    misunderstood("no pointer");
  }
  memcpy(slot, &at, sizeof at);
}

void get_value(struct Message *message, const struct Type *type, void *value) {
  const size_t size = (size_t)SizeOf(type);
  memcpy(value, get_bytes(message, size), size);
  Slots(message, type, value, GetPointer, 0);
}

void get_object(struct Message *message, struct Object *object) {
  if (object->filled == message->number) return;
  object->filled = message->number;
  Enqueue(message, object);
}

static int ByValue(const void *one, const void *other) {
  const uintptr_t a = *(const uintptr_t *)one, b = *(const uintptr_t *)other;
  return (a > b) - (a < b);
}

// Bytes of the tests may be pointers of theirs: none comes back that was not there.
static void CheckBytes(const struct Object *object, const char *bytes) {
  const size_t count = object->size / 8;
  uintptr_t *before = malloc(count * 8 + 8);
  if (before == NULL) abort();
  memcpy(before, object->base, count * 8);
  qsort(before, count, 8, ByValue);
  for (size_t i = 0; i < count; ++i) {
    uintptr_t word = 0;
    memcpy(&word, bytes + 8 * i, 8);
    // Only what has an address is one.
    if (word < 1 << 16 || word >> 47 != 0 || msync((void *)(word & ~4095ul), 1, MS_ASYNC) != 0) continue;
    if (bsearch(&word, before, count, 8, ByValue) == NULL) misunderstood("a pointer among bytes");
  }
  free(before);
}

void fill_objects(struct Message *message) {
  for (size_t i = 0; i < message->queued; ++i) {
    struct Object *object = message->queue[i];
    const struct Part *part = PartOf(message, object->number);
    if (part == NULL) {
      if (!object->is_ours && object->size > 0 && object->type != NULL && HasPointers(object->type)) memset(object->base, 0, object->size);
      continue;
    }
    if (part->size != object->size) misunderstood("an object of another size");
    if (object->size == 0) continue;
    char *contents = malloc(object->size);
    if (contents == NULL) abort();
    memcpy(contents, part->bytes, object->size);
    SlotsOfObject(message, object, contents, GetPointer);
    const int may_change = is_tests_side ? !object->is_ours || (object->active > 0 && object->changeable) : !object->is_constant;
    if (may_change && is_tests_side && object->is_ours && (object->type == NULL || SizeOf(object->type) == 1)) CheckBytes(object, contents);
    if (may_change) memcpy(object->base, contents, object->size);
    free(contents);
  }
}
