#include "supervisor/resources/memory_cgroups.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr const char* kPrefix = "tally-";

std::uint64_t NumberAfter(const std::string& text, std::string_view key) {
  const std::size_t at = key.empty() ? 0 : text.find(key);
  if (at == std::string::npos) return 0;
  std::uint64_t number = 0;
  std::from_chars(text.data() + at + key.size(), text.data() + text.size(), number);
  return number;
}

// The files in which the two versions differ.
struct Files {
  const char* metric;
  const char* tasks;
  const char* limit;
  const char* swap_limit;  // v1: memory and swap together; v2: swap alone
  const char* usage;
  const char* peak;
  const char* events;
  const char* oom_key;
  const char* no_limit;
};
constexpr Files kV1{"cgroup-v1",
                    "tasks",
                    "memory.limit_in_bytes",
                    "memory.memsw.limit_in_bytes",
                    "memory.usage_in_bytes",
                    "memory.max_usage_in_bytes",
                    "memory.oom_control",
                    "oom_kill ",
                    "-1"};
constexpr Files kV2{"cgroup-v2",      "cgroup.procs", "memory.max",    "memory.swap.max",
                    "memory.current", "memory.peak",  "memory.events", "oom_kill ", "max"};

}  // namespace

// A cgroup of ours: made with its owner, removed with it, or soon after.
constexpr Bytes kToBegin = Bytes::MiB(1);

class MemoryCgroup {
 public:
  MemoryCgroup(const CgroupParent& parent, MemoryCgroups* home)
      : MemoryCgroup(parent.version == 1 ? kV1 : kV2,
                     fmt::format("{}/{}{}-{}{}", parent.directory, kPrefix, ::getpid(), home->next_++, NamespaceMark()), home) {
    tasks_ = sys::Open(File(files_.tasks), O_WRONLY);
    if (&files_ == &kV2) clone_into_ = sys::Open(directory_, O_PATH | O_DIRECTORY);
    if (auto events = sys::TryOpen(File(files_.events), O_RDONLY)) events_ = std::move(*events);
  }
  ~MemoryCgroup() {
    if (::rmdir(directory_.c_str()) != 0 && errno == EBUSY) home_->ended_.push_back(directory_);
  }
  MemoryCgroup(const MemoryCgroup&) = delete;
  MemoryCgroup& operator=(const MemoryCgroup&) = delete;

  [[nodiscard]] const Files& files() const { return files_; }

  // False: what is left of former runs is above it.
  [[nodiscard]] bool SetLimit(std::optional<Bytes> limit) {
    // Less than a program needs to begin would be our failure. What it has had is compared with its limit at its end.
    if (limit) limit->count = std::max(limit->count, kToBegin.count);
    if (limit == limit_) return true;
    const std::string bytes = limit ? std::to_string(limit->count) : files_.no_limit;
    // v1: memory alone may not be above memory and swap, so one of the two orders is refused; the second try is
    // the other one.
    const std::string swap = &files_ == &kV1 ? bytes : "0";
    const bool has_swap = ::access(File(files_.swap_limit).c_str(), F_OK) == 0;  // absent without swap accounting
    const bool first = sys::TryWriteFile(File(files_.limit), bytes);
    const bool second = !has_swap || sys::TryWriteFile(File(files_.swap_limit), swap);
    if (!first && !sys::TryWriteFile(File(files_.limit), bytes)) {
      if (errno == EBUSY) return false;
      throw SystemError(fmt::format("write {} to {}", bytes, File(files_.limit)), errno);
    }
    if (!second && !sys::TryWriteFile(File(files_.swap_limit), swap)) {
      if (errno == EBUSY) return false;
      throw SystemError(fmt::format("write {} to {}", swap, File(files_.swap_limit)), errno);
    }
    limit_ = limit;
    return true;
  }
  // Behind the count that Watch keeps: it sees the task too many first, and says so. Version 2 alone has this beside memory.
  void SetTasks(std::size_t most) {
    constexpr std::size_t kMargin = 16;
    if (&files_ != &kV2 || most == tasks_limit_) return;
    sys::TryWriteFile(File("pids.max"), std::to_string(most + kMargin));  // there is no such file without the controller
    tasks_limit_ = most;
  }

