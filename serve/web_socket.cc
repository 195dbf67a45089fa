#include "serve/web_socket.h"

#include <linux/sockios.h>
#include <nettle/base64.h>
#include <nettle/sha1.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <wslay/wslay.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/sys.h"

namespace tally::serve {
namespace {

constexpr auto kBetweenPings = std::chrono::seconds(50);
constexpr auto kLongestSilence = std::chrono::seconds(110);  // of one that was pinged
constexpr auto kLongestToTake = std::chrono::seconds(10);    // of what is said last
constexpr std::size_t kMostQueued = 256;                     // messages that wait to be sent, before more is heard: pings want pongs
constexpr std::size_t kMostFragments = 100'000;              // of one message: each costs memory, however small it is
constexpr std::size_t kPart = std::size_t{1} << 20;          // of one that says much, before others are heard
constexpr std::size_t kLongestReason = 123;                  // RFC 6455, 5.5: a control frame has 125 bytes, two of them the code

// RFC 6455, 4.2.2, 5.4.
std::string AcceptFor(const std::string& key) {
  const std::string text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  sha1_ctx hash{};
  ::sha1_init(&hash);
  ::sha1_update(&hash, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  std::array<std::uint8_t, SHA1_DIGEST_SIZE> digest{};
  ::sha1_digest(&hash, digest.size(), digest.data());
  std::string accept(BASE64_ENCODE_RAW_LENGTH(digest.size()), '\0');
  ::base64_encode_raw(accept.data(), digest.size(), digest.data());
  return accept;
}

// Of a list as headers have them, with commas and blanks.
bool HasToken(std::string_view list, const char* token) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string one(list.substr(0, end));
    one.erase(0, std::min(one.find_first_not_of(" \t"), one.size()));
    one.erase(one.find_last_not_of(" \t") + 1);
    if (::strcasecmp(one.c_str(), token) == 0) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

HttpReply Refused(unsigned status, const std::string& sentence) { return {.status = status, .body = "{\"error\": \"" + sentence + "\"}\n", .headers = {}, .take = {}}; }

}  // namespace

struct WebSocket::Library {
  wslay_event_context_ptr context = nullptr;
};

// What the library calls.
struct WebSocketCallbacks {
  static ssize_t Receive(wslay_event_context_ptr context, std::uint8_t* into, std::size_t size, int /*flags*/, void* user) {
    auto& self = *static_cast<WebSocket*>(user);
    if (!self.Reads() || self.part_left_ == 0) {
      ::wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
      return -1;
    }
    const std::string& received = self.connection_.received();
    if (const std::size_t left = received.size() - self.received_at_; left > 0) {
      const std::size_t n = std::min(size, left);
      std::memcpy(into, received.data() + self.received_at_, n);
      self.received_at_ += n;
      return static_cast<ssize_t>(n);
    }
    ssize_t n = 0;
    while ((n = ::recv(self.connection_.socket(), into, size, MSG_DONTWAIT)) < 0 && errno == EINTR) {
    }
    if (n > 0) {
      self.part_left_ -= std::min(self.part_left_, static_cast<std::size_t>(n));
      return n;
    }
    self.is_gone_ |= n == 0 || errno != EAGAIN;
    ::wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
    return -1;
  }

  static ssize_t Send(wslay_event_context_ptr context, const std::uint8_t* data, std::size_t size, int flags, void* user) {
    auto& self = *static_cast<WebSocket*>(user);
    ssize_t n = 0;
    while ((n = ::send(self.connection_.socket(), data, size, MSG_DONTWAIT | MSG_NOSIGNAL | ((flags & WSLAY_MSG_MORE) != 0 ? MSG_MORE : 0))) < 0 && errno == EINTR) {
    }
    if (n >= 0) {
      self.sent_at_ = sys::MonotonicNow();
      return n;
    }
    self.is_gone_ |= errno != EAGAIN;
    ::wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
    return -1;
  }

