// How much a command says on stderr beside its result: warnings, unless --log-level or the variable LOG_LEVEL say otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tally {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError };

std::string_view Name(LogLevel level);  // "debug", "info", "warning", "error"

// In small or in capital letters. UserError names `who`, the option, and what it may be.
LogLevel ParseLogLevel(const std::string& who, const std::string& text);

// LOG_LEVEL; other programs have it, too, with words of their own, and such a one is warning.
LogLevel LogLevelOfEnvironment();

// One line, "tally: info: ...", on stderr.
void WriteLog(LogLevel level, const std::string& sentence);

}  // namespace tally
