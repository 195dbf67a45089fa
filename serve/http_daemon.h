// HTTP by libmicrohttpd, in our own loop: calls as they come whole, answers when there are any. A call that is not answered at once is put
// aside, and its connection looked at by us, for who waits may go.
#pragma once

#include <poll.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/units.h"
#include "serve/http_upgrade.h"

struct MHD_Connection;
struct MHD_Daemon;

namespace tally::serve {

struct HttpCall {
  std::string method, version, path, body, authorization, content_type;
  // Of one that wants to speak something else: "" unless there is `upgrade`.
  std::string upgrade, connection, host, origin, web_socket_key, web_socket_version;
};

struct HttpReply {
  unsigned status = 200;
  std::string body;
  std::string type = "application/json; charset=utf-8";
  std::map<std::string, std::string> headers;
  // Of status 101: who takes the connection.
  std::function<void(HttpUpgrade)> take;
};

struct HttpSettings {
  Bytes longest_body;
  unsigned most_connections = 0;
  // Asked before a call's body is read: the refusal, or nothing.
  std::function<std::optional<HttpReply>(const HttpCall& call)> admit;
};

class HttpDaemon {
 public:
  // The answer, or none yet: then it is given by Reply, by the call's number.
  using Handler = std::function<std::optional<HttpReply>(std::uint64_t number, const HttpCall& call)>;
  // Who asked is gone; nobody waits for an answer.
  using OnGone = std::function<void(std::uint64_t number)>;

  // `listener` listens. SystemError when the library refuses.
  HttpDaemon(Fd listener, const HttpSettings& settings, Handler handler, OnGone on_gone);
  ~HttpDaemon();
  HttpDaemon(const HttpDaemon&) = delete;
  HttpDaemon& operator=(const HttpDaemon&) = delete;

  void Reply(std::uint64_t number, HttpReply reply);
  // No new connections.
  void StopListening();
  // Calls that are not answered to the last byte.
  [[nodiscard]] std::size_t in_hand() const { return in_hand_; }

  void AddTo(std::vector<pollfd>* fds) const;
  // How long to wait at most; nothing: as long as it takes.
  [[nodiscard]] std::optional<Nanoseconds> next() const;
  // After waiting, with what was found.
  void Move(const std::vector<pollfd>& fds);

  struct Call;  // one that is in hand; the library's callbacks have it

 private:
  friend struct HttpDaemonCallbacks;
  int OnCall(MHD_Connection* connection, Call* call);

  Bytes longest_body_;
  std::function<std::optional<HttpReply>(const HttpCall& call)> admit_;
  Handler handler_;
  OnGone on_gone_;
  MHD_Daemon* daemon_ = nullptr;
  Fd listener_;
  std::uint64_t calls_so_far_ = 0;
  std::size_t in_hand_ = 0;
  std::map<std::uint64_t, Call*> waiting_;
};

}  // namespace tally::serve
