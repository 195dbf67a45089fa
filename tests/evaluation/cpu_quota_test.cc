// The quota of processors, on this process itself: each case in a child.
#include "evaluation/cpu_quota.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "base/sys.h"
#include "supervisor/resources/cgroup_parent.h"
#include "supervisor/run/process_executor.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

// What `work` returns, in a process of its own, whose number is then in `pid`.
std::string InChild(const std::function<std::string()>& work, pid_t* number = nullptr) {
  int pipe_fds[2];
  REQUIRE(::pipe(pipe_fds) == 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const std::string text = work();
    ::_exit(::write(pipe_fds[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  if (number != nullptr) *number = pid;
  ::close(pipe_fds[1]);
  std::string text(4096, '\0');
  const ssize_t n = ::read(pipe_fds[0], text.data(), text.size());
  ::close(pipe_fds[0]);
  ::waitpid(pid, nullptr, 0);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

// What the kernel holds this process to, in the words of its version.
std::string Bandwidth(const std::string& how) {
  std::string why;
  if (how == "cgroup v2") return sys::ReadFile(*OwnCgroup() + "/cpu.max");
  if (how != "cgroup v1") return how;
  const auto parent = FindCgroupParent("cpu", &why);  // we are in it
  return sys::ReadFile(parent->directory + "/cpu.cfs_quota_us");
}

TEST_CASE("cpu quota: half a processor is a cgroup with that bandwidth, or one processor; nothing of it stays") {
  std::string why;
  const auto parent = FindCgroupParent("cpu", &why);
  pid_t pid = -1;
  const std::string held = InChild(
      [] {
        const CpuQuota quota(0.5);
        return quota.how() + ": " + Bandwidth(quota.how());
      },
      &pid);
  INFO(held);
  if (!parent) {
    CHECK(held == "affinity: affinity");
    return;
  }
  CHECK(held == (parent->version == 2 ? "cgroup v2: 50000 100000\n" : "cgroup v1: 50000\n"));
  CHECK_FALSE(std::filesystem::exists(parent->directory + "/tally-cpu-" + std::to_string(pid)));
}

TEST_CASE("cpu quota: who has a fifth of a processor computes for no more than that, what it starts included") {
  std::string why;
  if (!FindCgroupParent("cpu", &why)) TALLY_SKIP("only whole processors without a cgroup: " + why);
  const std::string share = InChild([] {
    const CpuQuota quota(0.2);
    const Nanoseconds begin = sys::MonotonicNow();
    const pid_t child = ::fork();
    while (sys::MonotonicNow() - begin < std::chrono::milliseconds(500)) {
    }
    if (child == 0) ::_exit(0);
    rusage own{}, childs{};
    ::wait4(child, nullptr, 0, &childs);
    ::getrusage(RUSAGE_SELF, &own);
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
    const double used = seconds(own.ru_utime) + seconds(own.ru_stime) + seconds(childs.ru_utime) + seconds(childs.ru_stime);
    return std::to_string(used / std::chrono::duration<double>(sys::MonotonicNow() - begin).count());
  });
  INFO(share);
  CHECK(std::stod(share) < 0.4);  // two processors would give 2; what is left of a period counts with the next
}

TEST_CASE("cpu quota: what runs under it has memory cgroups, and these go with it") {
  pid_t pid = -1;
  const std::string seen = InChild(
      [] {
        const CpuQuota quota(0.5);
        std::string why;
        const auto meter = ProcessExecutor().cgroups().MakeMeter({}, &why);
        return meter == nullptr ? "none: " + why : meter->metric();
      },
      &pid);
  INFO(seen);
  std::string why;
  const auto cpu = FindCgroupParent("cpu", &why), memory = FindCgroupParent("memory", &why);
  CHECK((seen.find("none: ") == 0) == !memory.has_value());
  for (const auto& parent : {cpu, memory}) {
    if (parent) CHECK_FALSE(std::filesystem::exists(parent->directory + "/tally-cpu-" + std::to_string(pid)));
  }
}

TEST_CASE("cpu quota: as many processors as there are is no limit") {
  CHECK(InChild([] { return CpuQuota(4096).how(); }) == "none: this machine has no more processors");
}

}  // namespace
}  // namespace tally
