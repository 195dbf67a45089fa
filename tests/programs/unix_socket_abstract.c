// Connects to abstract unix socket @argv[1] (default "/tmp/.X11-unix/X0") and listens on one of its own.
// Abstract names live in the network namespace, not in the file system: a read-only root and Landlock before
// ABI 6 do not hide the host's, among them X11 and session buses that run commands for whoever asks.
// Tally: RV ("socket") by default; with the sockets permission the connect is "refused (ECONNREFUSED)".
#include "program.h"

#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static socklen_t Abstract(struct sockaddr_un* address, const char* name) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  strncpy(address->sun_path + 1, name, sizeof address->sun_path - 2);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
}

int main(int argc, char** argv) {
  struct sockaddr_un address;
  int fd = -1;
  TRY("socket", fd = socket(AF_UNIX, SOCK_STREAM, 0));
  socklen_t size = Abstract(&address, argc > 1 ? argv[1] : "/tmp/.X11-unix/X0");
  TRY("connect", connect(fd, (struct sockaddr*)&address, size));
  size = Abstract(&address, "tally-test-program");
  TRY("bind", bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&address, size));
  End();
  return 0;
}
