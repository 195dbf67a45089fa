#include "types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostTypes = 1 << 24, kDeepest = 100 };

static struct Type kVoid = {.kind = 'v'};

static void *Grown(void *array, int count, size_t size) {
  if (count % 16 != 0) return array;
  array = realloc(array, (count + 16) * size);
  if (array == NULL) abort();
  return array;
}

static struct Type *TypeAt(struct Table *table, long number) {
  if (number <= 0 || number >= kMostTypes) return &kVoid;
  if (number >= table->type_count) {
    const int wanted = (int)number + 1024;
    table->types = realloc(table->types, wanted * sizeof *table->types);
    if (table->types == NULL) abort();
    memset(table->types + table->type_count, 0, (wanted - table->type_count) * sizeof *table->types);
    table->type_count = wanted;
  }
  if (table->types[number] == NULL) {
    table->types[number] = calloc(1, sizeof **table->types);
    if (table->types[number] == NULL) abort();
    table->types[number]->kind = 'x';
    table->types[number]->number = (int)number;
  }
  return table->types[number];
}

static void AddNamed(struct Table *table, struct Named **all, int *count, const char *name, long type) {
  for (int i = 0; i < *count; ++i) {
    if (strcmp((*all)[i].name, name) == 0) return;  // of another source
  }
  *all = Grown(*all, *count, sizeof **all);
  (*all)[(*count)++] = (struct Named){strdup(name), TypeAt(table, type)};
}

static void Line(struct Table *table, const char *line, struct Type **last) {
  long a = 0, b = 0, c = 0, d = 0;
  char kind = 0, name[200];
  if (sscanf(line, "t %ld %c %ld %ld %ld", &a, &kind, &b, &c, &d) == 5) {
    struct Type *type = *last = TypeAt(table, a);
    type->kind = kind;
    type->size = b;
    type->of = TypeAt(table, c);
    type->count = d;
  } else if (sscanf(line, "m %ld %ld", &a, &b) == 2 && *last != NULL) {
    (*last)->members = Grown((*last)->members, (*last)->member_count, sizeof *(*last)->members);
    (*last)->members[(*last)->member_count++] = (struct Member){a, TypeAt(table, b)};
  } else if (sscanf(line, "f %199s %ld", name, &a) == 2) {
    AddNamed(table, &table->functions, &table->function_count, name, a);
  } else if (sscanf(line, "g %199s %ld", name, &a) == 2) {
    AddNamed(table, &table->variables, &table->variable_count, name, a);
  } else if (sscanf(line, "d %ld %ld", &a, &b) == 2) {
    table->data = Grown(table->data, table->data_count, sizeof *table->data);
    table->data[table->data_count++] = (struct Variable){a, TypeAt(table, b)};
  } else if (sscanf(line, "l %ld %ld", &a, &b) == 2) {
    table->code = Grown(table->code, table->code_count, sizeof *table->code);
    table->code[table->code_count++] = (struct Code){a, b, NULL, 0};
  } else if (sscanf(line, "x %ld %ld", &a, &b) == 2 && table->code_count > 0) {
    struct Code *code = &table->code[table->code_count - 1];
    code->variables = Grown(code->variables, code->count, sizeof *code->variables);
    code->variables[code->count++] = (struct Variable){a, TypeAt(table, b)};
  }
}

struct Table *TableOf(char *text) {
  struct Table *table = calloc(1, sizeof *table);
  struct Type *last = NULL;
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); table != NULL && line != NULL; line = strtok_r(NULL, "\n", &rest)) Line(table, line, &last);
  return table;
}

const struct Type *Plain(const struct Type *type) {
  for (int hops = 0; type->kind == 'c' && hops < kDeepest; ++hops) type = type->of;
  return type;
}

long SizeOf(const struct Type *type) {
  long count = 1;
  type = Plain(type);
  for (int depth = 0; type->kind == 'a' && depth < kDeepest; ++depth) {
    count *= type->count;
    type = Plain(type->of);
  }
  return type->kind == 'p' ? 8 * count : strchr("ifsux", type->kind) != NULL ? count * type->size : 0;
}

static int HasPointersBelow(const struct Type *type, int depth) {
  type = Plain(type);
  if (type->kind == 'p') return 1;
  if (depth > kDeepest) return 0;
  if (type->kind == 'a') return HasPointersBelow(type->of, depth + 1);
  if (type->kind != 's' && type->kind != 'u') return 0;
  for (int i = 0; i < type->member_count; ++i) {
    if (HasPointersBelow(type->members[i].type, depth + 1)) return 1;
  }
  return 0;
}

int HasPointers(const struct Type *type) { return HasPointersBelow(type, 0); }
