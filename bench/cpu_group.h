// A cgroup of its own, for what a command and all that it starts use of the processors: what an init has reaped in a process
// namespace is in no parent's rusage.
#pragma once

#include <string>
#include <vector>

namespace tally {

class CpuGroup {
 public:
  // SystemError where this machine gives none.
  CpuGroup();
  ~CpuGroup();
  CpuGroup(const CpuGroup&) = delete;
  CpuGroup& operator=(const CpuGroup&) = delete;

  // CPU milliseconds of `command`, which must succeed; its streams are /dev/null.
  double Run(const std::vector<std::string>& command, const std::string& folder);

 private:
  [[nodiscard]] double Used() const;

  std::string folder_;
  bool v2_ = false;
};

}  // namespace tally
