#include "tests/support/relay.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include "base/error.h"

namespace tally {
namespace {

sockaddr_in Name(const std::string& address, std::uint16_t port) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  ::inet_pton(AF_INET, address.c_str(), &name.sin_addr);
  return name;
}

Fd Socket() { return Fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

struct Line {
  Fd outer, inner;
  std::uint64_t left;  // from outer to inner
};

// What has come in at one end goes out at the other, at most `left`; false at the end of either.
bool Move(int from, int to, std::uint64_t* left) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::recv(from, buffer.data(), std::min(buffer.size(), *left), 0);
  if (n > 0) *left -= static_cast<std::uint64_t>(n);
  for (ssize_t done = 0; n > 0 && done < n;) {
    const ssize_t sent = ::send(to, buffer.data() + done, static_cast<std::size_t>(n - done), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    done += sent;
  }
  return n > 0;
}

}  // namespace

NetworkRelay::NetworkRelay(const std::string& address, std::uint16_t port, std::uint64_t most)
    : port_(port), most_(most), listener_(Socket()), stop_(::eventfd(0, EFD_CLOEXEC)) {
  const sockaddr_in name = Name(address, port);
  if (::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0 || ::listen(listener_.get(), 16) != 0) {
    throw SystemError("listen on " + address, errno);
  }
  thread_ = std::thread([this] { Serve(); });
}

NetworkRelay::~NetworkRelay() {
  const std::uint64_t one = 1;
  if (::write(stop_.get(), &one, sizeof one) == sizeof one) thread_.join();
}

void NetworkRelay::Serve() {
  std::vector<Line> lines;
  std::uint64_t unbounded = UINT64_MAX;
  for (;;) {
    std::vector<pollfd> fds{{stop_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
    for (const Line& line : lines) {
      fds.push_back({line.left > 0 ? line.outer.get() : -1, POLLIN, 0});
      fds.push_back({line.inner.get(), POLLIN, 0});
    }
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return;
    if (fds[0].revents != 0) return;
    for (std::size_t i = lines.size(); i-- > 0;) {
      const int outer = lines[i].outer.get(), inner = lines[i].inner.get();
      const bool ends = (fds[2 + 2 * i].revents != 0 && !Move(outer, inner, &lines[i].left)) ||
                        (fds[3 + 2 * i].revents != 0 && !Move(inner, outer, &unbounded));
      if (ends) lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (fds[1].revents == 0) continue;
    Fd outer(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)), inner = Socket();
    const sockaddr_in name = Name("127.0.0.1", port_);
    const bool connected = ::connect(inner.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0;
    if (outer.valid() && connected) lines.push_back({std::move(outer), std::move(inner), most_});
  }
}

}  // namespace tally
