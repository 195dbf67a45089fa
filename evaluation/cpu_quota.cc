#include "evaluation/cpu_quota.h"

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/sys.h"

namespace tally {
namespace {

constexpr const char* kCpuHierarchy = "/sys/fs/cgroup/cpu";
constexpr std::string_view kPrefix = "tally-cpu-";
constexpr int kPeriodUs = 100'000;

std::vector<int> OurProcessors() {
  cpu_set_t set;
  std::vector<int> processors;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) processors.push_back(i);
  }
  return processors;
}

// The part of /proc/self/cgroup behind the cpu controller.
std::string OwnCpuCgroup() {
  const std::string cgroups = sys::TryReadFile("/proc/self/cgroup").value_or("");
  for (const char* controllers : {":cpu:", ":cpu,cpuacct:"}) {
    const std::size_t at = cgroups.find(controllers);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + std::string_view(controllers).size();
    const std::string path = cgroups.substr(begin, cgroups.find('\n', begin) - begin);
    return std::string(kCpuHierarchy) + (path == "/" ? "" : path);
  }
  return "";
}

}  // namespace

CpuQuota::CpuQuota(double processors, std::size_t instance) {
  if (processors >= static_cast<double>(OurProcessors().size())) {
    how_ = "none: this machine has no more processors";
  } else if (!ByCgroup(processors) && !ByAffinity(processors, instance)) {
    how_ = "none: neither a cgroup nor affinity can be set";
  }
}

CpuQuota::~CpuQuota() {
  if (cgroup_.empty()) return;
  sys::TryWriteFile(parent_ + "/cgroup.procs", fmt::format("{}", ::getpid()));
  ::rmdir(cgroup_.c_str());
}

void CpuQuota::Sweep() {
  const std::string parent = OwnCpuCgroup();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename();
    if (name.rfind(kPrefix, 0) != 0) continue;
    const pid_t pid = std::atoi(name.c_str() + kPrefix.size());
    // rmdir refuses one that is in use.
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) ::rmdir(entry.path().c_str());
  }
}

bool CpuQuota::ByCgroup(double processors) {
  parent_ = OwnCpuCgroup();
  if (parent_.empty()) return false;
  Sweep();
  const std::string path = fmt::format("{}/{}{}", parent_, kPrefix, ::getpid());
  if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return false;
  cgroup_ = path;
  const auto quota = static_cast<long>(std::lround(processors * kPeriodUs));
  if (!sys::TryWriteFile(path + "/cpu.cfs_period_us", fmt::format("{}", kPeriodUs)) ||
      !sys::TryWriteFile(path + "/cpu.cfs_quota_us", fmt::format("{}", std::max(quota, 1'000L))) ||
      !sys::TryWriteFile(path + "/cgroup.procs", fmt::format("{}", ::getpid()))) {
    ::rmdir(path.c_str());
    cgroup_.clear();
    return false;
  }
  how_ = "cgroup v1";
  return true;
}

bool CpuQuota::ByAffinity(double processors, std::size_t instance) {
  const std::vector<int> ours = OurProcessors();
  const auto wanted = static_cast<std::size_t>(std::max(1.0, std::ceil(processors)));
  cpu_set_t set;
  CPU_ZERO(&set);
  for (std::size_t i = 0; i < wanted; ++i) CPU_SET(ours[(instance * wanted + i) % ours.size()], &set);
  if (::sched_setaffinity(0, sizeof set, &set) != 0) return false;
  how_ = "affinity";
  return true;
}

}  // namespace tally
