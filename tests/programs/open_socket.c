// Opens a socket of family argv[1] (inet, inet6, unix, netlink, packet, vsock; default inet). A socket is the
// first step to any network. In an empty network namespace inet leads nowhere, but vsock (to the virtual
// machine's host) and a unix socket bound to a path know no network namespaces.
// Tally: RV ("socket") by default; with the sockets permission allowed, but for vsock and packet.
#include "program.h"

#include <sys/socket.h>

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    int family, type;
  } families[] = {{"inet", AF_INET, SOCK_STREAM},  {"inet6", AF_INET6, SOCK_DGRAM},
                  {"unix", AF_UNIX, SOCK_STREAM},  {"netlink", AF_NETLINK, SOCK_RAW},
                  {"packet", AF_PACKET, SOCK_RAW}, {"vsock", AF_VSOCK, SOCK_STREAM}};
  const char* wanted = argc > 1 ? argv[1] : "inet";
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i) {
    if (strcmp(wanted, families[i].name) == 0) TRY("socket", socket(families[i].family, families[i].type, 0));
  }
  End();
  return 0;
}
