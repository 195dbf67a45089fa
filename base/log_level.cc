#include "base/log_level.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/error.h"
#include "base/printable.h"

namespace tally {
namespace {

constexpr std::string_view kNames[] = {"debug", "info", "warning", "error"};

std::optional<LogLevel> LevelNamed(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  const auto* const found = std::find(std::begin(kNames), std::end(kNames), text);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<LogLevel>(found - std::begin(kNames));
}

}  // namespace

std::string_view Name(LogLevel level) { return kNames[static_cast<std::size_t>(level)]; }

LogLevel ParseLogLevel(const std::string& who, const std::string& text) {
  const std::optional<LogLevel> level = LevelNamed(text);
  if (level) return *level;
  throw UserError(fmt::format("{}: \"{}\" is not one of DEBUG, INFO, WARNING, ERROR", who, Printable(text)));
}

LogLevel LogLevelOfEnvironment() {
  const char* const text = std::getenv("LOG_LEVEL");
  return LevelNamed(text != nullptr ? text : "").value_or(LogLevel::kWarning);
}

void WriteLog(LogLevel level, const std::string& sentence) { Complain(fmt::format("tally: {}: {}", Name(level), sentence)); }

}  // namespace tally
