// Memory by cgroup: v2 where a delegated cgroup gives us the memory controller, v1 where root may make one
// (cgroup_room.h).
// Sources: Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst of the kernel.
//
// One cgroup for each run of several processes, whose peak is read; one for runs of a single process, whose own peak is
// read instead, so that a batch makes and removes none until something is killed in it. Named tally-PID-N under our own.
// Names carry our pid, so that what a killed supervisor left is found and removed by the next one.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "supervisor/resources/cgroup_room.h"
#include "supervisor/resources/memory_meter.h"

namespace tally {
namespace {

constexpr const char* kPrefix = "tally-";

// Where our runs' cgroups are made; looked for once.
struct Hierarchy {
  std::optional<CgroupRoom> room;
  std::string why;  // there is none
  bool is_swept = false;
};

std::optional<Hierarchy> found;

Hierarchy& OurHierarchy() {
  if (!found) {
    found.emplace();
    found->room = RoomForCgroups("memory", &found->why);
  }
  return *found;
}

// Once; what there is to remove is not in our way.
void SweepHierarchy() {
  Hierarchy& ours = OurHierarchy();
  if (!std::exchange(ours.is_swept, true) && ours.room) SweepCgroups(ours.room->directory, kPrefix);
}

int next_cgroup = 0;

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

// Those that could not be removed at their owner's end: a program that we have seen dead is in its cgroup until its init has, too.
std::vector<std::string> still_there;

void RemoveEndedCgroups() {
  std::erase_if(still_there, [](const std::string& directory) { return ::rmdir(directory.c_str()) == 0 || errno != EBUSY; });
}

// A cgroup of ours: made with its owner, removed with it, or soon after.
class Cgroup {
 public:
  explicit Cgroup(const CgroupRoom& room)
      : Cgroup(room.version == 1 ? kV1 : kV2,
               fmt::format("{}/{}{}-{}", room.directory, kPrefix, ::getpid(), next_cgroup++)) {
    tasks_ = sys::Open(File(files_.tasks), O_WRONLY);
    if (&files_ == &kV2) clone_into_ = sys::Open(directory_, O_PATH | O_DIRECTORY);
    if (auto events = sys::TryOpen(File(files_.events), O_RDONLY)) events_ = std::move(*events);
  }
  ~Cgroup() {
    if (::getpid() == owner_ && ::rmdir(directory_.c_str()) != 0 && errno == EBUSY) still_there.push_back(directory_);
  }
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;

  [[nodiscard]] const Files& files() const { return files_; }
  [[nodiscard]] bool is_ours() const { return ::getpid() == owner_; }  // a forked worker makes its own

