#include "base/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/error.h"

namespace tally {
namespace {

constexpr int kBacklog = 64;

template <typename Address>
ListenAddress Wrap(const Address& address) {
  ListenAddress out;
  std::memcpy(&out.storage, &address, sizeof address);
  out.size = sizeof address;
  return out;
}

}  // namespace

ListenAddress ParseListenAddress(std::string_view text) {
  const auto fail = [text] {
    throw UserError(
        fmt::format("found \"{}\"; expected an address and a port, like 127.0.0.1:9464 or [::1]:9464", text));
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || text.size() > 80) fail();
  const std::string_view port_text = text.substr(colon + 1);
  std::uint16_t port = 0;
  const auto parsed = std::from_chars(port_text.data(), port_text.data() + port_text.size(), port);
  if (parsed.ec != std::errc() || parsed.ptr != port_text.data() + port_text.size()) fail();
  std::string host(text.substr(0, colon));
  if (host == "localhost") host = "127.0.0.1";
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    if (::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &address.sin6_addr) != 1) fail();
    return Wrap(address);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) fail();
  return Wrap(address);
}

Fd ListenOn(const std::string& text) {
  const ListenAddress address = ParseListenAddress(text);
  Fd fd(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd.valid()) throw SystemError("socket for " + text, errno);
  const int yes = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.size) != 0 ||
      ::listen(fd.get(), kBacklog) != 0) {
    throw UserError(fmt::format("cannot listen on {}: {}", text, ErrnoText(errno)));
  }
  return fd;
}

std::string AddressOf(const Fd& socket) {
  ListenAddress address;
  address.size = sizeof address.storage;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address.storage), &address.size) != 0) {
    throw SystemError("getsockname", errno);
  }
  char host[INET6_ADDRSTRLEN] = {};
  if (address.storage.ss_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address.storage, sizeof six);
    ::inet_ntop(AF_INET6, &six.sin6_addr, host, sizeof host);
    return fmt::format("[{}]:{}", host, ntohs(six.sin6_port));
  }
  sockaddr_in four{};
  std::memcpy(&four, &address.storage, sizeof four);
  ::inet_ntop(AF_INET, &four.sin_addr, host, sizeof host);
  return fmt::format("{}:{}", host, ntohs(four.sin_port));
}

}  // namespace tally
