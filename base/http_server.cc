#include "base/http_server.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/listen_address.h"

namespace tally {
namespace {

constexpr std::size_t kMostClients = 64;
constexpr Nanoseconds kQuiet = std::chrono::seconds(10);

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

std::string Written(const HttpResponse& response, bool with_body, bool keep_alive) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nX-Content-Type-Options: nosniff\r\n{}\r\n{}",
      response.status, ReasonPhrase(response.status), response.content_type, response.body.size(),
      keep_alive ? "" : "Connection: close\r\n", with_body ? response.body : "");
}

bool MustWait() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

HttpServer::HttpServer(const std::string& address, const HttpLimits& limits, Handler handler)
    : listener_(ListenOn(address)), limits_(limits), handler_(std::move(handler)) {}

std::string HttpServer::address() const { return AddressOf(listener_); }

void HttpServer::AddTo(std::vector<pollfd>* fds) const {
  fds->push_back({listener_.get(), POLLIN, 0});
  for (const Client& client : clients_) {
    // One request after the other: while an answer is on its way, the next one waits in the socket.
    fds->push_back({client.fd.get(), static_cast<short>(client.out.empty() ? POLLIN : POLLOUT), 0});
  }
}

void HttpServer::Move(Nanoseconds now) {
  for (auto client = clients_.begin(); client != clients_.end();) {
    const bool stays =
        (!client->out.empty() || Read(&*client, now)) && Write(&*client, now) && now - client->heard < kQuiet;
    client = stays ? std::next(client) : clients_.erase(client);
  }
  Accept(now);  // they are read next time, before others come
}

std::optional<Nanoseconds> HttpServer::next() const {
  std::optional<Nanoseconds> first;
  for (const Client& client : clients_) first = std::min(first.value_or(Nanoseconds::max()), client.heard + kQuiet);
  return first;
}

// Who comes while there are as many as may be takes the place of who was quiet for longest: connections that say nothing shut nobody out.
void HttpServer::Accept(Nanoseconds now) {
  for (std::size_t i = 0; i < kMostClients / 2; ++i) {
    Fd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!fd.valid()) return;
    if (clients_.size() == kMostClients) clients_.erase(std::min_element(clients_.begin(), clients_.end(), [](const Client& a, const Client& b) { return a.heard < b.heard; }));
    clients_.push_back({std::move(fd), {}, {}, now});
  }
}

bool HttpServer::Read(Client* client, Nanoseconds now) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::recv(client->fd.get(), buffer.data(), buffer.size(), 0);
  if (n < 0) return MustWait();
  if (n == 0) return false;
  client->heard = now;
  client->in.append(buffer.data(), static_cast<std::size_t>(n));
  Answer(client);
  return true;
}

void HttpServer::Answer(Client* client) {
  HttpParse parse = ParseHttpRequest(client->in, limits_);
  switch (parse.state) {
    case HttpParse::State::kIncomplete:
      if (parse.wants_continue && !client->continued) {
        client->continued = true;
        client->out += "HTTP/1.1 100 Continue\r\n\r\n";
      }
      return;
    case HttpParse::State::kRefused:
      client->out += Written({parse.status, "text/plain; charset=utf-8", parse.reason + "\n"}, true, false);
      client->closing = true;
      return;
    case HttpParse::State::kComplete:
      client->in.erase(0, parse.size);
      client->continued = false;
      client->closing = !parse.request.keep_alive;
      const bool with_body = parse.request.method != "HEAD";
      if (!with_body) parse.request.method = "GET";
      client->out += Written(handler_(parse.request), with_body, parse.request.keep_alive);
  }
}

bool HttpServer::Write(Client* client, Nanoseconds now) {
  while (!client->out.empty()) {
    const ssize_t n = ::send(client->fd.get(), client->out.data(), client->out.size(), MSG_NOSIGNAL);
    if (n < 0) return MustWait();
    client->heard = now;
    client->out.erase(0, static_cast<std::size_t>(n));
    if (client->out.empty() && client->closing) return false;
    // Another request may have come with the last one.
    if (client->out.empty() && !client->in.empty()) Answer(client);
  }
  return true;
}

}  // namespace tally
