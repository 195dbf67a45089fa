#define _GNU_SOURCE
#include "talk.h"

#include <stdlib.h>

#include "end.h"

enum { kMostFreed = 1 << 16 };

struct Talk talk;

// Messages -----------------------------------------------------------------------------------------------------------

void talk_send(char kind, struct Message *message) { wire_send(kind, message->data, message->size); }

struct Message *talk_receive(char *kind) {
  struct Message *message = message_new();
  message->data = wire_receive(kind, &message->size);
  message->at = message->data;
  message->left = message->size;
  return message;
}

void talk_begin(struct Message *message) {
  static uint32_t freed[kMostFreed];
  talk.put_printed(message);
  const int count = memory_freed(freed, kMostFreed);
  put_number(message, (uint32_t)count);
  for (int i = 0; i < count; ++i) put_number(message, freed[i]);
}

void talk_head(struct Message *message) {
  talk.get_printed(message);
  const uint32_t count = get_number(message);
  if (count > message->left / 4) misunderstood("less than a message");
  for (uint32_t i = 0; i < count; ++i) memory_forget(get_number(message), !is_tests_side);
}

void talk_variables(struct Message *message, int put) {
  for (int i = 0; i < talk.variable_count; ++i) {
    struct Object *variable = memory_numbered(2 * (uint32_t)(i + 1));
    if (variable == NULL) continue;
    if (put) put_object(message, variable);
    else get_object(message, variable);
  }
}

static void PutArguments(struct Message *message, const struct Call *call) {
  for (int i = 0; i < call->type->member_count; ++i) put_value(message, call->type->members[i].type, call->arguments[i]);
}

static void GetArguments(struct Message *message, struct Call *call) {
  for (int i = 0; i < call->type->member_count; ++i) get_value(message, call->type->members[i].type, call->arguments[i]);
}

static void SetActive(const struct Message *message, int more) {
  for (size_t i = 0; i < message->queued; ++i) {
    struct Object *object = message->queue[i];
    object->active += more;
    if (object->active > 0) continue;
    object->changeable = 0;
    if (object->is_gone) memory_forget(object->number, 0);
  }
}

static struct Message *Received(char *kind) {
  struct Message *message = talk_receive(kind);
  if (*kind == 'x' && is_tests_side) wire_refused(message->at, message->left);
  get_objects(message);
  talk_head(message);
  return message;
}

struct Message *talk_wait(void) {
  for (;;) {
    char kind = 0;
    struct Message *message = Received(&kind);
    if (kind == 'r') return message;
    if (kind != 'c') misunderstood("another kind of message");
    talk_answer(message);
  }
}

void talk_call(uint32_t number, struct Call *call) {
  memory_moved();
  struct Message *asked = message_new();
  talk_begin(asked);
  put_number(asked, number);
  PutArguments(asked, call);
  talk_variables(asked, 1);
  put_objects(asked);
  SetActive(asked, 1);
  talk_send('c', asked);
  struct Message *answer = talk_wait();
  memory_moved();
  // Arguments are there for what they lead to; the caller's own are not changed.
  struct Call *scratch = call_new(call->type, "it");
  answer->is_argument = 1;
  GetArguments(answer, scratch);
  answer->is_argument = 0;
  get_value(answer, call->type->of, call->result);
  if (answer->left != 0) misunderstood("more than a message");
  talk_variables(answer, 0);
  fill_objects(answer);
  SetActive(asked, -1);
  call_free(scratch);
  message_free(answer);
  message_free(asked);
}

void talk_answer(struct Message *message) {
  const struct Type *type = NULL;
  const char *name = "";
  void *function = talk.function(get_number(message), &type, &name);
  if (function == NULL) misunderstood("a function that was not given");
  struct Call *call = call_new(type, name);
  GetArguments(message, call);
  if (message->left != 0) misunderstood("more than a message");
  talk_variables(message, 0);
  fill_objects(message);
  message_free(message);
  call_do(call, function);
  memory_moved();
  struct Message *answer = message_new();
  talk_begin(answer);
  PutArguments(answer, call);
  put_value(answer, type->of, call->result);
  talk_variables(answer, 1);
  put_objects(answer);
  talk_send('r', answer);
  message_free(answer);
  call_free(call);
}
