#include "serve/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/executable_path.h"
#include "base/spawn.h"
#include "serve/message.h"

namespace tally::serve {

namespace {

// One that does nothing sees that its socket is closed, and takes away what it has made on the host.
bool EndsSoon(pid_t process) {
  constexpr int kPatienceMs = 1000;
  const Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  pollfd end{handle.get(), POLLIN, 0};
  return handle.valid() && ::poll(&end, 1, kPatienceMs) > 0;
}

}  // namespace

void WorkerProcess::Start() {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw SystemError("socketpair", errno);
  socket_ = Fd(ends[0]);
  const Fd theirs(ends[1]);
  Spawn spawn;
  std::vector<std::string> words = words_;
  words.insert(words.begin(), "tally-serve");
  words.insert(words.end(), {"--worker", std::to_string(spawn.Pass(theirs.get())), "--server", std::to_string(::getpid())});
  pid_ = spawn.Start(ExecutablePath(), words);
  state_ = State::kStarting;
}

bool WorkerProcess::Give(const std::string& text, const std::vector<int>& files) {
  state_ = State::kBusy;
  return Send(socket_.get(), text, files);
}

void WorkerProcess::Kill() {
  socket_.Reset();
  reader_.Reset();
  if (pid_ > 0) {
    if (state_ != State::kIdle || !EndsSoon(pid_)) ::kill(pid_, SIGKILL);
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  state_ = State::kAbsent;
}

WorkerProcess::News WorkerProcess::Read() {
  News news;
  const MessageReader::State read = reader_.Read(socket_.get());
  if (read == MessageReader::State::kPartial) {
    news.is_partial = true;
    return news;
  }
  if (read == MessageReader::State::kGone) {
    Kill();
    news.is_gone = true;
    return news;
  }
  if (state_ == State::kBusy) news.answer = std::move(reader_.text());
  reader_.Reset();
  state_ = State::kIdle;
  return news;
}

}  // namespace tally::serve
