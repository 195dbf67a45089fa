// It takes nothing on trust: what is no answer, and a solution that has ended, end the case.
#define _GNU_SOURCE
#include "asker.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "end.h"
#include "place.h"
#include "printed.h"
#include "talk.h"

int is_tests_side = 1;

static int connected;
static int *numbers;
static struct {
  const void *function;
  const struct Type *type;
} lent[kMostFunctions];
static uint32_t lent_count;

static void PutPrinted(struct Message *message) { (void)message; }

static void GetPrinted(struct Message *message) {
  fflush(NULL);
  for (int fd = 1; fd <= 2; ++fd) {
    const uint32_t size = get_number(message);
    const char *text = get_bytes(message, size);
    printed_again(fd, text, size);
  }
}

uint32_t lend_function(const void *function, const struct Type *type) {
  for (uint32_t i = 0; i < lent_count; ++i) {
    if (lent[i].function == function) return i;
  }
  if (lent_count == kMostFunctions) end_case("with params.split no more than 256 functions can be given to the solution");
  lent[lent_count].function = function;
  lent[lent_count].type = type;
  return lent_count++;
}

void *borrowed_function(uint32_t number, const struct Type *type) {
  (void)type;
  if (number >= lent_count) misunderstood("a function that was not given");
  return (void *)lent[number].function;
}

static void *FunctionOf(uint32_t number, const struct Type **type, const char **name) {
  *name = "a function of the tests";
  if (number >= lent_count) return NULL;
  *type = lent[number].type;
  return (void *)lent[number].function;
}

static void Ask(uint32_t stub, struct Registers *registers) {
  if (!connected) {
    memset(registers->result, 0, sizeof registers->result);
    memset(registers->sse_result, 0, sizeof registers->sse_result);
    return;
  }
  if (gettid() != getpid()) end_case("with params.split a thread of the tests cannot call the solution");
  if (numbers[stub] < 0) end_case("with params.split a function of the solution is called that the tests do not declare");
  struct Call *call = call_new(talk.functions[numbers[stub]].type, talk.functions[numbers[stub]].name);
  call_take(call, registers);
  talk_call((uint32_t)numbers[stub], call);
  call_give(call, registers);
  call_free(call);
}

// Types, functions and variables: what the solution's process is told. Where the tests have their own is not its business.
static void SendTypes(const char *file) {
  FILE *table = fopen(file, "re");
  struct Message *message = message_new();
  char line[1024];
  if (table == NULL) end_case("with params.split there are no types");
  while (fgets(line, sizeof line, table) != NULL) {
    if (strchr("tmfg", line[0]) != NULL) put_bytes(message, line, strlen(line));
  }
  fclose(table);
  talk_send('h', message);
  message_free(message);
}

void split_open(void (*ends)(const char *why)) {
  split_give_up = ends;
  connected = wire_open();
}

void split_begin(void *tests, const char *file) {
  const char *names = dlsym(tests, "tally_split_names");
  void **asks = dlsym(tests, "tally_split_asks");
  char table_file[512];
  if (asks == NULL || names == NULL) return;
  *asks = Ask;
  if (!connected) return;
  snprintf(table_file, sizeof table_file, "%s.types", file);
  const struct Place place = place_of(tests, table_file);
  talk = (struct Talk){.functions = place.table->functions, .variables = place.table->variables, .function_count = place.table->function_count,
                       .variable_count = place.table->variable_count, .put_printed = PutPrinted, .get_printed = GetPrinted, .function = FunctionOf};
  memory_begin(place, 0);
  int count = 0;
  for (const char *at = names; *at != '\0'; at += strlen(at) + 1) ++count;
  numbers = malloc(((size_t)count + 1) * sizeof *numbers);
  if (numbers == NULL) abort();
  int stub = 0;
  for (const char *at = names; *at != '\0'; at += strlen(at) + 1, ++stub) {
    numbers[stub] = -1;
    for (int i = 0; i < talk.function_count; ++i) {
      if (strcmp(talk.functions[i].name, at) == 0) numbers[stub] = i;
    }
  }
  place_variables(tests, talk.variables, talk.variable_count);
  SendTypes(table_file);
  struct Message *answer = talk_wait();
  talk_variables(answer, 0);
  fill_objects(answer);
  message_free(answer);
}
