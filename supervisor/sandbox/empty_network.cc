#include "supervisor/sandbox/empty_network.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/tracing/waits.h"

namespace tally {
namespace {

// A child is born in it and holds it until we have it.
Fd Make() {
  EnterPrivateMounts();
  sys::Pipe life = sys::MakePipe();
  clone_args args{};
  args.flags = CLONE_NEWNET;
  args.exit_signal = SIGCHLD;
  const auto child = static_cast<pid_t>(::syscall(SYS_clone3, &args, sizeof args));
  if (child < 0) throw SystemError("clone3(CLONE_NEWNET)", errno);
  if (child == 0) {
    life.write_end.Reset();
    char unused;
    [[maybe_unused]] const ssize_t end = ::read(life.read_end.get(), &unused, 1);
    ::_exit(0);
  }
  const std::string path = fmt::format("/proc/{}/ns/net", child);
  Fd network(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int error = errno;
  life.write_end.Reset();
  waits::AwaitEnd(child);
  if (!network.valid()) throw SystemError("open " + path, error);
  return network;
}

}  // namespace

int EmptyNetwork() {
  static const Fd network = Make();
  return network.get();
}

}  // namespace tally
