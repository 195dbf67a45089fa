#include "dispatcher/worker_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>

#include "base/printable.h"

namespace tally {
namespace {

using Json = nlohmann::ordered_json;

std::string Now() {
  const auto now = std::chrono::time_point_cast<Milliseconds>(std::chrono::system_clock::now());
  const auto ms = now.time_since_epoch().count() % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(now)), ms);
}

std::string Shown(const nlohmann::json& value) {
  return Printable(value.is_string() ? value.get<std::string>()
                                     : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

WorkerLog::WorkerLog(LogForm form)
    : form_(form),
      logger_(std::make_unique<spdlog::logger>("tally", std::make_shared<spdlog::sinks::stderr_sink_st>())) {
  logger_->set_pattern("%v");
  logger_->flush_on(spdlog::level::info);
  logger_->set_error_handler([](const std::string&) {});  // a log that cannot be written is nobody's failure
}

WorkerLog::~WorkerLog() = default;

void WorkerLog::Info(std::string_view message, Fields fields) { Say(spdlog::level::info, message, fields); }
void WorkerLog::Warning(std::string_view message, Fields fields) { Say(spdlog::level::warn, message, fields); }
void WorkerLog::Error(std::string_view message, Fields fields) { Say(spdlog::level::err, message, fields); }

void WorkerLog::Say(int level, std::string_view message, Fields fields) {
  const auto severity = static_cast<spdlog::level::level_enum>(level);
  const auto name = spdlog::level::to_string_view(severity);
  std::string line;
  if (form_ == LogForm::kJson) {
    Json object{{"time", Now()}, {"level", std::string(name.data(), name.size())}, {"message", message}};
    for (const auto& [key, value] : fields) object[std::string(key)] = value;
    line = object.dump(-1, ' ', true, Json::error_handler_t::replace);
  } else {
    line = fmt::format("{} {}: {}", Now(), std::string_view(name.data(), name.size()), Printable(message));
    for (const auto& [key, value] : fields) line += fmt::format("  {}={}", key, Shown(value));
  }
  logger_->log(severity, line);
}

}  // namespace tally
