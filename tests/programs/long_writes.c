// Reads and writes that come to their middle and wait there for another process. Prints a line for each. argv[1] "sockets": of sockets.
// Tally: OK with 3 processes (sockets: with that permission); by turns as natively.
#include "program.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>

#define MUCH ((size_t)1 << 20)

static char block[MUCH];

// A child that reads all from a descriptor, so much at a time, and says how much it was and whether it is what was sent.
static pid_t Reader(int from, int other, size_t at_a_time) {
  fflush(stdout);
  const pid_t child = fork();
  if (child != 0) return child;
  close(other);
  static char part[200000];
  size_t sum = 0, wrong = 0;
  for (ssize_t n = 0; (n = read(from, part, at_a_time)) > 0; sum += (size_t)n) {
    for (ssize_t i = 0; i < n; ++i) wrong += part[i] != block[(sum + (size_t)i) % MUCH];
  }
  printf("  read %zu bytes, %zu wrong\n", sum, wrong);
  fflush(stdout);
  _exit(0);
}

static void Send(const char* name, const int ends[2], size_t at_a_time, int in_pieces) {
  const pid_t child = Reader(ends[0], ends[1], at_a_time);
  close(ends[0]);
  ssize_t written = 0;
  if (in_pieces) {
    const struct iovec pieces[] = {{block, 5}, {block + 5, 0}, {block + 5, 300000}, {block + 300005, MUCH - 300005}};
    written = writev(ends[1], pieces, 4);
  } else {
    written = write(ends[1], block, MUCH);
  }
  printf("%s: wrote %zd bytes\n", name, written);
  fflush(stdout);
  close(ends[1]);
  waitpid(child, NULL, 0);
}

static void ReaderGoes(void) {
  int ends[2];
  if (pipe(ends) != 0) return;
  const pid_t writer = fork();
  if (writer == 0) {
    const pid_t reader = fork();
    if (reader == 0) {
      close(ends[1]);
      char part[100];
      _exit(read(ends[0], part, sizeof part) == 100 ? 0 : 1);
    }
    close(ends[0]);
    _exit(write(ends[1], block, MUCH) > 0 ? 0 : 1);
  }
  int status = 0;
  close(ends[0]);
  close(ends[1]);
  waitpid(writer, &status, 0);
  printf("nobody reads the rest: %s\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE ? "SIGPIPE" : "?");
}

static void Sockets(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  Send("socket", ends, 50000, 0);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  Send("socket, in pieces", ends, 200000, 1);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 10; ++i) {
      if (write(ends[1], block, 1000) != 1000) _exit(1);
      usleep(1000);
    }
    sleep(1);
    _exit(0);
  }
  printf("recv of all: %zd bytes\n", recv(ends[0], block, 10000, MSG_WAITALL));
  const struct timeval patience = {0, 50000};
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const ssize_t late = recv(ends[0], block, 1, 0);
  printf("recv with patience: %s\n", late == -1 ? strerrorname_np(errno) : "?");
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
}

int main(int argc, char** argv) {
  for (size_t i = 0; i < MUCH; ++i) block[i] = (char)(i % 251);
  if (argc > 1 && strcmp(argv[1], "sockets") == 0) {
    Sockets();
    End();
    return 0;
  }
  int ends[2];
  if (pipe(ends) != 0) return 2;
  Send("pipe, read in large parts", ends, 200000, 0);
  if (pipe(ends) != 0) return 2;
  Send("pipe, read in small parts", ends, 1000, 0);
  if (pipe(ends) != 0) return 2;
  Send("pipe, in pieces", ends, 70000, 1);
  ReaderGoes();
  End();
  return 0;
}
