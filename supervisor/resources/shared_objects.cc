#include "supervisor/resources/shared_objects.h"

#include <algorithm>

#include "base/process_maps.h"

namespace tally {
namespace {

// A call that was let go longer ago than this has been made: what it made is in the maps, or gone.
constexpr std::chrono::milliseconds kMade(20);
constexpr std::uint64_t kPage = 4096;

}  // namespace

SharedObjects::Sizes SharedObjects::Note(Bytes size, std::span<const pid_t> processes) {
  const Sizes before = Sample(processes);
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(calls_, [now](const Call& call) { return now - call.when > kMade; });
  calls_.push_back({(size.count + kPage - 1) / kPage * kPage, now});
  return before;
}

std::uint64_t SharedObjects::TakeLargestCall() {
  const auto largest = std::max_element(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) { return a.size < b.size; });
  if (largest == calls_.end()) return 0;
  const std::uint64_t size = largest->size;
  calls_.erase(largest);
  return size;
}

SharedObjects::Sizes SharedObjects::Sample(std::span<const pid_t> processes) {
  std::map<std::string, std::uint64_t> seen;
  Sizes sizes;
  for (const pid_t process : processes) {
    for (const MapsLine& line : MapsOf(process)) {
      if (!line.IsShared() || !line.name.starts_with("/dev/zero (deleted)")) continue;
      std::uint64_t& size = seen[line.device_and_file];
      size = std::max(size, line.offset + (line.end - line.begin));
      sizes.mapped.count += line.end - line.begin;
    }
  }
  for (auto& [object, size] : seen) {
    const auto known = objects_.find(object);
    size = std::max(size, known != objects_.end() ? known->second : TakeLargestCall());
    sizes.whole.count += size;
  }
  objects_ = std::move(seen);
  return sizes;
}

}  // namespace tally
