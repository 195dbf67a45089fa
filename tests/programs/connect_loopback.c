// Connects to 127.0.0.1, port argv[1] (default 1: usually nobody listens).
// On the host's loopback listen databases and message queues that trust local users. In a network namespace
// of its own the program finds a loopback that is down: ENETUNREACH, where the host would say ECONNREFUSED.
// Tally: RV ("socket") by default; with the sockets permission "refused (ENETUNREACH)" and OK.
#include "program.h"

#include <arpa/inet.h>
#include <sys/socket.h>

int main(int argc, char** argv) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)Number(argc, argv, 1, 1))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = -1;
  SafetyNet();
  TRY("socket", fd = socket(AF_INET, SOCK_STREAM, 0));
  TRY("connect", connect(fd, (struct sockaddr*)&address, sizeof address));
  End();
  return 0;
}
