#include "supervisor/resources/syscall_counter.h"

#include <fmt/format.h>
#include <linux/close_range.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>

#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr const char* kIdFile = "events/raw_syscalls/sys_enter/id";

std::optional<std::uint64_t> ReadId(const std::string& tracefs) {
  const std::optional<std::string> text = sys::TryReadFile(tracefs + "/" + kIdFile);
  std::uint64_t id = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), id).ec != std::errc()) {
    return std::nullopt;
  }
  return id;
}

// The tracepoint's number. Where nobody has mounted tracefs, we do so in our own mount namespace.
std::optional<std::uint64_t> TracepointId(TracepointCounter::Directory private_directory) {
  for (const char* mounted : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    if (const auto id = ReadId(mounted)) return id;
  }
  if (::geteuid() != 0) return std::nullopt;
  const std::string directory = private_directory() + "/tracefs";
  ::mkdir(directory.c_str(), 0700);
  if (::mount("tally", directory.c_str(), "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
    return std::nullopt;
  }
  const auto id = ReadId(directory);
  ::umount2(directory.c_str(), MNT_DETACH);
  return id;
}

Fd OpenEvent(std::uint64_t id, pid_t process, bool follow) {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_TRACEPOINT;
  attr.size = sizeof attr;
  attr.config = id;
  attr.disabled = 1;
  attr.inherit = follow ? 1 : 0;
  attr.enable_on_exec = follow ? 1 : 0;
  return Fd(static_cast<int>(::syscall(SYS_perf_event_open, &attr, process, -1, -1, PERF_FLAG_FD_CLOEXEC)));
}

// Closing the machine's last event on a tracepoint waits tens of milliseconds for the kernel to be sure that
// nobody still runs the probe (kernel/trace/trace_event_perf.c, perf_trace_event_unreg). So one event stays
// open while we live, and a helper process of ours closes it after our end, when nobody waits.
class Keepalive {
 public:
  explicit Keepalive(std::uint64_t id) : event_(OpenEvent(id, 0, false)), error_(event_.valid() ? 0 : errno) {
    if (!event_.valid()) return;
    sys::Pipe life = sys::MakePipe();
    static char stack[16 << 10];
    static Descriptors kept;  // read by the helper whenever it is scheduled
    kept = {event_.get(), life.read_end.get()};
    // Shares our memory, so it costs no page tables; sends no signal, so nobody has to wait for it. It sleeps
    // in read and touches nothing after.
    ::clone(Linger, stack + sizeof stack, CLONE_VM, &kept);
    life_ = std::move(life.write_end);
    read_end_ = std::move(life.read_end);
  }
  [[nodiscard]] int error() const { return error_; }

 private:
  struct Descriptors {
    int event;
    int life;
  };
  // Until our end of the pipe closes, which is when we end, however we end.
  static int Linger(void* argument) {
    const Descriptors* const descriptors = static_cast<Descriptors*>(argument);
    ::syscall(SYS_setsid);
    ::syscall(SYS_dup2, descriptors->event, 0);
    ::syscall(SYS_dup2, descriptors->life, 1);
    ::syscall(SYS_close_range, 2u, ~0u, 0u);
    char unused;
    while (::syscall(SYS_read, 1, &unused, 1) < 0) {
    }
    ::syscall(SYS_exit_group, 0);
    return 0;
  }

  Fd event_;
  int error_;
  Fd life_;
  Fd read_end_;
};

std::optional<std::uint64_t> tracepoint_id;

std::optional<std::string> Probe(TracepointCounter::Directory private_directory) {
  tracepoint_id = TracepointId(private_directory);
  if (!tracepoint_id) return "this user cannot read the tracepoint's number in tracefs";
  static const Keepalive keepalive(*tracepoint_id);
  if (keepalive.error() != 0) {
    return "this user may not count tracepoints (perf_event_open: " + ErrnoText(keepalive.error()) + ")";
  }
  return std::nullopt;
}

}  // namespace

const std::optional<std::string>& TracepointCounter::Prepare(Directory private_directory) {
  static const std::optional<std::string> why = Probe(private_directory);
  return why;
}

TracepointCounter::TracepointCounter(pid_t process) : event_(OpenEvent(*tracepoint_id, process, true)) {
  if (!event_.valid()) throw SystemError("perf_event_open(raw_syscalls:sys_enter)", errno);
}

Measured<std::uint64_t> TracepointCounter::Read() const {
  std::uint64_t count = 0;
  if (::read(event_.get(), &count, sizeof count) != sizeof count) {
    return Measured<std::uint64_t>::Absent("the tracepoint counter could not be read");
  }
  return count;
}

}  // namespace tally
