// Memory by cgroup: v2 where a delegated cgroup gives us the memory controller, v1 where root may make one.
// Sources: Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst of the kernel.
//
// One cgroup for each run of several processes, whose peak is read; one for all runs of a single process, whose
// own peak is read instead, so that a batch makes and removes none. Named tally-PID-N under our own.
// Names carry our pid, so that what a killed supervisor left is found and removed by the next one.
#include <dirent.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/memory_meter.h"

namespace tally {
namespace {

constexpr std::string_view kPrefix = "tally-";
constexpr std::string_view kLeaf = "-self";

// Where our runs' cgroups are made.
struct Hierarchy {
  int version = 0;  // 0: none
  std::string directory;
  std::string why;  // none, and why
};

// The part of /proc/self/cgroup behind `controllers`: "/user.slice/...", nullopt without such a line.
std::optional<std::string> OwnPath(const std::string& cgroups, std::string_view controllers) {
  std::size_t start = 0;
  while (start < cgroups.size()) {
    const std::size_t end = std::min(cgroups.find('\n', start), cgroups.size());
    const std::string_view line = std::string_view(cgroups).substr(start, end - start);
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second != std::string_view::npos && line.substr(first + 1, second - first - 1) == controllers) {
      return std::string(line.substr(second + 1));
    }
    start = end + 1;
  }
  return std::nullopt;
}

bool IsDirectory(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// Removes what supervisors that are no more left behind.
void Sweep(const std::string& directory) {
  DIR* stream = ::opendir(directory.c_str());
  if (stream == nullptr) return;
  while (const dirent* entry = ::readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name.substr(0, kPrefix.size()) != kPrefix) continue;
    int pid = 0;
    std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), pid);
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) ::rmdir((directory + "/" + std::string(name)).c_str());
  }
  ::closedir(stream);
}

bool HasMemoryController(const std::string& directory) {
  const std::optional<std::string> controllers = sys::TryReadFile(directory + "/cgroup.subtree_control");
  return controllers && (" " + *controllers).find(" memory") != std::string::npos;
}

// cgroup v2 allows controllers only below a cgroup without processes of its own, so when our own cgroup is
// delegated to us we first step into a leaf of it.
bool MakeRoomBelow(const std::string& directory) {
  if (HasMemoryController(directory)) return ::access(directory.c_str(), W_OK) == 0;
  const std::string leaf = fmt::format("{}/{}{}{}", directory, kPrefix, ::getpid(), kLeaf);
  if (::mkdir(leaf.c_str(), 0755) != 0 && errno != EEXIST) return false;
  if (sys::TryWriteFile(leaf + "/cgroup.procs", "0") &&
      sys::TryWriteFile(directory + "/cgroup.subtree_control", "+memory")) {
    return true;
  }
  sys::TryWriteFile(directory + "/cgroup.procs", "0");
  ::rmdir(leaf.c_str());
  return false;
}

// A helper that a process of ours started finds itself in the leaf into which that one stepped; the room is above it.
std::string AboveLeaf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = std::string_view(path).substr(slash + 1);
  return name.starts_with(kPrefix) && name.ends_with(kLeaf) ? path.substr(0, std::max<std::size_t>(slash, 1)) : path;
}

Hierarchy FindHierarchy() {
  const std::string own = sys::TryReadFile("/proc/self/cgroup").value_or("");
  if (const auto path = OwnPath(own, "")) {
    const std::string controllers = sys::TryReadFile("/sys/fs/cgroup/cgroup.controllers").value_or("");
    const std::string above = AboveLeaf(*path);
    const std::string directory = "/sys/fs/cgroup" + (above == "/" ? "" : above);
    if ((" " + controllers).find(" memory") != std::string::npos && MakeRoomBelow(directory)) {
      return {2, directory, ""};
    }
  }
  if (const auto path = OwnPath(own, "memory")) {
    for (const std::string& directory : {"/sys/fs/cgroup/memory" + *path, std::string("/sys/fs/cgroup/memory")}) {
      if (IsDirectory(directory) && ::access(directory.c_str(), W_OK) == 0) return {1, directory, ""};
    }
    return {0, "", "this user may not make cgroups in /sys/fs/cgroup/memory"};
  }
  return {0, "", "no memory controller is delegated to this user"};
}

const Hierarchy& OurHierarchy() {
  static const Hierarchy found = [] {
    Hierarchy hierarchy = FindHierarchy();
    if (hierarchy.version != 0) Sweep(hierarchy.directory);
    return hierarchy;
  }();
  return found;
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
  const char* limit;
  const char* swap_limit;  // v1: memory and swap together; v2: swap alone
  const char* peak;
  const char* events;
  const char* oom_key;
  const char* no_limit;
};
constexpr Files kV1{"cgroup-v1",
                    "memory.limit_in_bytes",
                    "memory.memsw.limit_in_bytes",
                    "memory.max_usage_in_bytes",
                    "memory.oom_control",
                    "oom_kill ",
                    "-1"};