  static void Fragment(wslay_event_context_ptr /*context*/, const wslay_event_on_frame_recv_start_arg* frame, void* user) {
    auto& self = *static_cast<WebSocket*>(user);
    if (wslay_is_ctrl_frame(frame->opcode) != 0) return;
    self.fragments_ = frame->opcode == WSLAY_CONTINUATION_FRAME ? self.fragments_ + 1 : 0;
    self.is_gone_ |= self.fragments_ > kMostFragments;
  }

  static void Message(wslay_event_context_ptr /*context*/, const wslay_event_on_msg_recv_arg* message, void* user) {
    auto& self = *static_cast<WebSocket*>(user);
    if (wslay_is_ctrl_frame(message->opcode) != 0 || self.is_closing_) return;
    self.on_message_({reinterpret_cast<const char*>(message->msg), message->msg_length});
  }
};

WebSocket::WebSocket(HttpUpgrade connection, Bytes longest_message, OnMessage on_message)
    : connection_(std::move(connection)), on_message_(std::move(on_message)), library_(std::make_unique<Library>()) {
  const wslay_event_callbacks callbacks{&WebSocketCallbacks::Receive, &WebSocketCallbacks::Send, nullptr, &WebSocketCallbacks::Fragment, nullptr, nullptr, &WebSocketCallbacks::Message};
  if (::wslay_event_context_server_init(&library_->context, &callbacks, this) != 0) throw std::bad_alloc();
  ::wslay_event_config_set_max_recv_msg_length(library_->context, longest_message.count);
  // Each message is to be there at once, whatever the last one's acknowledgement; on a Unix socket there is nothing to be said.
  const int yes = 1;
  ::setsockopt(connection_.socket(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  heard_at_ = sent_at_ = sys::MonotonicNow();
  ping_at_ = heard_at_ + kBetweenPings;
}

WebSocket::~WebSocket() { ::wslay_event_context_free(library_->context); }

void WebSocket::Send(std::string_view data, std::uint8_t opcode) {
  if (::wslay_event_want_write(library_->context) == 0) sent_at_ = sys::MonotonicNow();
  const wslay_event_msg message{opcode, reinterpret_cast<const std::uint8_t*>(data.data()), data.size()};
  if (::wslay_event_queue_msg(library_->context, &message) == WSLAY_ERR_NOMEM) throw std::bad_alloc();
}
void WebSocket::SendText(std::string_view text) { Send(text, WSLAY_TEXT_FRAME); }
void WebSocket::SendBinary(std::string_view data) { Send(data, WSLAY_BINARY_FRAME); }

void WebSocket::Close(std::uint16_t code, std::string_view reason) {
  if (std::exchange(is_closing_, true)) return;
  close_ = {code, std::string(reason.substr(0, kLongestReason))};
}

// The library sends a close frame before messages that wait, and those never.
void WebSocket::CloseWhenSent(Nanoseconds now) {
  if (!is_closing_ || !close_ || ::wslay_event_want_write(library_->context) != 0) return;
  ::wslay_event_queue_close(library_->context, close_->first, reinterpret_cast<const std::uint8_t*>(close_->second.data()), close_->second.size());
  close_.reset();
  heard_at_ = sent_at_ = now;
}

std::size_t WebSocket::unsent() const { return ::wslay_event_get_queued_msg_length(library_->context); }

bool WebSocket::Reads() const { return !paused_ && ::wslay_event_get_queued_msg_count(library_->context) <= kMostQueued && ::wslay_event_want_read(library_->context) != 0; }

pollfd WebSocket::Wanted() const {
  const bool writes = ::wslay_event_want_write(library_->context) != 0;
  return {connection_.socket(), static_cast<short>((Reads() ? POLLIN : POLLRDHUP) | (writes ? POLLOUT : 0)), 0};
}

Nanoseconds WebSocket::next() const {
  const bool has_received = received_at_ < connection_.received().size() && Reads();
  if (has_received || (close_ && ::wslay_event_want_write(library_->context) == 0)) return Nanoseconds(0);
  const Nanoseconds writes_until = ::wslay_event_want_write(library_->context) != 0 ? sent_at_ + LongestSilence() : Nanoseconds::max();
  return std::min({is_closing_ ? Nanoseconds::max() : ping_at_, heard_at_ + LongestSilence(), writes_until});
}

// One that was said goodbye to has to say so, too.
Nanoseconds WebSocket::LongestSilence() const { return is_closing_ ? Nanoseconds(kLongestToTake) : Nanoseconds(kLongestSilence); }

// Of what the kernel has for it: one that reads slowly has not come to the goodbye yet.
bool WebSocket::HasTakenSome(Nanoseconds now) {
  int left = 0;
  if (!is_closing_ || ::ioctl(connection_.socket(), SIOCOUTQ, &left) != 0 || left == std::exchange(left_in_kernel_, left)) return false;
  heard_at_ = now;
  return true;
}

bool WebSocket::Move(short found, Nanoseconds now) {
  wslay_event_context_ptr const context = library_->context;
  if ((found & (POLLERR | POLLHUP | POLLNVAL)) != 0 || ((found & POLLRDHUP) != 0 && (found & POLLIN) == 0)) return false;
  part_left_ = kPart;
  // Once goodbye is said nothing else is waited for but its answer; and of one that is not listened to nothing can be heard.
  const bool said_goodbye = is_closing_ && !close_;
  if (((found & POLLIN) != 0 || !Reads()) && !said_goodbye) heard_at_ = now;
  const bool has_something = (found & POLLIN) != 0 || received_at_ < connection_.received().size();
  if (has_something && ::wslay_event_want_read(context) != 0 && ::wslay_event_recv(context) != 0) return false;
  if (now >= ping_at_ && !is_closing_) {
    Send({}, WSLAY_PING);
    ping_at_ = now + kBetweenPings;
  }
  for (int i = 0; i < 2; ++i) {  // messages, and a goodbye
    if (::wslay_event_want_write(context) != 0 && ::wslay_event_send(context) != 0) return false;
    CloseWhenSent(now);
  }
  const bool is_stuck = ::wslay_event_want_write(context) != 0 && now >= sent_at_ + LongestSilence();
  const bool is_silent = now >= heard_at_ + LongestSilence() && !HasTakenSome(now);
  const bool is_closed = ::wslay_event_want_read(context) == 0 && !close_ && ::wslay_event_want_write(context) == 0;
  return !is_gone_ && !is_stuck && !is_silent && !is_closed;
}

HttpReply WebSocketReply(const HttpCall& call, std::function<void(HttpUpgrade)> take) {
  if (call.method != "GET" || call.version != "HTTP/1.1" || !HasToken(call.upgrade, "websocket") || !HasToken(call.connection, "upgrade")) {
    return Refused(426, "expected a WebSocket (GET with Connection: Upgrade and Upgrade: websocket)");
  }
  if (!call.body.empty()) return Refused(400, "a body in a call for a WebSocket");
  if (call.web_socket_version != "13") {
    HttpReply reply = Refused(426, "expected Sec-WebSocket-Version: 13");
    reply.headers = {{"Sec-WebSocket-Version", "13"}};
    return reply;
  }
  if (call.web_socket_key.size() != BASE64_ENCODE_RAW_LENGTH(16)) return Refused(400, "Sec-WebSocket-Key: expected 24 characters");
  // A browser tells whose page asks. Of another site's none is served: this machine's user does not know that it asks.
  const std::size_t host_at = call.origin.find("://");
  if (!call.origin.empty() && (host_at == std::string::npos || ::strcasecmp(call.origin.c_str() + host_at + 3, call.host.c_str()) != 0)) return Refused(403, "Origin: a page of another site");
  return {.status = 101, .body = "", .type = "", .headers = {{"Upgrade", "websocket"}, {"Sec-WebSocket-Accept", AcceptFor(call.web_socket_key)}}, .take = std::move(take)};
}

}  // namespace tally::serve
