// Requests for memory that are looked at one by one.
#pragma once

#include <cstdint>

namespace tally {

// Requests from this size on stop the program (TraceCode::kAllocation). Smaller ones that a limit refuses show in the peak,
// because RLIMIT_AS leaves a margin of twice this size (memory_meter.h).
inline constexpr std::uint64_t kLargeAllocation = 32ULL << 20;

}  // namespace tally
