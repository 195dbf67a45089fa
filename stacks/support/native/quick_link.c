// A compiler that links in less time (quick_link.h):  quick_link COMPILER ARGUMENT...
#define _GNU_SOURCE
#include "quick_link.h"

int main(int argc, char **argv) {
  char **command = calloc((size_t)argc + 2, sizeof *command);
  if (command == NULL || argc < 2) return 2;
  memcpy(command, argv + 1, (size_t)(argc - 1) * sizeof *command);
  return quick_link(command, (size_t)(argc - 1));
}