constexpr Files kV2{"cgroup-v2", "memory.max", "memory.swap.max", "memory.peak", "memory.events", "oom_kill ", "max"};

// A cgroup of ours: made with its owner, removed with it.
class Cgroup {
 public:
  explicit Cgroup(const Hierarchy& hierarchy)
      : files_(hierarchy.version == 1 ? kV1 : kV2),
        directory_(fmt::format("{}/{}{}-{}", hierarchy.directory, kPrefix, ::getpid(), next_cgroup++)) {
    if (::mkdir(directory_.c_str(), 0755) != 0) throw SystemError("mkdir " + directory_, errno);
  }
  ~Cgroup() {
    if (::getpid() == owner_) ::rmdir(directory_.c_str());
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
    const bool first = sys::TryWriteFile(File(files_.limit), bytes);
    sys::TryWriteFile(File(files_.swap_limit), swap);  // absent without swap accounting
    if (!first && !sys::TryWriteFile(File(files_.limit), bytes)) {
      throw SystemError(fmt::format("write {} to {}", bytes, File(files_.limit)), errno);
    }
    limit_ = limit;
  }

  void Add(pid_t process) const {
    if (!sys::TryWriteFile(File("cgroup.procs"), std::to_string(process))) {
      throw SystemError("move the program into " + directory_, errno);
    }
  }

  [[nodiscard]] std::uint64_t OutOfMemoryKills() const {
    return NumberAfter(sys::TryReadFile(File(files_.events)).value_or(""), files_.oom_key);
  }
  [[nodiscard]] std::optional<Bytes> Peak() const {
    const std::optional<std::string> text = sys::TryReadFile(File(files_.peak));
    if (!text) return std::nullopt;
    return Bytes{NumberAfter(*text, "")};
  }

 private:
  [[nodiscard]] std::string File(std::string_view name) const { return fmt::format("{}/{}", directory_, name); }

  const Files& files_;
  std::string directory_;
  pid_t owner_ = ::getpid();
  std::optional<Bytes> limit_;
};

std::shared_ptr<Cgroup> kept;  // for runs of a single process

std::shared_ptr<Cgroup> CgroupFor(const Hierarchy& hierarchy, const Limits& limits) {
  if (limits.processes > 1) return std::make_shared<Cgroup>(hierarchy);
  if (kept == nullptr || !kept->is_ours()) kept = std::make_shared<Cgroup>(hierarchy);
  return kept;
}

class CgroupMeter : public MemoryMeter {
 public:
  CgroupMeter(const Hierarchy& hierarchy, const Limits& limits)
      : cgroup_(CgroupFor(hierarchy, limits)), limited_(limits.memory.has_value()), single_(limits.processes == 1) {
    cgroup_->SetLimit(limits.memory);
    kills_before_ = cgroup_->OutOfMemoryKills();
  }

  [[nodiscard]] std::string metric() const override {
    const char* name = cgroup_->files().metric;
    return fmt::format("{}, limited by {}", single_ ? "resident" : name, name);
  }
  void OnExitStop(pid_t process) override { resident_.Read(process); }
  void Attach(pid_t program) override { cgroup_->Add(program); }

  // The kernel overcommits: what it refuses at once is more than the whole machine, so more than any limit.
  [[nodiscard]] bool RefusesAllocation(pid_t, Bytes) const override { return false; }

  void Finish(Observations* seen) override {
    if (single_ && resident_.peak()) {
      seen->memory = Without(*resident_.peak(), engine_.resident);
    } else if (const auto peak = cgroup_->Peak(); peak && !single_) {
      seen->memory = *peak;
    } else {
      seen->memory = Measured<Bytes>::Absent("the program was gone before its peak could be read");
    }
    seen->out_of_memory_kill = limited_ && cgroup_->OutOfMemoryKills() > kills_before_;
  }

 private:
  std::shared_ptr<Cgroup> cgroup_;
  bool limited_;
  bool single_;
  std::uint64_t kills_before_ = 0;
  PeakOfProcesses resident_{"VmHWM"};
};

}  // namespace

void FindMemoryCgroups() { OurHierarchy(); }

void RemoveKeptCgroup() { kept.reset(); }

std::unique_ptr<MemoryMeter> MakeCgroupMeter(const Limits& limits, std::string* why) {
  const Hierarchy& hierarchy = OurHierarchy();
  if (hierarchy.version == 0) {
    *why = hierarchy.why;
    return nullptr;
  }
  return std::make_unique<CgroupMeter>(hierarchy, limits);
}

}  // namespace tally
