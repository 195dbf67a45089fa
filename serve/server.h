// The resident judge: calls in, runs in workers, answers out (docs/serve.md). One loop of one thread, which waits for nobody: HTTP calls, sockets
// that stay, and the queue of runs each say what they wait for. When a client is gone its runs go with it. What comes while as much waits as may
// is refused (429), and on SIGTERM what is in hand is finished.
#pragma once

#include <poll.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/units.h"
#include "serve/file_store.h"
#include "serve/http_daemon.h"
#include "serve/run_queue.h"
#include "serve/socket_call.h"

namespace tally::serve {

struct ServerSettings {
  Fd listener;
  std::string address;  // for people
  std::size_t workers = 4;
  std::size_t most_waiting = 512;
  Bytes longest_body = Bytes::MiB(256);
  Bytes largest_store = Bytes::MiB(1024);
  Bytes work_size = Bytes::MiB(256);
  std::string token;       // "": everybody may
  std::string src_prefix;
  bool plain_paths = false, weak_isolation = false;
};

class Server {
 public:
  explicit Server(ServerSettings settings);
  // Until SIGTERM or SIGINT, and what is in hand then is answered.
  void Run();

 private:
  std::optional<HttpReply> OnCall(std::uint64_t number, const HttpCall& call);
  std::optional<HttpReply> OnRun(std::uint64_t number, const HttpCall& call);
  std::optional<HttpReply> OnJob(std::uint64_t number, const HttpCall& call);
  HttpReply OnFiles(const HttpCall& call);
  HttpReply OnFile(const HttpCall& call);
  HttpReply Version() const;
  HttpReply Config() const;
  HttpReply Metrics() const;
  [[nodiscard]] std::optional<HttpReply> Refusal(const HttpCall& call) const;
  void OnGone(std::uint64_t number);
  template <typename Call>
  HttpReply Open(const HttpCall& call);
  void Wait();
  void OnSignals();

  ServerSettings settings_;
  FileStore store_;
  Fd signals_;
  RunQueue queue_;
  std::unique_ptr<HttpDaemon> http_;
  std::map<std::uint64_t, std::uint64_t> runs_of_calls_;
  std::vector<std::unique_ptr<SocketCall>> sockets_;  // gone before http_, whose connections they have
  std::vector<pollfd> fds_;
  bool draining_ = false, ends_now_ = false;
};

}  // namespace tally::serve