  // How a program joins it. Without an init in between it is a copy of ours until it executes, whose memory is not the program's.
  [[nodiscard]] CgroupToJoin ToJoin(Isolation isolation) const {
    if (&files_ == &kV1) return {tasks_.get(), CgroupToJoin::How::kWrites};
    return {isolation == Isolation::kFull ? clone_into_.get() : -1, CgroupToJoin::How::kCloned};
  }
  void Add(pid_t process) const {
    const std::string text = std::to_string(process);
    if (::pwrite(tasks_.get(), text.data(), text.size(), 0) < 0) {
      throw SystemError("move the program into " + directory_, errno);
    }
  }

  [[nodiscard]] bool HasKills() const { return NumberAfter(TextOf(events_), files_.oom_key) > 0; }
  // Has nobody removed it? A file of one that is gone cannot be read (ENODEV).
  [[nodiscard]] bool IsThere() const { return !TextOf(usage_).empty(); }
  // Is no more than `bytes` charged to it now?
  [[nodiscard]] bool HasAtMost(Bytes bytes) {
    if (!usage_.valid()) usage_ = sys::TryOpen(File(files_.usage), O_RDONLY).value_or(Fd());
    const std::string usage = TextOf(usage_);
    return !usage.empty() && Bytes{NumberAfter(usage, "")} <= bytes;
  }
  // The peak is that of what comes now. False: the kernel has no such thing.
  [[nodiscard]] bool BeginPeak() {
    if (!peak_.valid()) peak_ = sys::TryOpen(File(files_.peak), O_RDWR).value_or(Fd());  // version 2 before that: read-only
    return peak_.valid() && ::pwrite(peak_.get(), "0", 1, 0) == 1;
  }
  // In version 2 it began anew for the descriptor by which that was asked.
  [[nodiscard]] std::optional<Bytes> Peak() const {
    const std::optional<std::string> peak = peak_.valid() ? TextOf(peak_) : sys::TryReadFile(File(files_.peak));
    if (!peak || peak->empty()) return std::nullopt;
    return Bytes{NumberAfter(*peak, "")};
  }

 private:
  // Makes it. What fails in the other constructor afterwards finds an owner, which removes it.
  MemoryCgroup(const Files& files, std::string directory, MemoryCgroups* home)
      : files_(files), directory_(std::move(directory)), home_(home) {
    if (::mkdir(directory_.c_str(), 0755) != 0) throw SystemError("mkdir " + directory_, errno);
    if (&files_ == &kV2) sys::TryWriteFile(File("memory.oom.group"), "1");  // all at once, or what is left goes on as if nothing were
  }
  [[nodiscard]] static std::string TextOf(const Fd& file) {
    std::array<char, 512> text;
    const ssize_t size = ::pread(file.get(), text.data(), text.size(), 0);
    return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "";
  }
  [[nodiscard]] std::string File(std::string_view name) const { return fmt::format("{}/{}", directory_, name); }

  const Files& files_;
  std::string directory_;
  Fd tasks_;  // all are used by every run
  Fd clone_into_;
  Fd events_;
  Fd usage_;
  Fd peak_;
  MemoryCgroups* home_;
  std::optional<Bytes> limit_;
  std::optional<std::size_t> tasks_limit_;
};

namespace {
// What a run wrote into its /tmp stays charged until its mounts are gone, and would be the next one's: it would be told in its peak, and missing
// at its limit. Left may be what the kernel charges in advance, which it takes back at a limit: 256 KiB on each of a few processors
// (mm/memcontrol.c, MEMCG_CHARGE_BATCH).
constexpr Bytes kLeftBehind = Bytes::KiB(768);
}  // namespace

class CgroupMeter : public MemoryMeter {
 public:
  CgroupMeter(MemoryCgroups* home, const Limits& limits)
      : home_(home), single_(limits.processes == 1), limited_(limits.memory.has_value()), cgroup_(home->Take(single_)) {
    if (!cgroup_->SetLimit(limits.memory)) {
      cgroup_ = home->Make();
      if (!cgroup_->SetLimit(limits.memory)) throw SystemError("set the limit of a new memory cgroup", EBUSY);
    }
    cgroup_->SetTasks(limits.processes);
  }
  ~CgroupMeter() override {
    if (is_clean_) home_->kept_ = std::move(cgroup_);
  }

