#include "profile/metrics/machine_lock.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "base/error.h"

namespace tally {
namespace {

Fd Socket() {
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) throw SystemError("socket of the machine's lock", errno);
  return fd;
}

// Who listens under a name is on the certificate of every connection to it.
std::optional<pid_t> HolderOf(const sockaddr* address, socklen_t size) {
  const Fd fd = Socket();
  ucred credentials{};
  socklen_t length = sizeof credentials;
  if (::connect(fd.get(), address, size) != 0 ||
      ::getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) {
    return std::nullopt;
  }
  return credentials.pid;
}

}  // namespace

MachineLock::MachineLock(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // The first byte stays 0: an abstract name, no file.
  const std::size_t size = std::min(name.size(), sizeof address.sun_path - 1);
  std::copy_n(name.begin(), size, address.sun_path + 1);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size);
  const auto* const plain = reinterpret_cast<const sockaddr*>(&address);
  Fd socket = Socket();
  if (::bind(socket.get(), plain, length) == 0 && ::listen(socket.get(), 1) == 0) {
    socket_ = std::move(socket);
  } else if (errno == EADDRINUSE) {
    holder_ = HolderOf(plain, length);
  } else {
    throw SystemError("bind the machine's lock", errno);
  }
}

}  // namespace tally
