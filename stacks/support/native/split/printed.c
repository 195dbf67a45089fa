#define _GNU_SOURCE
#include "printed.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire.h"

static off_t told[3];
static long most_output;

static void Capture(int fd) {
  char path[] = "/tmp/outputXXXXXX";
  const int file = mkostemp(path, O_CLOEXEC | O_APPEND);
  if (file < 0 || unlink(path) != 0 || dup2(file, fd) < 0) _exit(70);
  close(file);
}

static void *Watch(void *nothing) {
  static const char text[] = kFlood;
  const uint32_t size = sizeof text - 1;
  struct stat out, err;
  for (;;) {
    fstat(1, &out);
    fstat(2, &err);
    if (out.st_size > most_output || err.st_size > most_output) break;
    usleep(20000);
  }
  (void)!write(wire.out, &size, sizeof size);
  (void)!write(wire.out, "x", 1);
  (void)!write(wire.out, text, size);
  _exit(0);
  return nothing;
}

void printed_begin(long most) {
  pthread_t watch;
  most_output = most;
  Capture(1);
  Capture(2);
  if (pthread_create(&watch, NULL, Watch, NULL) != 0) _exit(70);
}

char *printed_since(int fd, size_t *size) {
  const off_t end = lseek(fd, 0, SEEK_END);
  *size = end > told[fd] ? (size_t)(end - told[fd]) : 0;
  if (*size > (size_t)most_output + 1) *size = (size_t)most_output + 1;
  char *text = malloc(*size + 1);
  if (text == NULL) abort();
  const ssize_t n = *size > 0 ? pread(fd, text, *size, told[fd]) : 0;
  *size = n > 0 ? (size_t)n : 0;
  if (end >= 0) told[fd] = end;
  return text;
}

void printed_again(int fd, const char *text, size_t size) {
  for (size_t at = 0; at < size;) {
    const ssize_t n = write(fd, text + at, size - at);
    if (n <= 0) break;
    at += (size_t)n;
  }
}
