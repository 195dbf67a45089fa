#include "dispatcher/sio_connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>

#include "base/error.h"
#include "jobs/shallow_json.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestMessage = 1 << 20;
constexpr int kConnectMilliseconds = 10'000;

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

// errno where it fails.
int ConnectTo(int socket, const addrinfo& address) {
  if (::connect(socket, address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd writable{socket, POLLOUT, 0};
  if (::poll(&writable, 1, kConnectMilliseconds) <= 0) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

Fd ConnectToAny(const std::string& host, const std::string& port) {
  const addrinfo hints{.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  addrinfo* list = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &list); error != 0) {
    throw SystemError(fmt::format("look up {}: {}", host, ::gai_strerror(error)), 0);
  }
  const std::unique_ptr<addrinfo, FreeAddresses> addresses(list);
  int error = ENOENT;
  for (const addrinfo* address = list; address != nullptr; address = address->ai_next) {
    Fd socket(::socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket.valid()) continue;
    error = ConnectTo(socket.get(), *address);
    if (error == 0) return socket;
  }
  throw SystemError(fmt::format("connect to {}:{}", host, port), error);
}

}  // namespace

SioConnection::SioConnection(const std::string& host, const std::string& port) : socket_(ConnectToAny(host, port)), in_(kLongestMessage) {
  const int on = 1;
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

std::vector<SioMessage> SioConnection::Read() {
  if (!nonsense_.empty()) throw UserError(nonsense_);
  std::array<char, 1 << 16> block{};
  for (;;) {
    const ssize_t n = ::read(socket_.get(), block.data(), block.size());
    if (n > 0) in_.Add({block.data(), static_cast<std::size_t>(n)});
    if (n == 0) throw SystemError("the server has closed the connection", 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN) throw SystemError("read from the server", errno);
    if (n < static_cast<ssize_t>(block.size())) break;
  }
  std::vector<SioMessage> messages;
  try {
    while (const std::optional<std::string> text = in_.Take()) {
      SioMessage message;
      message.json = ParseWithoutDepths(*text, &message.was_cut);
      if (!message.json.is_object()) throw UserError("a message came that is no JSON object");
      messages.push_back(std::move(message));
    }
  } catch (const UserError& error) {  // what came before it is heard
    if (messages.empty()) throw;
    nonsense_ = error.what();
  }
  return messages;
}

void SioConnection::Write() {
  while (!out_.empty()) {
    const ssize_t n = ::send(socket_.get(), out_.data(), out_.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0) throw SystemError("write to the server", errno);
    out_.erase(0, static_cast<std::size_t>(n));
  }
}

bool SioConnection::Send(const json& message) {
  const std::string text = message.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > kLongestMessage) return false;
  out_ += Netstring(text);
  return true;
}

}  // namespace tally
