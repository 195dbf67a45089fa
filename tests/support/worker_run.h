// A worker of the built executable as a process of its own, with a folder for its files and its log, and a client that
// asks as clients do: a queue of its own for the answers, a correlation id for each request. Both are gone with their
// owners.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "dispatcher/amqp_connection.h"
#include "tests/support/broker.h"
#include "tests/support/scratch_folder.h"

namespace tally {

using Json = nlohmann::json;

struct WorkerOptions {
  std::string queue;                      // of jobs
  std::string settings = {};              // more lines of YAML
  bool evaluations = false;               // are served, too
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;                 // 0: the broker's
  std::vector<std::string> environment = {};
  std::string work_folder = {};           // "": below the worker's own folder
  std::string network_namespace = {};     // to run in; "": ours
  std::string disk = {};                  // "1m": a disk of its own of this size for the work folder
};

// A queue of jobs of a test's own, gone with it, and its dead letters.
class JobQueue {
 public:
  explicit JobQueue(const std::string& name) : name_("test." + name) {}
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string dead() const { return name_ + ".dead"; }

 private:
  std::string name_;
};

std::vector<pid_t> ChildrenOf(pid_t process);

class WorkerRun {
 public:
  explicit WorkerRun(const WorkerOptions& options);
  ~WorkerRun();
  WorkerRun(const WorkerRun&) = delete;
  WorkerRun& operator=(const WorkerRun&) = delete;

  // Until it has said so, so often; false when it ended, or after half a minute.
  bool Says(const std::string& message, std::size_t times = 1);
  // Lines of its log with this message so far.
  std::vector<Json> Said(const std::string& message);
  // All of it.
  [[nodiscard]] std::string log() const;
  void Signal(int signal) const;
  // Its exit status, or 128 and its signal; nullopt when it lives on for half a minute.
  std::optional<int> Ends();
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] std::vector<pid_t> instances() const { return ChildrenOf(pid_); }
  [[nodiscard]] std::string work_folder() const { return work_folder_; }
  // Where its pages are: "127.0.0.1:40123".
  [[nodiscard]] std::string page();

 private:
  // A file: a worker that says more than a pipe holds, while nobody reads, would stand still.
  [[nodiscard]] std::string LogFile() const { return folder_.path() + "/log"; }

  ScratchFolder folder_;
  std::string work_folder_;
  pid_t pid_ = -1;
  Fd log_changes_;  // inotify
};

class TestClient {
 public:
  explicit TestClient(const Broker& broker);

  // Publishes and waits until the broker has it. Returns the correlation id.
  std::string Ask(const std::string& queue, const std::string& body);
  void Publish(const std::string& queue, const Message& message);
  [[nodiscard]] const std::string& reply_queue() const { return reply_queue_; }
  // Answers by correlation id until there are `count` different ones; fewer after `patience`.
  std::map<std::string, std::vector<Json>> Await(std::size_t count, Nanoseconds patience = std::chrono::seconds(60));
  // The answer to this; others to former requests, come twice, are passed over.
  Json Call(const std::string& queue, const std::string& body);
  AmqpConnection& connection() { return *connection_; }
  // After the broker was away.
  void Reconnect();

 private:
  AmqpAddress address_;
  std::unique_ptr<AmqpConnection> connection_;
  std::string reply_queue_;
  std::map<std::string, std::vector<Json>> answers_;
  std::uint64_t asked_ = 0;
};

// An exec job of a program of tests/programs, which the workers of tests find in their store.
std::string JobOf(const std::string& program, const Json& keys = Json::object());
// True as soon as `condition` is; false after half a minute.
bool Soon(const std::function<bool()>& condition);

struct Page {
  int status = 0;
  std::string body;
};
Page Get(const std::string& address, const std::string& target);

}  // namespace tally
