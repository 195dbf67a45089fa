#include "profile/metrics/machine_lock.h"

#include <sys/socket.h>

#include <cerrno>

#include "base/error.h"
#include "profile/metrics/abstract_address.h"

namespace tally {
namespace {

Fd Socket() {
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) throw SystemError("socket of the machine's lock", errno);
  return fd;
}

// Who listens under a name is on the certificate of every connection to it.
std::optional<pid_t> HolderOf(const AbstractAddress& address) {
  const Fd fd = Socket();
  ucred credentials{};
  socklen_t length = sizeof credentials;
  if (::connect(fd.get(), address.get(), address.size()) != 0 ||
      ::getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) {
    return std::nullopt;
  }
  return credentials.pid;
}

}  // namespace

MachineLock::MachineLock(const std::string& name) {
  const AbstractAddress address(name);
  Fd socket = Socket();
  if (::bind(socket.get(), address.get(), address.size()) == 0 && ::listen(socket.get(), 1) == 0) {
    socket_ = std::move(socket);
  } else if (errno == EADDRINUSE) {
    holder_ = HolderOf(address);
  } else {
    throw SystemError("bind the machine's lock", errno);
  }
}

}  // namespace tally
