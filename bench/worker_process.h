// A worker as its operator starts it, for benches: `tally-dispatcher worker` with a configuration, its log read as it
// comes.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "base/fd.h"

namespace tally {

class WorkerProcess {
 public:
  // Returns when it is connected to its broker.
  WorkerProcess(const std::string& executable, const std::string& config);
  // SIGTERM, and gone when this returns.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // The most memory it ever had, alone and together with its instances, in KiB.
  struct Peak {
    std::uint64_t worker = 0, with_instances = 0;
  };
  [[nodiscard]] Peak PeakMemory() const;

 private:
  void ReadLog();
  void AwaitConnected();

  pid_t pid_ = -1;
  Fd log_;
  std::mutex mutex_;
  std::condition_variable news_;
  bool connected_ = false, ended_ = false;
  std::string last_lines_;
  std::thread reader_;
};

}  // namespace tally
