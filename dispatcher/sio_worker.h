// A worker for a sioworkersd: jobs from it to instances, results back. One loop of one thread.
//
// Theory of operation. The worker says hello, and from then on the server calls: get_running (which tasks are in hand) and run (a job's
// environ, to be given back whole with its results). A job that fails is an error of its call, with its sentence. When the connection is
// lost the server gives its tasks to others, so they are ended here, and the worker connects again, with growing pauses up to a minute.
// Asked to end, it finishes what it has in hand and takes nothing new: what the server calls for meanwhile goes unanswered, and to others when
// the connection is closed. Source: the protocol of sioworkers (sio/protocol), as facts of it are written in docs/jobs.md.
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

#include "dispatcher/instance_pool.h"
#include "dispatcher/sio_connection.h"
#include "dispatcher/stop_signals.h"
#include "dispatcher/worker_config.h"
#include "dispatcher/worker_folder.h"
#include "dispatcher/worker_log.h"
#include "dispatcher/worker_metrics.h"

namespace tally {

struct SioWorkerConfig {
  std::string host = "127.0.0.1", port = "7888";
  std::string name;                 // as the server knows it; no two workers have the same
  std::uint64_t concurrency = 1;    // jobs at one time
  bool can_run_cpu_exec = true;     // jobs that are judged by real time, which the server gives to a worker alone
  bool plain_paths = false, weak_isolation = false;
  Nanoseconds longest_job = std::chrono::hours(1);  // after which the server itself gives up
  std::string work_folder;          // "": TMPDIR, or /tmp
  LogForm log = LogForm::kText;
};

class SioWorker {
 public:
  explicit SioWorker(const SioWorkerConfig& config);
  // Until it is asked to end.
  void Run();

 private:
  struct Job {
    nlohmann::json call_id, task_id, environ;
  };

  void Connect(Nanoseconds now);
  void Disconnect(const std::string& why, Nanoseconds now);
  void OnMessage(const SioMessage& message);
  void OnMessage(const nlohmann::json& message);
  void OnCall(const nlohmann::json& call);
  void OnDone(const InstancePool::Done& done);
  void Reply(const nlohmann::json& call_id, nlohmann::json result);
  void ReplyError(const nlohmann::json& call_id, const char* kind, const std::string& sentence);
  [[nodiscard]] nlohmann::json Running() const;
  bool ReadSignals();
  void Wait();

  SioWorkerConfig config_;
  WorkerLog log_;
  StopSignals signals_;
  WorkerMetrics metrics_;
  std::unique_ptr<WorkerFolder> folder_;
  std::unique_ptr<InstancePool> pool_;
  std::optional<SioConnection> connection_;
  bool was_greeted_ = false, draining_ = false;
  Nanoseconds connect_at_{0}, pause_{0};
  std::uint64_t jobs_so_far_ = 0;
  std::map<std::uint64_t, Job> jobs_;
  std::deque<std::uint64_t> waiting_;
};

}  // namespace tally
