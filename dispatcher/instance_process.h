// The worker's view of one instance: a process that is started ahead of its requests and has one at a time. Nothing here
// waits; the worker polls what AddTo names and calls Move. The process is killed with its owner.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "dispatcher/frames.h"
#include "dispatcher/worker_folder.h"

namespace tally {

class InstanceProcess {
 public:
  // What became of it since it was last asked.
  struct News {
    std::optional<std::string> ready;   // its start is over, and how it is held to its quota of processors
    std::optional<std::string> answer;  // of the request that it was given
    std::optional<std::string> ended;   // it is gone, and how: "signal 9 (Killed)"
    std::vector<std::string> said;      // lines on stderr
  };

  // Starts it. SystemError when the host has no process for us.
  InstanceProcess(std::size_t number, const WorkerFolder& folder, const std::string& settings);
  ~InstanceProcess();
  InstanceProcess(const InstanceProcess&) = delete;
  InstanceProcess& operator=(const InstanceProcess&) = delete;

  void Give(FrameKind kind, std::string_view body);
  void AddTo(std::vector<pollfd>* fds) const;
  News Move();
  // Its end is then told by Move.
  void Kill();

 private:
  void Write();
  void Read(News* news);
  void ReadWords(News* news);
  std::string Reap();

  pid_t pid_ = -1;
  Fd socket_, words_;
  std::string out_;
  std::size_t written_ = 0;
  FrameBuffer in_;
  std::string line_;
};

}  // namespace tally
