#include "supervisor/resources/memory_meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/error.h"
#include "base/kernel_version.h"
#include "base/sys.h"
#include "supervisor/resources/large_allocation.h"
#include "supervisor/resources/memory_cgroups.h"
#include "supervisor/resources/memory_in_use.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/resources/shared_objects.h"

namespace tally {
namespace {

Measured<Bytes> AsMeasured(const std::optional<Bytes>& peak, Bytes engine) {
  if (peak) return Bytes{peak->count - std::min(peak->count, engine.count)};
  return Measured<Bytes>::Absent("the program was gone before its peak could be read");
}

class AddressSpaceMeter : public MemoryMeter {
 public:
  AddressSpaceMeter(std::optional<Bytes> limit, std::vector<std::string> tmpfs) : limit_(limit), tmpfs_(std::move(tmpfs)) {}

  [[nodiscard]] std::string metric() const override { return "address-space, limited by RLIMIT_AS"; }
  void PrepareChild(ChildLimits* child, Isolation) const override {
    if (limit_) child->rlimits.push_back({RLIMIT_AS, limit_->count + 2 * kLargeAllocation + engine_.address_space.count});
  }
  void OnExitStop(pid_t process, std::string_view status) override {
    peak_.Read(process, status);
    files_ = std::max(files_, TmpfsInUse(process, tmpfs_));
  }
  [[nodiscard]] bool NeedsLooks() const override { return limit_.has_value(); }
  // RLIMIT_AS knows nothing of files in the program's tmpfs, so these are looked at.
  std::optional<Bytes> Sample(std::span<const pid_t> processes) override {
    if (!limit_) return std::nullopt;
    for (const pid_t process : processes) {
      peak_.Read(process);
      files_ = std::max(files_, TmpfsInUse(process, tmpfs_));
    }
    NoteHidden(shared_.Sample(processes));
    return WithFiles(peak_.peak().value_or(Bytes{}));
  }
  [[nodiscard]] bool CountsSharedMemory() const override { return limit_.has_value(); }
  void NoteSharedMapping(Bytes size, std::span<const pid_t> processes) override { NoteHidden(shared_.Note(size, processes)); }
  [[nodiscard]] bool RefusesAllocation(pid_t process, Bytes size) const override {
    if (!limit_) return false;
    const Bytes now = Without(ProcStatusBytes(process, "VmSize").value_or(Bytes{}), engine_.address_space);
    return size > *limit_ || now.count > limit_->count - size.count;
  }
  [[nodiscard]] MemoryFigures Finish(const EndOfProgram&) override {
    std::optional<Bytes> peak = peak_.peak();
    if (peak) peak = WithFiles(*peak);
    return {AsMeasured(peak, Bytes{})};
  }

 private:
  [[nodiscard]] Bytes WithFiles(Bytes space) const {
    return Bytes{Without(space, engine_.address_space).count + files_.count + hidden_.count};
  }
  void NoteHidden(const SharedObjects::Sizes& shared) { hidden_ = std::max(hidden_, Without(shared.whole, shared.mapped)); }

  std::optional<Bytes> limit_;
  std::vector<std::string> tmpfs_;
  PeakOfProcesses peak_{"VmPeak"};
  Bytes files_;  // the most that there were
  SharedObjects shared_;
  Bytes hidden_;  // the most of them that was not mapped any more, and lived on
};

class ResidentMeter : public MemoryMeter {
 public:
  ResidentMeter(std::optional<Bytes> limit, std::vector<std::string> tmpfs) : limit_(limit), tmpfs_(std::move(tmpfs)) {}

