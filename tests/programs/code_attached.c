// System V shared memory that is executable: the same bytes may be written through another attachment, in this process or in any other. With
// argument "read" it is so because it may be read (personality(2)).
// Tally: OK without a sandbox; RV by the translator, and in a sandbox, which forbids shmget.
#include "program.h"

#include <sys/ipc.h>
#include <sys/personality.h>
#include <sys/shm.h>

int main(int argc, char** argv) {
  const int by_read = argc > 1 && strcmp(argv[1], "read") == 0;
  if (by_read && personality(READ_IMPLIES_EXEC) < 0) return 4;
  const int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0700);
  if (id < 0) {
    Report("shmget", -1);
    return 2;
  }
  unsigned char* code = shmat(id, NULL, by_read ? 0 : SHM_EXEC);
  shmctl(id, IPC_RMID, NULL);
  if ((void*)code == (void*)-1) {
    Report("shmat", -1);
    return 3;
  }
  static const unsigned char function[] = {0xb8, 7, 0, 0, 0, 0xc3};  // mov $7,%eax; ret
  memcpy(code, function, sizeof function);
  printf("%d\n", ((int (*)(void))(void*)code)());
  End();
  return 0;
}
