#include "dispatcher/instance_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/environment.h"
#include "base/error.h"
#include "base/spawn.h"
#include "base/sys.h"
#include "evaluation/cpu_quota.h"

namespace tally {
namespace {

constexpr std::size_t kLongestLine = 2000;

// Ours, without what is the broker's.
std::vector<std::string> InstanceEnvironment(const std::string& folder) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("EVA_DISPATCHER_")) entries.emplace_back(*entry);
  }
  return MergedEnvironment(std::move(entries), {"TMPDIR=" + folder});
}

void DoNotBlock(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

bool MustWait() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

InstanceProcess::InstanceProcess(std::size_t number, const WorkerFolder& folder, const std::string& settings) {
  const std::string own_folder = fmt::format("{}/instance-{}", folder.path(), number);
  if (::mkdir(own_folder.c_str(), 0700) != 0 && errno != EEXIST) throw SystemError("mkdir " + own_folder, errno);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw SystemError("socketpair", errno);
  socket_ = Fd(ends[0]);
  const Fd theirs(ends[1]);
  sys::Pipe words = sys::MakePipe();
  words_ = std::move(words.read_end);
  DoNotBlock(socket_.get());
  DoNotBlock(words_.get());

  Spawn spawn;
  spawn.SetEnvironment(InstanceEnvironment(own_folder));
  spawn.Give(words.write_end.get(), STDOUT_FILENO);
  spawn.Give(words.write_end.get(), STDERR_FILENO);
  pid_ = spawn.Start("/proc/self/exe", {"tally-dispatcher", "instance", std::to_string(spawn.Pass(theirs.get())),
                                        std::to_string(spawn.Pass(folder.lock())), std::to_string(::getpid()), std::to_string(number)});
  Give(FrameKind::kSettings, settings);
}

InstanceProcess::~InstanceProcess() {
  if (pid_ < 0) return;
  Kill();
  Reap();
}

void InstanceProcess::Give(FrameKind kind, std::string_view body) {
  out_ += HeadOf(kind, body.size());
  out_ += body;
  Write();
}

void InstanceProcess::AddTo(std::vector<pollfd>* fds) const {
  if (socket_.valid()) fds->push_back({socket_.get(), static_cast<short>(out_.empty() ? POLLIN : POLLIN | POLLOUT), 0});
  if (words_.valid()) fds->push_back({words_.get(), POLLIN, 0});
}

InstanceProcess::News InstanceProcess::Move() {
  News news;
  Write();
  ReadWords(&news);
  Read(&news);
  return news;
}

void InstanceProcess::Write() {
  while (written_ < out_.size()) {
    const ssize_t n = ::send(socket_.get(), out_.data() + written_, out_.size() - written_, MSG_NOSIGNAL);
    if (n <= 0) return;  // not now, or never: then its end is read
    written_ += static_cast<std::size_t>(n);
  }
  out_ = std::string();
  written_ = 0;
}

void InstanceProcess::Read(News* news) {
  std::array<char, 65536> buffer;
  while (socket_.valid()) {
    const ssize_t n = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (n < 0 && MustWait()) break;
    if (n <= 0) {
      socket_.Reset();
      news->ended = Reap();
      break;
    }
    in_.Add({buffer.data(), static_cast<std::size_t>(n)});
  }
  while (std::optional<Frame> frame = in_.Take()) {
    if (frame->kind == FrameKind::kReady) news->ready = std::move(frame->body);
    if (frame->kind == FrameKind::kAnswer) news->answer = std::move(frame->body);
  }
}

void InstanceProcess::ReadWords(News* news) {
  std::array<char, 4096> buffer;
  while (words_.valid()) {
    const ssize_t n = ::read(words_.get(), buffer.data(), buffer.size());
    if (n < 0 && MustWait()) return;
    if (n <= 0) {
      words_.Reset();
      break;
    }
    for (ssize_t i = 0; i < n; ++i) {
      if (buffer[static_cast<std::size_t>(i)] == '\n') {
        news->said.push_back(std::exchange(line_, {}));
      } else if (line_.size() < kLongestLine) {
        line_ += buffer[static_cast<std::size_t>(i)];
      }
    }
  }
}

void InstanceProcess::Kill() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

// Its socket is closed, so it is at its end or past it.
std::string InstanceProcess::Reap() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  CpuQuota::Sweep();
  if (WIFSIGNALED(status)) return fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

}  // namespace tally
