// Locks stdin, its executable and its work directory, for others to wait on: flock(2), fcntl locks, a lease.
// Locks belong to the file, not to the view of it: a lock on a read-only bind mount of a cached test blocks
// the judge, or another run with the same input, for as long as this one lives.
// Tally: OK; a lock on a file that is shared between runs does not delay anybody else (they take no locks),
// or the call is refused; locks end with the program.
#include "program.h"

#include <fcntl.h>
#include <sys/file.h>

int main(int argc, char** argv) {
  struct flock whole;
  memset(&whole, 0, sizeof whole);
  whole.l_type = F_RDLCK;
  TRY("flock stdin", flock(0, LOCK_EX | LOCK_NB));
  TRY("fcntl lock stdin", fcntl(0, F_SETLK, &whole));
  TRY("lease stdin", fcntl(0, F_SETLEASE, F_WRLCK));
  TRY("flock exe", flock(open("/proc/self/exe", O_RDONLY), LOCK_EX | LOCK_NB));
  TRY("flock .", flock(open(".", O_RDONLY), LOCK_EX | LOCK_NB));
  SafetyNet();
  if (argc > 1) sleep((unsigned)Number(argc, argv, 1, 0));
  End();
  return 0;
}
