#include "tests/support/receiver.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <list>

#include "base/http_request.h"
#include "base/listen_address.h"

namespace tally {

bool Eventually(const std::function<bool()>& condition) {
  // A look may itself take long: the clock is asked, and not the number of looks.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return condition();
}

Receiver::Receiver(Behaviour behaviour)
    : behaviour_(behaviour), listener_(ListenOn("127.0.0.1:0")), stop_(::eventfd(0, EFD_CLOEXEC)) {
  address_ = AddressOf(listener_);
  if (behaviour == Behaviour::kRefuses) listener_.Reset();
  if (behaviour != Behaviour::kRefuses && behaviour != Behaviour::kNeverAccepts)
    thread_ = std::thread([this] { Serve(); });
}

Receiver::~Receiver() {
  ::eventfd_write(stop_.get(), 1);
  if (thread_.joinable()) thread_.join();
}

std::vector<nlohmann::json> Receiver::deliveries() const {
  const std::lock_guard lock(mutex_);
  return deliveries_;
}

bool Receiver::Waits(std::size_t count) const {
  return Eventually([&] { return deliveries().size() >= count; });
}

void Receiver::Serve() {
  std::list<Connection> connections;
  for (;;) {
    std::vector<pollfd> fds{{stop_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
    for (const Connection& connection : connections) fds.push_back({connection.fd.get(), POLLIN, 0});
    ::poll(fds.data(), fds.size(), -1);
    if (fds[0].revents != 0) return;
    if (fds[1].revents != 0) {
      Fd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (fd.valid()) connections.push_back({std::move(fd), {}});
    }
    connections.remove_if([&](Connection& connection) {
      return std::any_of(fds.begin() + 2, fds.end(),
                         [&](const pollfd& fd) { return fd.fd == connection.fd.get() && fd.revents != 0; }) &&
             !Read(&connection);
    });
  }
}

bool Receiver::Read(Connection* connection) {
  char buffer[65536];
  const ssize_t n = ::recv(connection->fd.get(), buffer, sizeof buffer, 0);
  if (n <= 0) return false;
  connection->in.append(buffer, static_cast<std::size_t>(n));
  const HttpParse parse = ParseHttpRequest(connection->in, {});
  if (parse.state != HttpParse::State::kComplete) return parse.state == HttpParse::State::kIncomplete;
  connection->in.erase(0, parse.size);
  {
    const std::lock_guard lock(mutex_);
    deliveries_.push_back(nlohmann::json::parse(parse.request.body, nullptr, false));
  }
  if (behaviour_ == Behaviour::kResets) {
    const linger at_once{1, 0};
    ::setsockopt(connection->fd.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    return false;
  }
  if (behaviour_ == Behaviour::kHangs) return true;
  const std::string answer = behaviour_ == Behaviour::kFails
                                 ? "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"
                                 : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  return ::send(connection->fd.get(), answer.data(), answer.size(), MSG_NOSIGNAL) > 0;
}

}  // namespace tally
