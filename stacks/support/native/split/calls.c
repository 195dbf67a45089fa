#define _GNU_SOURCE
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "end.h"

enum Class { kNone, kInteger, kSse, kMemory };
enum { kDeepest = 50, kMostStack = 4096 };

extern void split_invoke(void *function, struct Registers *registers, long words);
__asm__(
    ".text\n.globl split_invoke\n.hidden split_invoke\n.type split_invoke, @function\nsplit_invoke:\n"
    ".cfi_startproc\npush %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset 6, -16\nmov %rsp, %rbp\n.cfi_def_cfa_register 6\npush %rbx\n.cfi_offset 3, -24\npush %r12\n.cfi_offset 12, -32\nmov %rsi, %rbx\nmov %rdi, %r11\nmov %rdx, %rcx\n"
    "lea 1(%rdx), %rax\nand $-2, %rax\nshl $3, %rax\nsub %rax, %rsp\ncld\nmov %rsp, %rdi\nmov 112(%rbx), %rsi\nrep movsq\n"
    "mov (%rbx), %rdi\nmov 8(%rbx), %rsi\nmov 16(%rbx), %rdx\nmov 24(%rbx), %rcx\nmov 32(%rbx), %r8\nmov 40(%rbx), %r9\n"
    "movsd 48(%rbx), %xmm0\nmovsd 56(%rbx), %xmm1\nmovsd 64(%rbx), %xmm2\nmovsd 72(%rbx), %xmm3\n"
    "movsd 80(%rbx), %xmm4\nmovsd 88(%rbx), %xmm5\nmovsd 96(%rbx), %xmm6\nmovsd 104(%rbx), %xmm7\n"
    "mov $8, %eax\ncall *%r11\nmov %rax, 120(%rbx)\nmov %rdx, 128(%rbx)\nmovsd %xmm0, 136(%rbx)\nmovsd %xmm1, 144(%rbx)\n"
    "lea -16(%rbp), %rsp\npop %r12\npop %rbx\npop %rbp\n.cfi_def_cfa 7, 8\nret\n.cfi_endproc\n");

static void Classify(const struct Type *type, long offset, enum Class *classes, int depth) {
  type = Plain(type);
  if (depth > kDeepest || offset >= 16) return;
  if (type->kind == 's' || type->kind == 'u') {
    for (int i = 0; i < type->member_count; ++i) Classify(type->members[i].type, offset + type->members[i].offset, classes, depth + 1);
    // Of bits nothing is said.
    for (long at = 0; type->kind == 's' && at < type->size && at < 16; at += 8) {
      if (classes[at / 8] == kNone) classes[at / 8] = kInteger;
    }
  } else if (type->kind == 'a') {
    for (long i = 0; i < type->count && i < 16; ++i) Classify(type->of, offset + i * SizeOf(type->of), classes, depth + 1);
  } else {
    enum Class *at = &classes[offset / 8];
    if (type->kind != 'f') *at = kInteger;
    else if (*at == kNone) *at = kSse;
  }
}

static void ClassesOf(const struct Type *type, enum Class *classes) {
  classes[0] = classes[1] = kNone;
  if (SizeOf(type) > 16) classes[0] = kMemory;
  else Classify(type, 0, classes, 0);
}

static int CanCross(const struct Type *type) {
  type = Plain(type);
  if (type->kind == 'f' || type->kind == 'i') return type->size <= 8;
  if (type->kind == 'a') return CanCross(type->of);
  if (type->kind == 's' || type->kind == 'u') {
    for (int i = 0; i < type->member_count; ++i) {
      if (!CanCross(type->members[i].type)) return 0;
    }
  }
  return type->kind != 'x' && type->kind != 'o';
}

