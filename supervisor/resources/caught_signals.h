// For which standard signals a task has handlers, asked often: /proc/PID/stat, kept open, tells it in a quarter of the time that
// /proc/PID/status takes (proc(5), field 34).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/fd.h"

namespace tally {

class CaughtSignals {
 public:
  // Signal N is bit N - 1, up to 31. Nothing where the task is gone.
  std::optional<std::uint32_t> Of(pid_t tid);

 private:
  Fd stat_;
};

// In a text like that file's. nullopt: it is not whole.
std::optional<std::uint32_t> CaughtInStat(std::string_view stat);

}  // namespace tally
