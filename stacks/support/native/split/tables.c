// What a library's debug information says of its types, in lines that types.c reads:
//
//   readelf -wi LIBRARY | tables
//
//   t NUMBER KIND SIZE TYPE COUNT   a type; KIND: v void, i integer, f float, p pointer, c const, s struct, u union, a array, o incomplete,
//                                   F function, x something else
//   m OFFSET TYPE                   a member of the struct or a parameter of the function above it
//   f NAME TYPE                     a function that is called and is not here
//   g NAME TYPE                     a variable that is used and is not here
//   d ADDRESS TYPE                  a variable that is here
//   l BEGIN END                     code of a function; below it:
//   x OFFSET TYPE                   a variable of its, from its frame's address
//
// Numbers are decimal. Types are numbered as they come, and may be named before.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kDeepest = 64 };

struct Entry {
  long offset, type, size, count, where, low, high, at;
  int depth, parent, is_declaration, is_here, variadic;
  char kind, name[200];
};

static struct Entry *entries;
static long count;

static const char *const kTags[][2] = {
    {"DW_TAG_base_type", "i"}, {"DW_TAG_enumeration_type", "i"}, {"DW_TAG_pointer_type", "p"}, {"DW_TAG_const_type", "c"},
    {"DW_TAG_typedef", "="}, {"DW_TAG_volatile_type", "="}, {"DW_TAG_restrict_type", "="}, {"DW_TAG_atomic_type", "="},
    {"DW_TAG_structure_type", "s"}, {"DW_TAG_union_type", "u"}, {"DW_TAG_array_type", "a"}, {"DW_TAG_subrange_type", "r"},
    {"DW_TAG_member", "m"}, {"DW_TAG_subroutine_type", "F"}, {"DW_TAG_formal_parameter", "P"}, {"DW_TAG_unspecified_parameters", "."},
    {"DW_TAG_subprogram", "S"}, {"DW_TAG_variable", "V"}, {"DW_TAG_lexical_block", "B"}};

static void Begin(int depth, long offset, const char *tag, const int *parents) {
  if (count % 1024 == 0) entries = realloc(entries, (count + 1024) * sizeof *entries);
  if (entries == NULL) exit(1);
  struct Entry *one = &entries[count];
  memset(one, 0, sizeof *one);
  one->offset = offset;
  one->depth = depth;
  one->parent = depth > 0 ? parents[depth - 1] : -1;
  one->size = one->count = one->where = -1;
  one->kind = '?';
  for (size_t i = 0; i < sizeof kTags / sizeof *kTags; ++i) {
    if (strcmp(tag, kTags[i][0]) == 0) one->kind = kTags[i][1][0];
  }
  ++count;
}

// "(indirect string, offset: 0x12): name", or the name itself.
static const char *Text(const char *value) {
  const char *end = strncmp(value, "(indirect", 9) == 0 || strncmp(value, "(alt", 4) == 0 ? strstr(value, "): ") : NULL;
  return end == NULL ? value : end + 3;
}

static void Attribute(struct Entry *one, const char *name, const char *value) {
  const char *in = NULL;
  if (strcmp(name, "DW_AT_name") == 0) snprintf(one->name, sizeof one->name, "%.*s", (int)strcspn(Text(value), " \t\r\n"), Text(value));
  if (strcmp(name, "DW_AT_type") == 0) one->type = strtol(value + (*value == '<'), NULL, 16);
  if (strcmp(name, "DW_AT_abstract_origin") == 0 || strcmp(name, "DW_AT_specification") == 0) one->at = strtol(value + (*value == '<'), NULL, 16);
  if (strcmp(name, "DW_AT_byte_size") == 0) one->size = strtol(value, NULL, 0);
  if (strcmp(name, "DW_AT_upper_bound") == 0 && *value != '<' && strstr(value, "block") == NULL) one->count = strtol(value, NULL, 0) + 1;
  if (strcmp(name, "DW_AT_count") == 0 && *value != '<') one->count = strtol(value, NULL, 0);
  if (strcmp(name, "DW_AT_data_member_location") == 0) one->where = strtol(value, NULL, 0);
  if (strcmp(name, "DW_AT_declaration") == 0) one->is_declaration = 1;
  if (strcmp(name, "DW_AT_low_pc") == 0) one->low = strtol(value, NULL, 16), one->is_here = 1;
  if (strcmp(name, "DW_AT_high_pc") == 0) one->high = strtol(value, NULL, 16);
  if (strcmp(name, "DW_AT_encoding") == 0) one->kind = strstr(value, "(float)") != NULL ? 'f' : strstr(value, "complex") != NULL ? 'x' : 'i';
  if (strcmp(name, "DW_AT_location") == 0 && (in = strstr(value, "(DW_OP_fbreg: ")) != NULL) one->where = strtol(in + 14, NULL, 10), one->is_here = 2;
  if (strcmp(name, "DW_AT_location") == 0 && (in = strstr(value, "(DW_OP_addr: ")) != NULL) one->where = strtol(in + 13, NULL, 16), one->is_here = 3;
}

static int ByOffset(const void *a, const void *b) {
  const long one = ((const struct Entry *)a)->offset, other = ((const struct Entry *)b)->offset;
  return (one > other) - (one < other);
}

