// The worker's log on stderr: a JSON object a line (or text, for people), each with its time, level, message and fields.
// No contents of requests, no credentials: who logs names things, and shows none.
#pragma once

#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "dispatcher/worker_config.h"

namespace spdlog {
class logger;
}

namespace tally {

class WorkerLog {
 public:
  using Fields = std::initializer_list<std::pair<std::string_view, nlohmann::json>>;

  explicit WorkerLog(LogForm form);
  ~WorkerLog();
  WorkerLog(const WorkerLog&) = delete;
  WorkerLog& operator=(const WorkerLog&) = delete;

  void Info(std::string_view message, Fields fields = {});
  void Warning(std::string_view message, Fields fields = {});
  void Error(std::string_view message, Fields fields = {});

 private:
  void Say(int level, std::string_view message, Fields fields);

  LogForm form_;
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace tally