  [[nodiscard]] std::string metric() const override { return "resident, limited by looking"; }
  // Files are looked at once more: a program that fills its tmpfs may be quicker than the first look.
  void OnExitStop(pid_t process, std::string_view status) override {
    peak_.Read(process, status);
    if (limit_) most_in_use_ = std::max(most_in_use_, TmpfsInUse(process, tmpfs_));
  }
  [[nodiscard]] bool NeedsLooks() const override { return limit_.has_value(); }
  std::optional<Bytes> Sample(std::span<const pid_t> processes) override {
    if (!limit_) return std::nullopt;
    for (const pid_t process : processes) peak_.Read(process);
    const InUse now = MemoryInUse(processes, tmpfs_, shared_.Sample(processes).whole, *limit_);
    if (now.is_divided) most_in_use_ = std::max(most_in_use_, now.bytes);
    return std::max(peak_.peak().value_or(Bytes{}), now.bytes);
  }
  [[nodiscard]] bool CountsSharedMemory() const override { return limit_.has_value(); }
  void NoteSharedMapping(Bytes size, std::span<const pid_t> processes) override {
    most_in_use_ = std::max(most_in_use_, shared_.Note(size, processes).whole);
  }
  // Reserving is free here; only what is touched counts.
  [[nodiscard]] bool RefusesAllocation(pid_t, Bytes) const override { return false; }
  [[nodiscard]] MemoryFigures Finish(const EndOfProgram& end) override {
    std::optional<Bytes> peak = peak_.peak();
    if (peak) peak = Without(*peak, engine_.resident);
    if (end.several_tasks || (limit_ && most_in_use_ > *limit_)) peak = std::max(peak.value_or(Bytes{}), most_in_use_);
    return {AsMeasured(peak, Bytes{})};
  }

 private:
  std::optional<Bytes> limit_;
  std::vector<std::string> tmpfs_;
  PeakOfProcesses peak_{kPeakResident};
  SharedObjects shared_;
  Bytes most_in_use_;  // of all processes, as far as it was seen; nothing of the engine's is in it
};

// Kernels before 6.2 let a task count up to 64 pages of each kind for itself before its process's figures tell them (kernel
// commit f1a7941243c1, "mm: convert mm's rss stats into percpu_counter"): of a small program next to nothing is seen.
bool PagesMayBeUntold() { return ThisKernel() < KernelVersion{6, 2}; }

// Above that the untold pages are less than a twentieth, and to count by page tables takes its time.
constexpr Bytes kSmall = Bytes::MiB(16);

// What its page tables hold (smaps_rollup, proc(5)).
Bytes ResidentNow(pid_t process) {
  const std::string text = sys::TryReadFile(fmt::format("/proc/{}/smaps_rollup", process)).value_or("");
  return Bytes::KiB(NumberInStatus(text, "Rss").value_or(0));
}

}  // namespace

void PeakOfProcesses::Read(pid_t process) {
  if (const std::optional<std::string> status = ReadProcStatus(process)) Read(process, *status);
}

void PeakOfProcesses::Read(pid_t process, std::string_view status) {
  const std::optional<std::uint64_t> kib = NumberInStatus(status, field_);
  if (!kib) return;
  const Bytes now = Bytes::KiB(*kib);
  peak_ = std::max(peak_.value_or(Bytes{}), now);
  if (field_ == kPeakResident && now < kSmall && PagesMayBeUntold()) peak_ = std::max(*peak_, ResidentNow(process));
}

std::unique_ptr<MemoryMeter> MakeMemoryMeter(MemoryBy by, const Limits& limits, bool sees_requests, std::vector<std::string> tmpfs, MemoryCgroups* cgroups) {
  if (by == MemoryBy::kAuto || by == MemoryBy::kCgroup) {
    std::string why;
    if (auto meter = cgroups->MakeMeter(limits, &why)) return meter;
    if (by == MemoryBy::kCgroup) throw SystemError("memory by cgroup: " + why, 0);
  }
  // libc reserves 64 MiB of address space for each thread that allocates (malloc(3), arenas).
  const bool not_by_space = by == MemoryBy::kAuto && (limits.processes > 1 || !sees_requests);
  if (by == MemoryBy::kResident || not_by_space) return std::make_unique<ResidentMeter>(limits.memory, std::move(tmpfs));
  return std::make_unique<AddressSpaceMeter>(limits.memory, std::move(tmpfs));
}

}  // namespace tally