// Behind names for it. 0 is void.
static long TypeNumber(long offset) {
  for (int hops = 0; offset != 0 && hops < kDeepest; ++hops) {
    const struct Entry key = {.offset = offset};
    const struct Entry *found = bsearch(&key, entries, count, sizeof key, ByOffset);
    if (found == NULL) return 0;
    if (found->kind != '=') return found - entries + 1;
    offset = found->type;
  }
  return 0;
}

static void PrintArray(long number) {
  const struct Entry *one = &entries[number - 1];
  long bounds[kDeepest];
  int dimensions = 0;
  for (long i = number; i < count && entries[i].depth > one->depth && dimensions < kDeepest; ++i) {
    if (entries[i].kind == 'r' && entries[i].depth == one->depth + 1) bounds[dimensions++] = entries[i].count < 0 ? 0 : entries[i].count;
  }
  // Of several dimensions the inner ones are types with numbers that nothing else has.
  long element = TypeNumber(one->type);
  for (int i = dimensions - 1; i > 0; --i) {
    const long inner = count + number * kDeepest + i;
    printf("t %ld a 0 %ld %ld\n", inner, element, bounds[i]);
    element = inner;
  }
  printf("t %ld a 0 %ld %ld\n", number, element, dimensions > 0 ? bounds[0] : 0);
}

static void PrintMembers(long number, char kind) {
  const struct Entry *one = &entries[number - 1];
  for (long i = number; i < count && entries[i].depth > one->depth; ++i) {
    if (entries[i].depth != one->depth + 1 || entries[i].kind != kind) continue;
    if (kind == 'm' && entries[i].where < 0 && one->kind != 'u') continue;  // of bits
    printf("m %ld %ld\n", entries[i].where < 0 ? 0 : entries[i].where, TypeNumber(entries[i].type));
  }
}

static int IsVariadic(long number) {
  for (long i = number; i < count && entries[i].depth > entries[number - 1].depth; ++i) {
    if (entries[i].kind == '.') return 1;
  }
  return 0;
}

static void PrintType(long number) {
  const struct Entry *one = &entries[number - 1];
  const int is_struct = one->kind == 's' || one->kind == 'u';
  if (is_struct && strcmp(one->name, "_IO_FILE") == 0) {
    printf("t %ld x %ld 0 0\n", number, one->size);  // of the C library's, of which each process has its own
  } else if (one->kind == 'a') {
    PrintArray(number);
  } else if (one->kind == 'F' || one->kind == 'S') {
    printf("t %ld F 0 %ld %d\n", number, TypeNumber(one->type), IsVariadic(number));
    PrintMembers(number, 'P');
  } else if (strchr("ifxpcsu", one->kind) != NULL) {
    printf("t %ld %c %ld %ld 0\n", number, is_struct && one->is_declaration ? 'o' : one->kind, one->size < 0 ? 0 : one->size, TypeNumber(one->type));
    if (is_struct) PrintMembers(number, 'm');
  }
}

static void PrintPlace(long i) {
  const struct Entry *one = &entries[i];
  if (one->kind == 'S' && one->is_declaration && one->depth == 1) printf("f %s %ld\n", one->name, i + 1);
  if (one->kind == 'V' && one->is_declaration && one->depth == 1) printf("g %s %ld\n", one->name, TypeNumber(one->type));
  if (one->kind == 'V' && one->is_here == 3) {
    const struct Entry key = {.offset = one->at}, *origin = one->type != 0 ? one : bsearch(&key, entries, count, sizeof key, ByOffset);
    if (origin != NULL) printf("d %ld %ld\n", one->where, TypeNumber(origin->type));
  }
  if (one->kind != 'S' || one->low == 0) return;
  printf("l %ld %ld\n", one->low, one->low + one->high);
  for (long j = i + 1; j < count && entries[j].depth > one->depth; ++j) {
    const int is_variable = entries[j].kind == 'V' || entries[j].kind == 'P';
    if (is_variable && entries[j].is_here == 2) printf("x %ld %ld\n", entries[j].where, TypeNumber(entries[j].type));
  }
}

int main(void) {
  static char line[1 << 20];
  int parents[kDeepest] = {0};
  while (fgets(line, sizeof line, stdin) != NULL) {
    int depth = 0;
    long offset = 0;
    char tag[100] = "", name[100] = "";
    if (sscanf(line, " <%d><%lx>: Abbrev Number: %*d (%99[A-Za-z_])", &depth, (unsigned long *)&offset, tag) == 3) {
      if (depth < 0 || depth >= kDeepest) exit(1);
      parents[depth] = (int)count;
      Begin(depth, offset, tag, parents);
    } else if (count > 0 && sscanf(line, " <%*x> %99[A-Za-z_0-9]", name) == 1) {
      const char *value = strchr(line, ':');
      value = value == NULL ? "" : value + 1;
      while (*value == ' ' || *value == '\t') ++value;
      Attribute(&entries[count - 1], name, value);
    }
  }
  for (long i = 0; i < count; ++i) PrintType(i + 1);
  for (long i = 0; i < count; ++i) PrintPlace(i);
  return 0;
}