  void SetLimit(std::optional<Bytes> limit) {
    if (limit == limit_) return;
    const std::string bytes = limit ? std::to_string(limit->count) : files_.no_limit;
    // v1: memory alone may not be above memory and swap, so one of the two orders is refused; the second try is
    // the other one.
    const std::string swap = &files_ == &kV1 ? bytes : "0";
    const bool has_swap = ::access(File(files_.swap_limit).c_str(), F_OK) == 0;  // absent without swap accounting
    const bool first = sys::TryWriteFile(File(files_.limit), bytes);
    const bool second = !has_swap || sys::TryWriteFile(File(files_.swap_limit), swap);
    if (!first && !sys::TryWriteFile(File(files_.limit), bytes)) {
      throw SystemError(fmt::format("write {} to {}", bytes, File(files_.limit)), errno);
    }
    if (!second && !sys::TryWriteFile(File(files_.swap_limit), swap)) {
      throw SystemError(fmt::format("write {} to {}", swap, File(files_.swap_limit)), errno);
    }
    limit_ = limit;
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

  [[nodiscard]] bool HasKills() const {
    std::array<char, 512> text;
    const ssize_t size = ::pread(events_.get(), text.data(), text.size(), 0);
    return size > 0 && NumberAfter(std::string(text.data(), static_cast<std::size_t>(size)), files_.oom_key) > 0;
  }
  // What is charged to it now.
  [[nodiscard]] Bytes Usage() const { return Bytes{NumberAfter(sys::TryReadFile(File(files_.usage)).value_or(""), "")}; }
  [[nodiscard]] std::optional<Bytes> Peak() const {
    const std::optional<std::string> text = sys::TryReadFile(File(files_.peak));
    if (!text) return std::nullopt;
    return Bytes{NumberAfter(*text, "")};
  }

 private:
  // Makes it. What fails in the other constructor afterwards finds an owner, which removes it.
  Cgroup(const Files& files, std::string directory) : files_(files), directory_(std::move(directory)) {
    if (::mkdir(directory_.c_str(), 0755) != 0) throw SystemError("mkdir " + directory_, errno);
  }
  [[nodiscard]] std::string File(std::string_view name) const { return fmt::format("{}/{}", directory_, name); }

  const Files& files_;
  std::string directory_;
  Fd tasks_;  // all are used by every run
  Fd clone_into_;
  Fd events_;
  pid_t owner_ = ::getpid();
  std::optional<Bytes> limit_;
};

// For runs of a single process: each takes it, and puts it back if nothing was killed in it. So a kill there is the run's own;
// and where a program filled its limit with page tables, the kernel gives those back after its end only (6.18,
// CONFIG_PT_RECLAIM: after a grace period), when they would be the next one's.
std::unique_ptr<Cgroup> kept;

std::unique_ptr<Cgroup> CgroupFor(const CgroupRoom& room, bool single) {
  if (single && kept != nullptr && kept->is_ours()) return std::move(kept);
  RemoveEndedCgroups();
  return std::make_unique<Cgroup>(room);
}

// What the last run wrote into its /tmp stays charged until its mounts are gone, and would be the next one's.
constexpr Bytes kLeftBehind = Bytes::MiB(2);

class CgroupMeter : public MemoryMeter {
 public:
  CgroupMeter(const CgroupRoom& room, const Limits& limits)
      : single_(limits.processes == 1), limited_(limits.memory.has_value()), cgroup_(CgroupFor(room, single_)) {
    cgroup_->SetLimit(limits.memory);
  }
  ~CgroupMeter() override {
    if (is_clean_) kept = std::move(cgroup_);
  }

  [[nodiscard]] std::string metric() const override {
    const char* name = cgroup_->files().metric;
    return fmt::format("{}, limited by {}", single_ ? "resident" : name, name);
  }
  void OnExitStop(pid_t process) override { resident_.Read(process); }
  void PrepareChild(ChildLimits* child, Isolation isolation) const override { child->cgroup = cgroup_->ToJoin(isolation); }
  void Attach(pid_t program) override { cgroup_->Add(program); }
  void OnGo() override { SweepHierarchy(); }

  // The kernel overcommits: what it refuses at once is more than the whole machine, so more than any limit.
  [[nodiscard]] bool RefusesAllocation(pid_t, Bytes) const override { return false; }

  [[nodiscard]] MemoryFigures Finish(const EndOfProgram& end) override {
    // The kernel kills by SIGKILL, so a single task that ended otherwise was not killed. (Without a sandbox there may be more.)
    const bool alone = single_ && !end.several_tasks;
    const bool killed = (!alone || end.signal == SIGKILL) && cgroup_->HasKills();
    is_clean_ = single_ && !killed && cgroup_->Usage() <= kLeftBehind;
    return {Peak(), limited_ && killed};
  }

 private:
  [[nodiscard]] Measured<Bytes> Peak() const {
    if (single_ && resident_.peak()) return Without(*resident_.peak(), engine_.resident);
    if (const auto peak = cgroup_->Peak(); peak && !single_) return *peak;
    return Measured<Bytes>::Absent("the program was gone before its peak could be read");
  }

  bool single_;
  bool limited_;
  std::unique_ptr<Cgroup> cgroup_;
  bool is_clean_ = false;
  PeakOfProcesses resident_{kPeakResident};
};

}  // namespace

void FindMemoryCgroups() { OurHierarchy(); }

void RemoveCgroups() {
  kept.reset();
  RemoveEndedCgroups();
}

void ForgetMemoryCgroups() {
  RemoveCgroups();
  found.reset();
}

std::unique_ptr<MemoryMeter> MakeCgroupMeter(const Limits& limits, std::string* why) {
  const Hierarchy& hierarchy = OurHierarchy();
  if (!hierarchy.room) {
    *why = hierarchy.why;
    return nullptr;
  }
  return std::make_unique<CgroupMeter>(*hierarchy.room, limits);
}

}  // namespace tally
