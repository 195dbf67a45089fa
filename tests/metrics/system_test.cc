// Looking at the machine: the kernel's text, the differences, and what is said where there is nothing to measure.
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "profile/metrics/gpu_meter.h"
#include "profile/metrics/machine_lock.h"
#include "profile/metrics/proc_counters.h"
#include "profile/metrics/system_sampler.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

std::optional<double> Value(const Sample& sample, const std::string& name, const std::string& instance = "") {
  for (const Measurement& one : sample.measured) {
    if (one.series == SeriesName{name, instance}) return one.value;
  }
  return std::nullopt;
}

std::string Reason(const Sample& sample, const std::string& name, const std::string& instance = "") {
  for (const NotMeasured& one : sample.failed) {
    if (one.series == SeriesName{name, instance}) return one.reason;
  }
  return "";
}

// A machine with two cores, a disk with a partition, and a network.
struct FakeMachine : ScratchFolder {
  FakeMachine() {
    Write("sys/block/sda/device/x", "");
    Write("sys/class/net/eth0/device/x", "");
    Set(0);
    Write("proc/meminfo", "MemTotal: 100 kB\nMemFree: 3 kB\nMemAvailable:  50 kB\n");
  }
  // After `n` steps of 100 ms: core 0 half busy, core 1 all of it.
  void Set(int n) const {
    const auto times = [n](int step) { return std::to_string(1000 + step * n); };
    Write("proc/stat", "cpu  " + times(10) + " 5 " + times(5) + " " + times(5) + " 0 0 0 0 0 0\ncpu0 " + times(5) +
                           " 0 0 " + times(5) + " 0 0 0 0 0 0\ncpu1 " + times(5) + " 0 " + times(5) +
                           " 7 0 0 0 0 0 0\nintr 1 2\n");
    Write("proc/diskstats", "   8  0 sda " + times(2) + " 0 " + times(8) + " 0 " + times(1) + " 0 " + times(4) +
                                " 0 0 0 0\n   8  1 sda1 9 9 9 9 9 9 9 9 9 9 9\n   7  0 loop0 1 1 1 1 1 1 1 1 1 1 1\n");
    Write("proc/net/dev",
          "Inter-|   Receive  |  Transmit\n face |bytes packets\n    lo: 9 9 0 0 0 0 0 0 9 9 0 0 0 0 0 0\n  eth0:" +
              times(100) + " 1 0 0 0 0 0 0 " + times(200) + " 1 0 0 0 0 0 0\n  br0: 7 1 0 0 0 0 0 0 7 1 0\n");
  }
  [[nodiscard]] SystemSampler Sampler() const { return SystemSampler(path() + "/proc", path() + "/sys"); }
};

TEST_CASE("proc counters: steal is in a core's total and not in its work", "[system]") {
  const auto cores = ParseCoreTimes("cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7\ncpu1 x\nctxt 5\n");
  REQUIRE(cores.size() == 2);
  CHECK(cores[0].core == "mean");
  CHECK(cores[0].busy == 1 + 2 + 3 + 6 + 7);
  CHECK(cores[0].total == 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8);
  CHECK(cores[1].core == "0");
  CHECK(cores[1].total == 28);
}

TEST_CASE("proc counters: sectors are 512 bytes, and a short line is no disk", "[system]") {
  const auto disks = ParseDisks(" 259 0 nvme0n1 10 1 20 3 40 5 60 7 0 1 2\n 8 0 sdb 1 2 3\n");
  REQUIRE(disks.size() == 1);
  CHECK(disks[0].device == "nvme0n1");
  CHECK(disks[0].reads == 10);
  CHECK(disks[0].writes == 40);
  CHECK(disks[0].read_bytes == 20 * 512);
  CHECK(disks[0].written_bytes == 60 * 512);
}

TEST_CASE("proc counters: an interface's first number may stick to its name", "[system]") {
  const auto networks = ParseNetworks("h|h\neth0:1 2 3 4 5 6 7 8 9 10\n a:b: 1 0 0 0 0 0 0 0 2\n c: 1\n");
  REQUIRE(networks.size() == 2);
  CHECK(networks[0].interface == "eth0");
  CHECK(networks[0].received_bytes == 1);
  CHECK(networks[0].sent_bytes == 9);
  CHECK(networks[1].interface == "a:b");
}

TEST_CASE("proc counters: text of another kind has nothing in it", "[system]") {
  for (const char* text :
       {"", "\n\n", "cpu", "MemAvailable:", "MemAvailable: x kB", "MemAvailable: 99999999999999999999 kB", ":::"}) {
    CAPTURE(text);
    CHECK(ParseCoreTimes(text).empty());
    CHECK_FALSE(ParseAvailableMemory(text).has_value());
    CHECK(ParseDisks(text).empty());
    CHECK(ParseNetworks(text).empty());
  }
}

