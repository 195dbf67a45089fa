#include "supervisor/translator/guest/count_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace tally {

void CountCheck::See(std::uint64_t count) {
  if (why_.empty() && count + kMostTakenBack < last_) {
    why_ = fmt::format("the instruction count went back from {} to {}: the program wrote to it", FormatCount(last_),
                       FormatCount(count));
  }
  last_ = count;
}

void CountCheck::Compare(Nanoseconds cpu) {
  const auto nanoseconds = static_cast<std::uint64_t>(std::max<std::int64_t>((cpu + kLag).count(), 0));
  if (why_.empty() && last_ / kMostPerNanosecond > nanoseconds) {
    why_ = fmt::format("{} instructions in {} of CPU time: the program wrote to the count", FormatCount(last_),
                       FormatDuration(cpu));
  }
}

}  // namespace tally
