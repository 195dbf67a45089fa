// go-judge's /stream: one run over one connection, whose streams the caller writes and reads while it runs.
//   in:  1 + the request as JSON, first;  3 + a byte of command and descriptor (four bits each) + bytes for its streamIn;  4: cancel
//   out: 2 + that byte + bytes of its streamOut;  1 + {"results": [...]} or {"error": "a sentence"}, last
// A program that nobody reads waits for the reader, and one that does not read holds up its writer: by its limits at most.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "serve/run_queue.h"
#include "serve/socket_call.h"
#include "serve/web_socket.h"

namespace tally::serve {

class StreamSocket : public SocketCall {
 public:
  // `queue` outlives it.
  StreamSocket(HttpUpgrade connection, Bytes longest_message, RunQueue* queue);
  ~StreamSocket() override;
  StreamSocket(const StreamSocket&) = delete;
  StreamSocket& operator=(const StreamSocket&) = delete;

  void AddTo(std::vector<pollfd>* fds) override;
  bool Move(const std::vector<pollfd>& fds, Nanoseconds now) override;
  [[nodiscard]] Nanoseconds next() const override { return socket_.next(); }
  void End() override;

 private:
  // Our end of a pipe to a command, or from it.
  struct Stream {
    std::uint8_t name = 0;  // as messages have it
    bool is_input = false;
    Fd end;
    std::string received;
    std::size_t written = 0;  // of it
    [[nodiscard]] std::size_t unwritten() const { return received.size() - written; }
    std::size_t place = 0;  // in the list of what is waited for; 0: not in there, for the socket comes first
  };

  void OnMessage(std::string_view message);
  void Start(std::string_view text);
  void Write(Stream* stream);
  void Read(Stream* stream);
  void Refuse(const std::string& sentence);
  void FinishIfOver();
  void SendLast(const std::string& json);

  RunQueue* queue_;
  WebSocket socket_;
  std::optional<std::uint64_t> number_;  // of the run
  std::size_t commands_ = 0;
  std::vector<Stream> streams_;
  std::optional<std::string> results_;
  std::size_t place_ = 0;
};

}  // namespace tally::serve
