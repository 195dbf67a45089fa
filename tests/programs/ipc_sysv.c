// Makes a System V shared memory segment, a semaphore set and a message queue, and a POSIX message queue.
// System V objects outlive their makers until somebody removes them: a channel between two runs, unless each
// has an ipc namespace of its own, with which they vanish. What it made it removes.
// Tally: RV ("shmget"). Where a policy permits them: OK, and the next run must find no object (it prints
// which).
#include "program.h"

#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

int main(void) {
  const key_t key = 0x7a117;
  TRY("shmget of an earlier run", shmget(key, 4096, 0600));
  int memory = -1, semaphores = -1, queue = -1;
  TRY("shmget", memory = shmget(key, 4096, IPC_CREAT | 0600));
  TRY("semget", semaphores = semget(key, 1, IPC_CREAT | 0600));
  TRY("msgget", queue = msgget(key, IPC_CREAT | 0600));
  TRY("mq_open", mq_open("/tally-test", O_CREAT | O_RDWR, 0600, NULL));
  mq_unlink("/tally-test");
  shmctl(memory, IPC_RMID, NULL);
  semctl(semaphores, 0, IPC_RMID);
  msgctl(queue, IPC_RMID, NULL);
  End();
  return 0;
}
