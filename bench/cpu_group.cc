#include "bench/cpu_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/error.h"
#include "base/sys.h"

namespace tally {

CpuGroup::CpuGroup() {
  const std::string name = fmt::format("/tally-bench-{}", ::getpid());
  for (const char* root : {"/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"}) {
    v2_ = ::access((std::string(root) + "/cgroup.controllers").c_str(), F_OK) == 0;
    if (!v2_ && ::access((std::string(root) + "/cpuacct.usage").c_str(), F_OK) != 0) continue;
    folder_ = root + name;
    if (::mkdir(folder_.c_str(), 0755) == 0) return;
  }
  throw SystemError("a cgroup that counts CPU time", errno == 0 ? ENOENT : errno);
}

CpuGroup::~CpuGroup() { ::rmdir(folder_.c_str()); }

double CpuGroup::Run(const std::vector<std::string>& command, const std::string& folder) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const double before = Used();
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int group = ::open((folder_ + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
    if (::write(group, "0", 1) != 1 || ::chdir(folder.c_str()) != 0) ::_exit(127);
    const int null = ::open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; ++fd) ::dup2(null, fd);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (status != 0) throw SystemError(fmt::format("{} ended with wait status {}", command.front(), status), 0);
  // What it has left ends soon; what is killed counts until then.
  for (int looks = 0; looks < 100 && !sys::ReadFile(folder_ + "/cgroup.procs").empty(); ++looks) ::usleep(10'000);
  return Used() - before;
}

double CpuGroup::Used() const {
  if (!v2_) return std::strtod(sys::ReadFile(folder_ + "/cpuacct.usage").c_str(), nullptr) / 1e6;
  const std::string text = sys::ReadFile(folder_ + "/cpu.stat");
  return std::strtod(text.c_str() + text.find(' '), nullptr) / 1e3;  // usage_usec is the first
}

}  // namespace tally
