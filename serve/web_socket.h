// Messages over a connection that was HTTP (RFC 6455): frames by wslay, in our own loop. Nothing here waits.
#pragma once

#include <poll.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/units.h"
#include "serve/http_daemon.h"
#include "serve/http_upgrade.h"

namespace tally::serve {

class WebSocket {
 public:
  using OnMessage = std::function<void(std::string_view message)>;

  WebSocket(HttpUpgrade connection, Bytes longest_message, OnMessage on_message);
  ~WebSocket();
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;

  // Sent as the other side takes it.
  void SendText(std::string_view text);
  void SendBinary(std::string_view data);
  // After what is to be sent. `code` and `reason` as in RFC 6455, 7.4.
  void Close(std::uint16_t code, std::string_view reason);
  // Bytes of messages of which nothing is sent yet.
  [[nodiscard]] std::size_t unsent() const;
  // No messages are taken for now. Nor are they while many wait to be sent, pongs included.
  void set_paused(bool paused) { paused_ = paused; }

  [[nodiscard]] pollfd Wanted() const;
  // After waiting, with what was found. False: the connection is over.
  bool Move(short found, Nanoseconds now);
  // When to Move although nothing is found.
  [[nodiscard]] Nanoseconds next() const;

  struct Library;  // wslay's part

 private:
  friend struct WebSocketCallbacks;
  void Send(std::string_view data, std::uint8_t opcode);
  bool HasTakenSome(Nanoseconds now);
  [[nodiscard]] bool Reads() const;
  void CloseWhenSent(Nanoseconds now);
  [[nodiscard]] Nanoseconds LongestSilence() const;

  HttpUpgrade connection_;
  OnMessage on_message_;
  std::unique_ptr<Library> library_;
  std::size_t received_at_ = 0, part_left_ = 0, fragments_ = 0;
  int left_in_kernel_ = 0;  // bytes, when last looked at
  bool paused_ = false, is_gone_ = false, is_closing_ = false;
  std::optional<std::pair<std::uint16_t, std::string>> close_;  // that is not on its way yet
  Nanoseconds ping_at_{0}, heard_at_{0}, sent_at_{0};
};

constexpr std::uint16_t kCloseNormal = 1000, kCloseGoingAway = 1001, kCloseRefused = 1008;

// The answer to a call that asks for a WebSocket: 101 and `take`; or what is wrong with it.
HttpReply WebSocketReply(const HttpCall& call, std::function<void(HttpUpgrade)> take);

}  // namespace tally::serve
