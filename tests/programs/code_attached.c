// System V shared memory that is executable: the same bytes may be written through another attachment, in this process or in any other.
// Tally: OK without a sandbox; RV by the translator, and in a sandbox, which forbids shmget.
#include "program.h"

#include <sys/ipc.h>
#include <sys/shm.h>

int main(void) {
  const int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0700);
  if (id < 0) {
    Report("shmget", -1);
    return 2;
  }
  unsigned char* code = shmat(id, NULL, SHM_EXEC);
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
