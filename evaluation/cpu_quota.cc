#include "evaluation/cpu_quota.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <optional>
#include <vector>

#include "base/processors.h"
#include "base/sys.h"
#include "supervisor/resources/cgroup_parent.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

constexpr std::string_view kPrefix = "tally-cpu-";
constexpr int kPeriodUs = 100'000;

bool Limit(const std::string& cgroup, int version, double processors) {
  const long quota = std::max(std::lround(processors * kPeriodUs), 1'000L);
  if (version == 2) return sys::TryWriteFile(cgroup + "/cpu.max", fmt::format("{} {}", quota, kPeriodUs));
  return sys::TryWriteFile(cgroup + "/cpu.cfs_period_us", fmt::format("{}", kPeriodUs)) &&
         sys::TryWriteFile(cgroup + "/cpu.cfs_quota_us", fmt::format("{}", quota));
}

// Why there is none is told by nobody: affinity is the second plan.
std::optional<CgroupParent> FindParent() {
  std::string why;
  return FindCgroupParent("cpu", &why);
}

}  // namespace

CpuQuota::CpuQuota(double processors, std::size_t instance) {
  if (processors >= static_cast<double>(OwnProcessors().size())) {
    how_ = "none: this machine has no more processors";
  } else if (!ByCgroup(processors) && !ByAffinity(processors, instance)) {
    how_ = "none: neither a cgroup nor affinity can be set";
  }
}

CpuQuota::~CpuQuota() {
  if (cgroup_.empty()) return;
  ProcessExecutor().cgroups().Forget();
  sys::TryWriteFile(before_ + "/cgroup.procs", "0");
  RemoveCgroups(cgroup_);
}

void CpuQuota::StepAside() { FindParent(); }

void CpuQuota::Sweep() {
  if (const auto parent = FindParent()) SweepCgroups(parent->directory, kPrefix);
}

bool CpuQuota::ByCgroup(double processors) {
  ProcessExecutor().cgroups().Find();  // handed on to where we are now, memory can be handed on below it
  const std::optional<CgroupParent> parent = FindParent();
  if (!parent) return false;
  SweepCgroups(parent->directory, kPrefix);
  before_ = parent->version == 2 ? OwnCgroup().value_or(parent->directory) : parent->directory;
  const std::string path = fmt::format("{}/{}{}", parent->directory, kPrefix, ::getpid());
  if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return false;
  if (!Limit(path, parent->version, processors) || !sys::TryWriteFile(path + "/cgroup.procs", "0")) {
    ::rmdir(path.c_str());
    return false;
  }
  cgroup_ = path;
  ProcessExecutor().cgroups().Forget();
  how_ = fmt::format("cgroup v{}", parent->version);
  return true;
}

bool CpuQuota::ByAffinity(double processors, std::size_t instance) {
  const std::vector<int> ours = OwnProcessors();
  const auto wanted = static_cast<std::size_t>(std::max(1.0, std::ceil(processors)));
  std::vector<int> share;
  for (std::size_t i = 0; i < wanted; ++i) share.push_back(ours[(instance * wanted + i) % ours.size()]);
  if (!KeepToProcessors(share)) return false;
  how_ = "affinity";
  return true;
}

}  // namespace tally