  [[nodiscard]] std::string metric() const override {
    const char* name = cgroup_->files().metric;
    return fmt::format("{}, limited by {}", single_ ? "resident" : name, name);
  }
  void OnExitStop(pid_t process, std::string_view status) override { resident_.Read(process, status); }
  void PrepareChild(ChildLimits* child, Isolation isolation) const override { child->cgroup = cgroup_->ToJoin(isolation); }
  void Attach(pid_t program) override { cgroup_->Add(program); }
  void OnGo() override { home_->Sweep(); }

  // The kernel overcommits: what it refuses at once is more than the whole machine, so more than any limit.
  [[nodiscard]] bool RefusesAllocation(pid_t, Bytes) const override { return false; }

  [[nodiscard]] MemoryFigures Finish(const EndOfProgram& end) override {
    // The kernel kills by SIGKILL, so a single task that ended otherwise was not killed. (Without a sandbox there may be more.)
    const bool alone = single_ && !end.several_tasks;
    const bool killed = (!alone || end.signal == SIGKILL) && cgroup_->HasKills();
    is_clean_ = !killed;
    return {Peak(), limited_ && killed};
  }

 private:
  [[nodiscard]] Measured<Bytes> Peak() const {
    if (single_ && resident_.peak()) return Without(*resident_.peak(), engine_.resident);
    if (const auto peak = cgroup_->Peak(); peak && !single_) return *peak;
    return Measured<Bytes>::Absent("the program was gone before its peak could be read");
  }

  MemoryCgroups* home_;
  bool single_;
  bool limited_;
  std::unique_ptr<MemoryCgroup> cgroup_;
  bool is_clean_ = false;
  PeakOfProcesses resident_{kPeakResident};
};

MemoryCgroups::MemoryCgroups() = default;
MemoryCgroups::~MemoryCgroups() { Remove(); }

void MemoryCgroups::Find() {
  if (place_) return;
  Place place;
  place.parent = FindCgroupParent("memory", &place.why);
  place_ = std::move(place);
}

// Once; what there is to remove is not in our way.
void MemoryCgroups::Sweep() {
  if (!std::exchange(place_->is_swept, true) && place_->parent) SweepCgroups(place_->parent->directory, kPrefix);
}

void MemoryCgroups::RemoveEnded() {
  std::erase_if(ended_, [](const std::string& directory) { return ::rmdir(directory.c_str()) == 0 || errno != EBUSY; });
}

std::unique_ptr<MemoryCgroup> MemoryCgroups::Take(bool single) {
  // Asked now, and not at the last run's end, when the kernel is still giving its memory back.
  if (kept_ != nullptr && kept_->HasAtMost(kLeftBehind) && (single || kept_->BeginPeak())) return std::move(kept_);
  kept_.reset();
  return Make();
}

std::unique_ptr<MemoryCgroup> MemoryCgroups::Make() {
  RemoveEnded();
  return std::make_unique<MemoryCgroup>(*place_->parent, this);
}

void MemoryCgroups::Remove() {
  kept_.reset();
  RemoveEnded();
}

void MemoryCgroups::Forget() {
  Remove();
  place_.reset();
}

std::unique_ptr<MemoryMeter> MemoryCgroups::MakeMeter(const Limits& limits, std::string* why) {
  Find();
  // A unit of systemd's ends when it was idle for long (systemd_cgroup.h). To ask one of ours is cheaper than to follow a path.
  const bool is_there = !place_->parent || (kept_ != nullptr && kept_->IsThere()) || ::access(place_->parent->directory.c_str(), F_OK) == 0;
  if (!is_there) {
    kept_.reset();  // gone with it
    place_.reset();
    Find();
  }
  if (place_->parent) return std::make_unique<CgroupMeter>(this, limits);
  *why = place_->why;
  return nullptr;
}

}  // namespace tally
