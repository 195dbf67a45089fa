// The resident judge: calls in, runs in workers, answers out (docs/serve.md). One loop of one thread, which waits for nobody.
//
// Theory of operation. A call of POST /run is so many commands that run at one time, perhaps joined by pipes, so it takes as many workers as it
// has commands, all at once, when it is its turn: first come, first served. A worker runs one command at a time in a sandbox that it keeps, which
// is what makes a run cheap. When a client is gone its workers are killed, their programs with them, and started anew. What comes while as much
// waits as may is refused (429), and on SIGTERM what is in hand is finished.
#pragma once

#include <poll.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/units.h"
#include "serve/file_store.h"
#include "serve/http_daemon.h"
#include "serve/judge_request.h"
#include "serve/worker_process.h"

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
  // What a worker said: what the server has to know of it, and the text as it goes to the client. Texts are long, and nobody waits for one
  // to be taken to pieces and put together again.
  struct Answer {
    nlohmann::json head;  // "status", "fileIds"
    std::string text;
  };
  static Answer ParseAnswer(std::string said);
  // One that waits, or is run.
  struct Task {
    nlohmann::json cmds, job;      // as they came; a job is one
    std::vector<PipeMapping> pipes;
    std::string id;
    std::vector<Answer> answers;
    std::size_t left = 0;
  };
  struct Slot {
    std::unique_ptr<WorkerProcess> process;
    std::uint64_t task = 0;   // 0: none
    std::size_t index = 0;    // of its commands
    Nanoseconds start_at{0};
    unsigned failed_starts = 0;
  };

  std::optional<HttpReply> OnCall(std::uint64_t number, const HttpCall& call);
  std::optional<HttpReply> OnRun(std::uint64_t number, const HttpCall& call);
  std::optional<HttpReply> OnJob(std::uint64_t number, const HttpCall& call);
  std::optional<HttpReply> Enqueue(std::uint64_t number, Task task);
  HttpReply OnFiles(const HttpCall& call);
  HttpReply OnFile(const HttpCall& call);
  HttpReply Version() const;
  HttpReply Config() const;
  HttpReply Metrics() const;
  [[nodiscard]] std::optional<HttpReply> Refusal(const HttpCall& call) const;
  void ForgetFiles(const Answer& answer);
  void RegisterFiles(Answer* answer);
  void OnGone(std::uint64_t number);

  void StartWorkers(Nanoseconds now);
  void StartWaiting();
  void StartTask(std::uint64_t number, Task* task);
  void OnNews(Slot* slot, WorkerProcess::News news, Nanoseconds now);
  void Finish(std::uint64_t number);
  void Wait();
  [[nodiscard]] std::size_t Idle() const;

  ServerSettings settings_;
  FileStore store_;
  Fd signals_;
  std::vector<Slot> slots_;
  std::unique_ptr<HttpDaemon> http_;
  std::deque<std::uint64_t> waiting_;
  std::map<std::uint64_t, Task> tasks_;
  std::vector<pollfd> fds_;
  bool draining_ = false, ends_now_ = false;
  std::map<std::string, std::uint64_t> statuses_;  // how runs ended
};

}  // namespace tally::serve
