// Three processes take the lock of a file by turns, and each sleeps while it has it: flock(2) and fcntl(2) wait in the kernel.
// Tally: OK with 5 processes and the permission to write files.
#include "program.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>

static void Lock(int file, int by_record) {
  struct flock record = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if ((by_record ? fcntl(file, F_SETLKW, &record) : flock(file, LOCK_EX)) != 0) _exit(4);
}
static void Unlock(int file, int by_record) {
  struct flock record = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  if ((by_record ? fcntl(file, F_SETLK, &record) : flock(file, LOCK_UN)) != 0) _exit(5);
}

int main(void) {
  volatile int* sum = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char name[] = "/tmp/lockXXXXXX";
  if (mkstemp(name) < 0) return 2;
  for (int by_record = 0; by_record < 2; ++by_record) {
    for (int process = 0; process < 3; ++process) {
      if (fork() != 0) continue;
      const int file = open(name, O_RDWR);
      if (file < 0) _exit(3);
      for (int i = 0; i < 5; ++i) {
        Lock(file, by_record);
        const int before = *sum;
        usleep(500);
        *sum = before + 1;
        Unlock(file, by_record);
      }
      _exit(0);
    }
    int status = 0;
    while (wait(&status) > 0) {
      if (status != 0) return 1;
    }
  }
  unlink(name);
  printf("%d\n", *sum);
  End();
  return 0;
}
