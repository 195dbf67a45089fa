#include "profile/metrics/channel.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/error.h"
#include "base/spawn.h"
#include "base/sys.h"

namespace tally {
namespace {

// An agent ends at once. One that hangs in the machine's own calls is not waited for.
constexpr int kPatienceMs = 300;

bool EndedWithin(const Fd& process, int ms) {
  pollfd poll_fd{process.get(), POLLIN, 0};
  int ready;
  while ((ready = ::poll(&poll_fd, 1, ms)) < 0 && errno == EINTR) {
  }
  return ready > 0;
}

}  // namespace

std::string MetricsExecutable() { return ExecutableBeside("tally-metrics"); }

MetricsChannel::MetricsChannel(const std::string& config_path) : owner_(::getpid()) {
  const MetricsConfig config = ReadMetricsConfig(YamlMap::FromFile(config_path));
  if (config.enabled) Start(config_path, config);
}

void MetricsChannel::Start(const std::string& config_path, const MetricsConfig& config) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) {
    throw SystemError("socketpair", errno);
  }
  socket_ = Fd(ends[0]);
  const Fd theirs(ends[1]);
  Fd memory(::memfd_create("tally-metrics", MFD_CLOEXEC));
  if (!memory.valid()) throw SystemError("memfd_create", errno);
  dropped_ = std::make_unique<SharedMemory>(std::move(memory), sizeof(std::uint64_t));

  Spawn spawn;
  const Fd nowhere = sys::Open("/dev/null", O_WRONLY);
  spawn.Give(nowhere.get(), STDOUT_FILENO);
  Fd log;
  if (!config.log.empty()) {
    log = Fd(::open(config.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    if (!log.valid()) throw UserError(fmt::format("{}: log: {}: {}", config_path, config.log, ErrnoText(errno)));
    spawn.Give(log.get(), STDERR_FILENO);
  }
  const std::string executable = MetricsExecutable();
  const pid_t pid = spawn.Start(executable, {executable, "agent", config_path, std::to_string(spawn.Pass(theirs.get())),
                                             std::to_string(spawn.Pass(dropped_->file())), std::to_string(owner_)});
  dropped_->CloseFile();
  process_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!process_.valid()) {
    const int error = errno;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    throw SystemError("pidfd_open", error);
  }
}

MetricsChannel::~MetricsChannel() { End(); }

void MetricsChannel::SetBatch(std::uint64_t index, std::string_view name) noexcept {
  batch_ = index;
  MetricsRecord record;
  record.kind = MetricsRecord::Kind::kBatch;
  record.batch = index;
  record.SetName(name);
  Tell(&record);
}

void MetricsChannel::RecordTiming(std::string_view step, Nanoseconds duration) noexcept { RecordTiming(step, duration, batch_); }

void MetricsChannel::RecordTiming(std::string_view step, Nanoseconds duration, std::uint64_t batch) noexcept {
  MetricsRecord record;
  record.kind = MetricsRecord::Kind::kTiming;
  record.batch = batch;
  record.nanoseconds = duration.count();
  record.SetName(step);
  Tell(&record);
}

void MetricsChannel::Tell(MetricsRecord* record) noexcept {
  if (!socket_.valid()) return;
  record->unix_ms = UnixMs();
  if (::send(socket_.get(), record, sizeof *record, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof *record) return;
  if (errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM) {
    std::atomic_ref(*reinterpret_cast<std::uint64_t*>(dropped_->data())).fetch_add(1, std::memory_order_relaxed);
  } else {
    socket_.Reset();  // nobody is there
  }
}

std::optional<std::string> MetricsChannel::End() noexcept {
  if (owner_ != ::getpid() || !process_.valid()) return std::nullopt;
  const bool was_there = !EndedWithin(process_, 0);
  // Of the socket, not of our descriptor: workers may have theirs.
  if (socket_.valid()) ::shutdown(socket_.get(), SHUT_RDWR);
  socket_.Reset();
  if (was_there && !EndedWithin(process_, kPatienceMs)) {
    ::syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0);
    EndedWithin(process_, kPatienceMs);
  }
  ::waitid(P_PIDFD, static_cast<id_t>(process_.get()), nullptr, WEXITED | WNOHANG | __WALL);
  process_.Reset();
  if (was_there) return std::nullopt;
  return "metrics: the agent ended before judging did; its log says more";
}

}  // namespace tally
