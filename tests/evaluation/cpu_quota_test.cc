// The quota of processors, on this process itself: each case in a child.
#include "evaluation/cpu_quota.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

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

TEST_CASE("cpu quota: half a processor is a cgroup with that bandwidth, or one processor; nothing of it stays") {
  pid_t pid = -1;
  const std::string how = InChild(
      [] {
        const CpuQuota quota(0.5);
        if (quota.how() != "cgroup v1") return quota.how();
        std::ifstream file("/sys/fs/cgroup/cpu/tally-cpu-" + std::to_string(::getpid()) + "/cpu.cfs_quota_us");
        std::string text;
        return file >> text ? "quota " + text : "in a cgroup below another one";
      },
      &pid);
  INFO(how);
  CHECK((how == "quota 50000" || how == "affinity" || how == "in a cgroup below another one"));
  CHECK_FALSE(std::filesystem::exists("/sys/fs/cgroup/cpu/tally-cpu-" + std::to_string(pid)));
}

TEST_CASE("cpu quota: as many processors as there are is no limit") {
  CHECK(InChild([] { return CpuQuota(4096).how(); }) == "none: this machine has no more processors");
}

}  // namespace
}  // namespace tally
