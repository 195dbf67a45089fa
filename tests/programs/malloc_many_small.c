// Allocates argv[1] MiB (default 256) in blocks of 100 bytes and keeps them all, as a linked list.
// Small blocks come from the heap, which grows by brk(2) in small steps: no single request is large, so a
// supervisor that looks only at large requests sees none.
// Tally: MLE when the memory limit is below argv[1], else OK.
#include "program.h"

struct Node {
  struct Node* next;
  char rest[92];
};

int main(int argc, char** argv) {
  struct Node* list = NULL;
  for (size_t i = (size_t)Number(argc, argv, 1, 256) * MIB / 112; i > 0; --i) {
    struct Node* node = malloc(sizeof *node);
    if (node == NULL) {
      perror("malloc");
      return 1;
    }
    node->next = list;
    list = node;
  }
  printf("%d\n", list != NULL);
  End();
  return 0;
}
