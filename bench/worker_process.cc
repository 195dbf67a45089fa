#include "bench/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <sstream>

#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr auto kLongestStart = std::chrono::seconds(30);
constexpr std::size_t kKeptLog = 4096;

std::uint64_t PeakOf(const std::string& pid) {
  std::istringstream status(sys::TryReadFile("/proc/" + pid + "/status").value_or(""));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6));
  }
  return 0;
}

std::uint64_t PeakWithChildren(const std::string& pid) {
  std::uint64_t sum = PeakOf(pid);
  std::istringstream children(sys::TryReadFile(fmt::format("/proc/{0}/task/{0}/children", pid)).value_or(""));
  for (std::string child; children >> child;) sum += PeakWithChildren(child);
  return sum;
}

}  // namespace

WorkerProcess::WorkerProcess(const std::string& executable, const std::string& config) {
  sys::Pipe pipe = sys::MakePipe();
  log_ = std::move(pipe.read_end);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw SystemError("fork", errno);
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(126);
    ::dup2(pipe.write_end.get(), STDERR_FILENO);
    ::execl(executable.c_str(), "tally", "worker", "--config", config.c_str(), nullptr);
    ::_exit(127);
  }
  pipe.write_end.Reset();
  reader_ = std::thread([this] { ReadLog(); });
  AwaitConnected();
}

WorkerProcess::~WorkerProcess() {
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, nullptr, 0);
  reader_.join();
}

void WorkerProcess::ReadLog() {
  char buffer[65536];
  for (ssize_t n; (n = ::read(log_.get(), buffer, sizeof buffer)) > 0;) {
    const std::scoped_lock lock(mutex_);
    last_lines_.append(buffer, static_cast<std::size_t>(n));
    if (last_lines_.find("\"connected\"") != std::string::npos) connected_ = true;
    if (last_lines_.size() > kKeptLog) last_lines_.erase(0, last_lines_.size() - kKeptLog);
    news_.notify_all();
  }
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  news_.notify_all();
}

void WorkerProcess::AwaitConnected() {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, kLongestStart, [this] { return connected_ || ended_; });
  if (connected_) return;
  const std::string said = last_lines_;
  lock.unlock();
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  reader_.join();
  throw UserError("the worker does not connect", said);
}

WorkerProcess::Peak WorkerProcess::PeakMemory() const {
  return {PeakOf(std::to_string(pid_)), PeakWithChildren(std::to_string(pid_))};
}

}  // namespace tally
