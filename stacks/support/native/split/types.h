// Types, and where variables are, as tables.c has written them down.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct Type;

struct Member {
  long offset;
  const struct Type *type;
};

struct Type {
  char kind;  // tables.c
  long size, count;
  const struct Type *of;   // pointee, element, result
  struct Member *members;  // or parameters
  int member_count, number;
};

struct Variable {
  long where;
  const struct Type *type;
};

struct Code {
  long begin, end;
  struct Variable *variables;
  int count;
};

struct Named {
  const char *name;
  const struct Type *type;
};

struct Table {
  struct Type **types;  // by number; NULL where there is none
  int type_count;
  struct Named *functions, *variables;
  int function_count, variable_count;
  struct Variable *data;
  int data_count;
  struct Code *code;
  int code_count;
};

// `text` is changed. NULL: it is no table.
struct Table *TableOf(char *text);

// Without const.
const struct Type *Plain(const struct Type *type);
long SizeOf(const struct Type *type);  // 0: it has none
int HasPointers(const struct Type *type);