struct Call *call_new(const struct Type *function, const char *name) {
  const char *why = NULL;
  if (function->kind != 'F') why = "is no function";
  else if (function->count != 0 && function->member_count > 0) why = "takes a number of arguments that is not known";
  else if (function->member_count > kMostParameters) why = "takes too many arguments";
  else if (!CanCross(function->of)) why = "returns a long double or another number that is as large";
  for (int i = 0; why == NULL && i < function->member_count; ++i) {
    if (!CanCross(function->members[i].type)) why = "takes a long double or another number that is as large";
  }
  if (why != NULL) {
    char text[400];
    snprintf(text, sizeof text, "with params.split %s cannot be called: it %s", name, why);
    end_case(text);
  }
  struct Call *call = calloc(1, sizeof *call);
  if (call == NULL) abort();
  call->type = function;
  for (int i = 0; i < function->member_count; ++i) call->arguments[i] = calloc(1, (size_t)SizeOf(function->members[i].type) + 16);
  call->result = calloc(1, (size_t)SizeOf(function->of) + 16);
  return call;
}

void call_free(struct Call *call) {
  for (int i = 0; i < call->type->member_count; ++i) free(call->arguments[i]);
  free(call->result);
  free(call);
}

// Copies all arguments from registers and stack, or into them. The number of words on the stack.
static long Move(struct Call *call, struct Registers *registers, int take) {
  enum Class classes[2];
  int integers = 0, sses = 0;
  long words = 0;
  ClassesOf(call->type->of, classes);
  if (classes[0] == kMemory) registers->integer[integers++] = take ? registers->integer[0] : (uint64_t)call->result;
  for (int i = 0; i < call->type->member_count; ++i) {
    const struct Type *type = call->type->members[i].type;
    const long count = (SizeOf(type) + 7) / 8;
    ClassesOf(type, classes);
    int wanted_integers = 0, wanted_sses = 0;
    for (int j = 0; j < 2; ++j) wanted_integers += classes[j] == kInteger, wanted_sses += classes[j] == kSse;
    const int on_stack = classes[0] == kMemory || integers + wanted_integers > 6 || sses + wanted_sses > 8;
    if (on_stack && words + count > kMostStack) end_case("with params.split arguments of more than 32 KiB cannot go from tests to solution");
    for (long j = 0; j < count; ++j) {
      uint64_t *where = on_stack ? &registers->stack[words++] : classes[j] == kSse ? &registers->sse[sses++] : &registers->integer[integers++];
      if (take) memcpy(call->arguments[i] + 8 * j, where, 8);
      else memcpy(where, call->arguments[i] + 8 * j, 8);
    }
  }
  return words;
}

void call_take(struct Call *call, const struct Registers *registers) {
  struct Registers copy = *registers;
  Move(call, &copy, 1);
}

void call_give(const struct Call *call, struct Registers *registers) {
  enum Class classes[2];
  const size_t size = (size_t)SizeOf(call->type->of);
  ClassesOf(call->type->of, classes);
  if (classes[0] == kMemory) {
    memcpy((void *)registers->integer[0], call->result, size);
    registers->result[0] = registers->integer[0];
    return;
  }
  int integers = 0, sses = 0;
  for (size_t j = 0; j < (size + 7) / 8; ++j) {
    memcpy(classes[j] == kSse ? &registers->sse_result[sses++] : &registers->result[integers++], call->result + 8 * j, 8);
  }
}

void call_do(struct Call *call, void *function) {
  static _Thread_local int depth;
  uint64_t stack[kMostStack];
  struct Registers registers = {.stack = stack};
  const long words = Move(call, &registers, 0);
  if (++depth > 1000) end_case("with params.split tests and solution call each other too deeply");
  split_invoke(function, &registers, words);
  --depth;
  enum Class classes[2];
  ClassesOf(call->type->of, classes);
  int integers = 0, sses = 0;
  for (long j = 0; classes[0] != kMemory && j < (SizeOf(call->type->of) + 7) / 8; ++j) {
    memcpy(call->result + 8 * j, classes[j] == kSse ? &registers.sse_result[sses++] : &registers.result[integers++], 8);
  }
}
