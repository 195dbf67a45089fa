// The server's view of a worker. Nothing here waits but Give, for as long as the worker takes to read.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/units.h"
#include "serve/message.h"

namespace tally::serve {

class WorkerProcess {
 public:
  // `words`: the options of a worker, behind our own path.
  explicit WorkerProcess(std::vector<std::string> words) : words_(std::move(words)) {}
  ~WorkerProcess() { Kill(); }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  enum class State { kAbsent, kStarting, kIdle, kBusy };
  [[nodiscard]] State state() const { return state_; }

  // SystemError when the host has no process for us.
  void Start();
  // To one that is idle. False: it is gone.
  bool Give(const std::string& text, const std::vector<int>& files);
  // Its program goes with it.
  void Kill();

  [[nodiscard]] int fd() const { return socket_.get(); }
  struct News {
    std::optional<std::string> answer;  // of one that was busy
    bool is_gone = false;
    bool is_partial = false;  // nothing of the above: more of it is to come
  };
  // When there is something to read; as much of it as is there, and no more than a part of a long one.
  News Read();

 private:
  std::vector<std::string> words_;
  State state_ = State::kAbsent;
  pid_t pid_ = -1;
  Fd socket_;
  MessageReader reader_;
};

}  // namespace tally::serve