TEST_CASE("sampler: the first look measures what is no difference, the second the rest", "[system]") {
  const FakeMachine machine;
  SystemSampler sampler = machine.Sampler();
  Sample first, second;
  sampler.Take(Milliseconds(1000), &first);
  CHECK(first.measured.size() == 1);
  CHECK(first.failed.empty());
  CHECK(Value(first, "memory_available") == 50 * 1024.0);
  machine.Set(1);
  sampler.Take(Milliseconds(1100), &second);
  CHECK(second.failed.empty());
  CHECK(Value(second, "cpu_utilization", "mean") == 75.0);
  CHECK(Value(second, "cpu_utilization", "0") == 50.0);
  CHECK(Value(second, "cpu_utilization", "1") == 100.0);
  CHECK(Value(second, "disk_reads") == 20.0);
  CHECK(Value(second, "disk_writes") == 10.0);
  CHECK(Value(second, "disk_read") == 8 * 512 * 10.0);
  CHECK(Value(second, "disk_written") == 4 * 512 * 10.0);
  CHECK(Value(second, "network_received") == 1000.0);
  CHECK(Value(second, "network_sent") == 2000.0);
}

TEST_CASE("sampler: a total that went back is not measured, with its reason, and the next one is", "[system]") {
  const FakeMachine machine;
  SystemSampler sampler = machine.Sampler();
  Sample first, back, again;
  machine.Set(5);
  sampler.Take(Milliseconds(100), &first);
  machine.Set(4);
  sampler.Take(Milliseconds(200), &back);
  CHECK_FALSE(Value(back, "disk_reads").has_value());
  CHECK(Reason(back, "network_sent") == "the kernel's total went back: a device has left, or its counter started anew");
  CHECK(Reason(back, "cpu_utilization", "0") == "the core's clock did not go forward");
  machine.Set(5);
  sampler.Take(Milliseconds(300), &again);
  CHECK(again.failed.empty());
  CHECK(Value(again, "disk_reads") == 20.0);
}

TEST_CASE("sampler: a machine that shows nothing gets a reason for everything and a figure for nothing", "[system]") {
  const ScratchFolder empty;
  SystemSampler sampler(empty.path(), empty.path());
  Sample sample;
  sampler.Take(Milliseconds(1), &sample);
  CHECK(sample.measured.empty());
  CHECK(Reason(sample, "cpu_utilization") == empty.path() + "/stat cannot be read");
  for (const char* name : {"memory_available", "disk_reads", "disk_writes", "disk_read", "disk_written",
                           "network_received", "network_sent"}) {
    CAPTURE(name);
    CHECK_FALSE(Reason(sample, name).empty());
  }
}

TEST_CASE("sampler: where no interface is hardware all but the loopback count", "[system]") {
  const FakeMachine machine;
  std::filesystem::remove_all(machine.path() + "/sys/class");
  SystemSampler sampler = machine.Sampler();
  Sample first, second;
  sampler.Take(Milliseconds(0), &first);
  machine.Set(1);
  sampler.Take(Milliseconds(100), &second);
  CHECK(Value(second, "network_received") == 1000.0);
  std::filesystem::remove_all(machine.path() + "/sys/block");
  Sample third;
  machine.Sampler().Take(Milliseconds(0), &third);
  CHECK(Reason(third, "disk_read") == machine.path() + "/proc/diskstats shows no disk that is hardware");
}

TEST_CASE("sampler: this machine has cores and memory", "[system]") {
  SystemSampler sampler;
  Sample sample;
  sampler.Take(Milliseconds(0), &sample);
  CHECK(Value(sample, "memory_available").value_or(0) > 1e6);
}

TEST_CASE("gpu: each one is measured, or there is a reason", "[system]") {
  GpuMeter meter;
  Sample sample;
  meter.Take(&sample);
  if (meter.absent().empty()) {
    CHECK(Value(sample, "gpu_memory_free", "0").value_or(0) > 0);
    CHECK(Value(sample, "gpu_utilization", "0").value_or(-1) >= 0);
  } else {
    CHECK(sample.measured.empty());
    CHECK(Reason(sample, "gpu_utilization") == meter.absent());
    CHECK(Reason(sample, "gpu_memory_free") == meter.absent());
  }
}

TEST_CASE("machine lock: one has it, others learn who, and it goes with its owner", "[system]") {
  const std::string name = "tally-test-lock-" + std::to_string(::getpid());
  {
    const MachineLock first(name);
    CHECK(first.IsOurs());
    const MachineLock second(name);
    CHECK_FALSE(second.IsOurs());
    CHECK(second.holder() == ::getpid());
  }
  CHECK(MachineLock(name).IsOurs());
}

}  // namespace
}  // namespace tally
