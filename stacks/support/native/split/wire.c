#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "end.h"

struct Wire wire = {.in = -1, .out = -1, .notices = -1};

int wire_open(void) {
  int calls = -1, answers = -1, orders = -1, notices = -1;
  const char *descriptors = getenv("TALLY_SPLIT");
  if (descriptors == NULL || sscanf(descriptors, "%d %d %d %d", &calls, &answers, &orders, &notices) != 4) return 0;
  for (int *fd = (int[]){calls, answers, orders, notices, -1}; *fd >= 0; ++fd) fcntl(*fd, F_SETFD, FD_CLOEXEC);
  unsetenv("TALLY_SPLIT");
  wire = (struct Wire){.in = answers, .out = calls, .notices = notices};
  if (write(orders, "start\n", 6) != 6) _exit(1);
  return 1;
}

// What has been said is heard before its speaker's end is.
static void Await(int fd, short event) {
  struct pollfd fds[] = {{fd, event, 0}, {wire.notices, POLLIN, 0}};
  if (wire.notices < 0) return;
  while (poll(fds, 2, -1) < 0 && errno == EINTR) {
  }
  if (fds[0].revents != 0 || fds[1].revents == 0) return;
  char why[4096];
  const ssize_t size = read(wire.notices, why, sizeof why - 1);
  why[size > 0 ? size : 0] = '\0';
  why[strcspn(why, "\n")] = '\0';
  end_case(why);
}

static void WriteAll(const char *bytes, size_t size) {
  while (size > 0) {
    Await(wire.out, POLLOUT);
    const ssize_t n = write(wire.out, bytes, wire.notices >= 0 && size > 4096 ? 4096 : size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1);
    bytes += n;
    size -= (size_t)n;
  }
}

static void ReadAll(char *bytes, size_t size) {
  while (size > 0) {
    Await(wire.in, POLLIN);
    const ssize_t n = read(wire.in, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(0);
    bytes += n;
    size -= (size_t)n;
  }
}

void wire_send(char kind, const char *bytes, size_t size) {
  if (wire.process != 0 && getpid() != wire.process) _exit(0);  // a copy that the solution made answers nobody
  if (size > kLongestMessage) end_case("with params.split no more than 64 MiB go between tests and solution");
  char head[5];
  const uint32_t length = (uint32_t)size;
  memcpy(head, &length, sizeof length);
  head[4] = kind;
  WriteAll(head, sizeof head);
  WriteAll(bytes, size);
}

char *wire_receive(char *kind, size_t *size) {
  char head[5], *bytes = NULL;
  uint32_t length = 0;
  ReadAll(head, sizeof head);
  memcpy(&length, head, sizeof length);
  *kind = head[4];
  if (length > kLongestMessage) misunderstood("a message that is too long");
  // Not more than what has come asks for.
  for (size_t got = 0; got < length || bytes == NULL;) {
    const size_t part = length - got < 1 << 20 ? length - got : 1 << 20;
    bytes = realloc(bytes, got + part + 1);
    if (bytes == NULL) misunderstood("a message that is too long");
    ReadAll(bytes + got, part);
    got += part;
  }
  *size = length;
  return bytes;
}

_Noreturn void wire_refused(const char *said, size_t size) {
  char why[400];
  if (size > sizeof why - 1) size = sizeof why - 1;
  memcpy(why, said, size);
  why[size] = '\0';
  end_case(strncmp(why, "with params.split", 17) == 0 || strcmp(why, kFlood) == 0 ? why : "the solution's process said what is no answer (no reason)");
}
