// What settings may be, in whichever of the two ways they are said: a worker's file and the environment.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/units.h"

namespace tally {

inline constexpr Nanoseconds kShortestPhase = Milliseconds(10), kLongestPhase = std::chrono::hours(24);
inline constexpr Characters kMostOutputSize{2 << 20};  // fits into kMostWritten
inline constexpr Bytes kLeastMemoryLimit = Bytes::MiB(4), kMostMemoryLimit = Bytes::MiB(1 << 20);
inline constexpr std::uint64_t kMostInstances = 1024;
inline constexpr std::size_t kLongestName = 255;  // AMQP's short texts end there

// UserError says what was found and expected; the caller knows where.
double ParseCpus(const std::string& text);               // "0.5"
std::int64_t ParseCacheSeconds(const std::string& text);  // "300", 0 for off, -1 for ever
Characters ParseOutputSize(const std::string& text);      // "65536", "64k", "1m"

}  // namespace tally
