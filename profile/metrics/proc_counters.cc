#include "profile/metrics/proc_counters.h"

#include <algorithm>
#include <charconv>

namespace tally {
namespace {

constexpr std::uint64_t kSector = 512;  // in diskstats, whatever the device says of itself

std::string_view NextLine(std::string_view* text) {
  const std::size_t end = std::min(text->find('\n'), text->size());
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return line;
}

std::string_view NextWord(std::string_view* line) {
  line->remove_prefix(std::min(line->find_first_not_of(" \t"), line->size()));
  const std::size_t end = std::min(line->find_first_of(" \t"), line->size());
  const std::string_view word = line->substr(0, end);
  line->remove_prefix(end);
  return word;
}

// The numbers up to the first word that is none.
std::vector<std::uint64_t> Numbers(std::string_view line) {
  std::vector<std::uint64_t> out;
  for (std::string_view word = NextWord(&line); !word.empty(); word = NextWord(&line)) {
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) break;
    out.push_back(number);
  }
  return out;
}

}  // namespace

std::vector<CoreTime> ParseCoreTimes(std::string_view stat) {
  std::vector<CoreTime> out;
  while (!stat.empty()) {
    std::string_view line = NextLine(&stat);
    const std::string_view name = NextWord(&line);
    if (!name.starts_with("cpu")) continue;
    // user nice system idle iowait irq softirq steal; guest time is within user time.
    const std::vector<std::uint64_t> n = Numbers(line);
    if (n.size() < 7) continue;
    CoreTime time;
    time.core = name.size() == 3 ? "mean" : name.substr(3);
    time.busy = n[0] + n[1] + n[2] + n[5] + n[6];
    time.total = time.busy + n[3] + n[4] + (n.size() > 7 ? n[7] : 0);
    out.push_back(std::move(time));
  }
  return out;
}

std::optional<Bytes> ParseAvailableMemory(std::string_view meminfo) {
  while (!meminfo.empty()) {
    std::string_view line = NextLine(&meminfo);
    if (NextWord(&line) != "MemAvailable:") continue;
    const std::vector<std::uint64_t> n = Numbers(line);
    if (n.size() == 1 && n[0] < (std::uint64_t{1} << 50)) return Bytes::KiB(n[0]);
  }
  return std::nullopt;
}

std::vector<DiskTotals> ParseDisks(std::string_view diskstats) {
  std::vector<DiskTotals> out;
  while (!diskstats.empty()) {
    std::string_view line = NextLine(&diskstats);
    NextWord(&line);  // major
    NextWord(&line);  // minor
    const std::string_view device = NextWord(&line);
    // reads, merged, sectors, ms; the same of writes
    const std::vector<std::uint64_t> n = Numbers(line);
    if (device.empty() || n.size() < 8) continue;
    out.push_back({std::string(device), n[0], n[4], n[2] * kSector, n[6] * kSector});
  }
  return out;
}

std::vector<NetworkTotals> ParseNetworks(std::string_view net_dev) {
  std::vector<NetworkTotals> out;
  while (!net_dev.empty()) {
    std::string_view line = NextLine(&net_dev);
    const std::size_t colon = line.rfind(':');  // a name may have one, numbers have none
    if (colon == std::string_view::npos) continue;
    std::string_view name = line.substr(0, colon);
    name = NextWord(&name);
    // bytes and seven more of what was received, then bytes of what was sent
    const std::vector<std::uint64_t> n = Numbers(line.substr(colon + 1));
    if (name.empty() || n.size() < 9) continue;
    out.push_back({std::string(name), n[0], n[8]});
  }
  return out;
}

}  // namespace tally
