#include "supervisor/sandbox/best_isolation.h"

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>

#include "base/error.h"
#include "base/kernel_version.h"
#include "base/sys.h"
#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/tracing/waits.h"

namespace tally {
namespace {

// In a child: it moves into other namespaces.
bool CanBeFull() {
  if (ThisKernel() < kOldestKernel) return false;
  sys::Pipe answer = sys::MakePipe();
  const pid_t pid = ::fork();
  if (pid < 0) throw SystemError("fork", errno);
  if (pid == 0) {
    try {
      MountTmpfsForRoot();
      sys::WriteAll(answer.write_end.get(), "y", "pipe");
    } catch (const std::exception&) {  // then it cannot
    }
    ::_exit(0);
  }
  answer.write_end.Reset();
  const bool can = sys::ReadAll(answer.read_end.get(), "pipe") == "y";
  waits::AwaitEnd(pid);
  return can;
}

}  // namespace

Isolation BestIsolation() {
  static const Isolation best = CanBeFull() ? Isolation::kFull : Isolation::kReduced;
  return best;
}

}  // namespace tally
