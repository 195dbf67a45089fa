#include "profile/metrics/system_sampler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/sys.h"

namespace tally {
namespace {

constexpr const char* kNoMeaning = "{} says nothing that is understood";

double Seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

void SystemSampler::Take(Nanoseconds now, Sample* sample) {
  const Nanoseconds elapsed = last_look_ ? now - *last_look_ : Nanoseconds(0);
  last_look_ = now;
  TakeCores(sample);
  TakeMemory(sample);
  TakeDisks(elapsed, sample);
  TakeNetworks(elapsed, sample);
}

void SystemSampler::TakeCores(Sample* sample) {
  const std::string path = proc_ + "/stat";
  const std::optional<std::string> text = sys::TryReadFile(path);
  const std::vector<CoreTime> cores = ParseCoreTimes(text.value_or(""));
  if (cores.empty()) {
    sample->failed.push_back(
        {{"cpu_utilization", ""}, text ? fmt::format(kNoMeaning, path) : path + " cannot be read"});
    return;
  }
  for (const CoreTime& core : cores) {
    const auto last = cores_.find(core.core);
    if (last != cores_.end()) {
      // Of a core that was off in between, or whose idle time the kernel has set back, nothing can be said.
      const bool grew = core.total > last->second.total && core.busy >= last->second.busy;
      const double part =
          static_cast<double>(core.busy - last->second.busy) / static_cast<double>(core.total - last->second.total);
      if (grew) {
        sample->measured.push_back({{"cpu_utilization", core.core}, "percent", 100 * std::min(1.0, part)});
      } else {
        sample->failed.push_back({{"cpu_utilization", core.core}, "the core's clock did not go forward"});
      }
    }
    cores_[core.core] = core;
  }
}

void SystemSampler::TakeMemory(Sample* sample) {
  const std::string path = proc_ + "/meminfo";
  const std::optional<std::string> text = sys::TryReadFile(path);
  const std::optional<Bytes> available = ParseAvailableMemory(text.value_or(""));
  if (available) {
    sample->measured.push_back({{"memory_available", ""}, "bytes", static_cast<double>(available->count)});
  } else {
    sample->failed.push_back(
        {{"memory_available", ""}, text ? path + " has no MemAvailable" : path + " cannot be read"});
  }
}

void SystemSampler::TakeDisks(Nanoseconds elapsed, Sample* sample) {
  const std::string path = proc_ + "/diskstats";
  const std::optional<std::string> text = sys::TryReadFile(path);
  DiskTotals sum;
  bool any = false;
  for (const DiskTotals& disk : ParseDisks(text.value_or(""))) {
    std::string entry = disk.device;
    std::replace(entry.begin(), entry.end(), '/', '!');  // as /sys names them
    if (!IsHardware("block", entry)) continue;
    any = true;
    sum.reads += disk.reads;
    sum.writes += disk.writes;
    sum.read_bytes += disk.read_bytes;
    sum.written_bytes += disk.written_bytes;
  }
  if (!any) {
    const std::string reason = text ? path + " shows no disk that is hardware" : path + " cannot be read";
    for (const char* name : {"disk_reads", "disk_writes", "disk_read", "disk_written"}) {
      sample->failed.push_back({{name, ""}, reason});
    }
    return;
  }
  AddRate("disk_reads", "operations/s", sum.reads, elapsed, sample);
  AddRate("disk_writes", "operations/s", sum.writes, elapsed, sample);
  AddRate("disk_read", "bytes/s", sum.read_bytes, elapsed, sample);
  AddRate("disk_written", "bytes/s", sum.written_bytes, elapsed, sample);
}

void SystemSampler::TakeNetworks(Nanoseconds elapsed, Sample* sample) {
  const std::string path = proc_ + "/net/dev";
  const std::optional<std::string> text = sys::TryReadFile(path);
  const std::vector<NetworkTotals> all = ParseNetworks(text.value_or(""));
  NetworkTotals hardware, others;
  bool any_hardware = false, any = false;
  for (const NetworkTotals& network : all) {
    if (network.interface == "lo") continue;
    const bool is_hardware = IsHardware("class/net", network.interface);
    any = true;
    any_hardware |= is_hardware;
    NetworkTotals& sum = is_hardware ? hardware : others;
    sum.received_bytes += network.received_bytes;
    sum.sent_bytes += network.sent_bytes;
  }
  if (!any) {
    const std::string reason = text ? path + " shows no interface but the loopback" : path + " cannot be read";
    for (const char* name : {"network_received", "network_sent"}) sample->failed.push_back({{name, ""}, reason});
    return;
  }
  const NetworkTotals& sum = any_hardware ? hardware : others;
  AddRate("network_received", "bytes/s", sum.received_bytes, elapsed, sample);
  AddRate("network_sent", "bytes/s", sum.sent_bytes, elapsed, sample);
}

void SystemSampler::AddRate(const char* name, const char* unit, std::uint64_t total, Nanoseconds elapsed,
                            Sample* sample) {
  const auto last = totals_.find(name);
  if (last != totals_.end()) {
    if (total >= last->second && elapsed > Nanoseconds(0)) {
      sample->measured.push_back({{name, ""}, unit, static_cast<double>(total - last->second) / Seconds(elapsed)});
    } else {
      sample->failed.push_back(
          {{name, ""}, "the kernel's total went back: a device has left, or its counter started anew"});
    }
  }
  totals_[name] = total;
}

bool SystemSampler::IsHardware(const std::string& folder, const std::string& name) {
  const std::string path = fmt::format("{}/{}/{}/device", sys_, folder, name);
  const auto known = hardware_.find(path);
  if (known != hardware_.end()) return known->second;
  return hardware_[path] = ::access(path.c_str(), F_OK) == 0;
}

}  // namespace tally
