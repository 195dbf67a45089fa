// The solution's process, where tests have one of their own: answers what they ask (talk.h). Its sandbox is its own, too, so nothing in here
// guards anything: whatever the solution makes of this process, it can only answer.
//
//   answerer CALLS ANSWERS MOST-OUTPUT
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "end.h"
#include "place.h"
#include "printed.h"
#include "talk.h"

#define FOLDER "/box/out/solution/"

int is_tests_side = 0;

extern char split_callbacks[];
extern void *tally_split_asks;

static void *library;
static void **functions;
static const struct Type *borrowed[kMostFunctions];

_Noreturn void end_case(const char *why) {
  struct Message *message = message_new();
  put_bytes(message, why, strlen(why));
  talk_send('x', message);
  _exit(0);
}

_Noreturn void misunderstood(const char *what) {
  dprintf(STDERR_FILENO, "the tests said what is no message: %s\n", what);
  _exit(70);
}

// What is printed ------------------------------------------------------------------------------------------------------

static void PutPrinted(struct Message *message) {
  fflush(NULL);
  for (int fd = 1; fd <= 2; ++fd) {
    size_t size = 0;
    char *text = printed_since(fd, &size);
    put_number(message, (uint32_t)size);
    put_bytes(message, text, size);
    free(text);
  }
}

static void GetPrinted(struct Message *message) { (void)message; }

// Functions ------------------------------------------------------------------------------------------------------------

static void *FunctionOf(uint32_t number, const struct Type **type, const char **name) {
  if (number >= (uint32_t)talk.function_count) return NULL;
  *type = talk.functions[number].type;
  *name = talk.functions[number].name;
  if (functions[number] == NULL) {
    char text[300];
    snprintf(text, sizeof text, "with params.split %s cannot be called: the solution has no such function", *name);
    end_case(text);
  }
  return functions[number];
}

void *borrowed_function(uint32_t number, const struct Type *type) {
  if (number >= kMostFunctions) misunderstood("a function");
  borrowed[number] = type;
  return split_callbacks + 16 * number;
}

uint32_t lend_function(const void *function, const struct Type *type) {
  (void)type;
  const char *at = function;
  if (at < split_callbacks || at >= split_callbacks + 16 * kMostFunctions) end_case("with params.split a function of the solution cannot be given to the tests");
  return (uint32_t)(at - split_callbacks) / 16;
}

static void Ask(uint32_t number, struct Registers *registers) {
  if (gettid() != getpid()) end_case("with params.split a thread of the solution cannot call a function of the tests");
  struct Call *call = call_new(borrowed[number], "a function of the tests");
  call_take(call, registers);
  talk_call(number, call);
  call_give(call, registers);
  call_free(call);
}

// The beginning --------------------------------------------------------------------------------------------------------

static void Load(void) {
  library = dlopen(FOLDER "libsolution.so", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    char text[380];
    snprintf(text, sizeof text, "with params.split the solution cannot be loaded: %.300s", dlerror());
    end_case(text);
  }
  memory_begin(place_of(library, FOLDER "types"), 1);
  functions = calloc((size_t)talk.function_count + 1, sizeof *functions);
  if (functions == NULL) abort();
  for (int i = 0; i < talk.function_count; ++i) functions[i] = dlsym(library, talk.functions[i].name);
  place_variables(library, talk.variables, talk.variable_count);
}

static void Begin(void) {
  char kind = 0;
  struct Message *message = talk_receive(&kind);
  char *text = malloc(message->left + 1);
  if (kind != 'h' || text == NULL) misunderstood("no beginning");
  memcpy(text, message->at, message->left);
  text[message->left] = '\0';
  message_free(message);
  const struct Table *table = TableOf(text);
  if (table == NULL) abort();
  talk.functions = table->functions;
  talk.function_count = table->function_count;
  talk.variables = table->variables;
  talk.variable_count = table->variable_count;
  Load();
  message = message_new();
  talk_begin(message);
  talk_variables(message, 1);
  put_objects(message);
  talk_send('r', message);
  message_free(message);
}

int main(int argc, char **argv) {
  if (argc < 4) return 70;
  wire = (struct Wire){.process = getpid(), .in = atoi(argv[1]), .out = atoi(argv[2]), .notices = -1};
  talk.put_printed = PutPrinted;
  talk.get_printed = GetPrinted;
  talk.function = FunctionOf;
  tally_split_asks = Ask;
  printed_begin(atol(argv[3]));
  Begin();
  for (;;) {
    char kind = 0;
    struct Message *message = talk_receive(&kind);
    if (kind != 'c') misunderstood("no question");
    get_objects(message);
    talk_head(message);
    talk_answer(message);
  }
}
