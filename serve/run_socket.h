// go-judge's /ws: POST /run many times over one connection, each by an id of the caller's, answered in the order in which they end.
//   {"requestId": "a", "cmd": [...]}     ->  {"requestId": "a", "results": [...]}, or {"requestId": "a", "error": "a sentence"}
//   {"cancelRequestId": "a"}             ends what runs, and it is answered
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "serve/run_queue.h"
#include "serve/socket_call.h"
#include "serve/web_socket.h"

namespace tally::serve {

class RunSocket : public SocketCall {
 public:
  // `queue` outlives it.
  RunSocket(HttpUpgrade connection, Bytes longest_message, RunQueue* queue);
  ~RunSocket() override;
  RunSocket(const RunSocket&) = delete;
  RunSocket& operator=(const RunSocket&) = delete;

  void AddTo(std::vector<pollfd>* fds) override;
  bool Move(const std::vector<pollfd>& fds, Nanoseconds now) override;
  [[nodiscard]] Nanoseconds next() const override { return socket_.next(); }
  void End() override;

 private:
  void OnMessage(std::string_view message);
  void Submit(const std::string& id, nlohmann::json request);
  void Cancel(const std::string& id);
  void Answer(const std::string& id, const char* key, const std::string& json);

  struct Open {
    std::uint64_t number = 0;
    std::size_t commands = 0;
  };
  RunQueue* queue_;
  WebSocket socket_;
  std::map<std::string, Open> open_;  // by the caller's ids
  std::size_t place_ = 0;             // in the list of what is waited for
};

}  // namespace tally::serve
