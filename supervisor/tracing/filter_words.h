// What filters of the engines are made of: the answer that stops the program for its engine, and the halves of an argument.
#pragma once

#include <linux/seccomp.h>

#include <cstddef>
#include <cstdint>

#include "supervisor/tracing/trace_codes.h"

namespace tally {

inline constexpr std::uint32_t kAsk = SECCOMP_RET_TRACE | static_cast<std::uint32_t>(TraceCode::kEngine);
constexpr std::uint32_t LowWordOf(unsigned argument) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * argument);
}
constexpr std::uint32_t HighWordOf(unsigned argument) { return LowWordOf(argument) + 4; }

}  // namespace tally
