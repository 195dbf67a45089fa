#include "jobs/judging_workers.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/processors.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

bool ReadFully(int fd, void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t n = ::read(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

JudgingWorkers::JudgingWorkers(unsigned workers, bool pinned, const Work& work) : todo_(sys::MakePipe()) {
  const std::vector<int> all = pinned ? OwnProcessors() : std::vector<int>();
  for (unsigned i = 0; i < workers; ++i) Start(i, ProcessorsOfSlot(all, i, workers), work);
  todo_.read_end.Reset();
}

JudgingWorkers::~JudgingWorkers() {
  todo_.write_end.Reset();
  results_.clear();
  for (const pid_t pid : pids_) ::waitpid(pid, nullptr, 0);
}

void JudgingWorkers::Run(const std::function<std::optional<std::size_t>()>& next, const std::function<void(std::size_t, std::string)>& take) {
  std::size_t under_way = 0;
  const auto give = [&] {
    const std::optional<std::size_t> test = next();
    if (!test) return;
    Give(*test);
    ++under_way;
  };
  while (under_way < pids_.size()) {
    const std::size_t before = under_way;
    give();
    if (under_way == before) break;
  }
  while (under_way > 0) {
    std::vector<pollfd> fds;
    for (const Fd& fd : results_) fds.push_back({fd.get(), POLLIN, 0});
    fds.push_back({interrupts_.fd(), POLLIN, 0});
    if (::poll(fds.data(), fds.size(), -1) < 0) {
      if (errno == EINTR) continue;
      throw SystemError("poll", errno);
    }
    ThrowIfInterrupted();
    for (const pollfd& fd : fds) {
      if (fd.revents == 0 || fd.fd == interrupts_.fd()) continue;
      TakeFrom(fd.fd, take);
      --under_way;
      give();
    }
  }
}

void JudgingWorkers::ThrowIfInterrupted() {
  const int signal = interrupts_.Take();
  if (signal == 0) return;
  for (const pid_t pid : pids_) ::kill(pid, signal);  // ours until the destructor waits for them
  throw Interrupted{signal};
}

void JudgingWorkers::TakeFrom(int fd, const std::function<void(std::size_t, std::string)>& take) {
  std::uint64_t head[2];
  if (!ReadFully(fd, head, sizeof head)) {
    ThrowIfInterrupted();  // a terminal tells us and them
    throw SystemError("a judging worker ended early", 0);
  }
  std::string text(head[1], '\0');
  if (!ReadFully(fd, text.data(), text.size())) throw SystemError("a judging worker ended early", 0);
  take(head[0], std::move(text));
}

// `processors`: its own; none: all, like everybody.
void JudgingWorkers::Start(unsigned index, const std::vector<int>& processors, const Work& work) {
  sys::Pipe results = sys::MakePipe();
  const pid_t pid = ::fork();
  if (pid < 0) throw SystemError("fork a judging worker", errno);
  if (pid == 0) {
    todo_.write_end.Reset();
    interrupts_.Close();
    if (!processors.empty()) KeepToProcessors(processors);
    std::uint64_t test;
    try {
      while (ReadFully(todo_.read_end.get(), &test, sizeof test)) {
        const std::string text = work(test, index);
        const std::uint64_t head[2] = {test, text.size()};
        sys::WriteAll(results.write_end.get(), {reinterpret_cast<const char*>(head), sizeof head}, "results");
        sys::WriteAll(results.write_end.get(), text, "results");
      }
    } catch (...) {  // interrupted, or nobody is there to read: the parent sees that we ended
    }
    ProcessExecutor().RetireAll();
    ::_exit(0);
  }
  pids_.push_back(pid);
  results_.push_back(std::move(results.read_end));
}

void JudgingWorkers::Give(std::uint64_t test) {
  sys::WriteAll(todo_.write_end.get(), {reinterpret_cast<const char*>(&test), sizeof test}, "tests");
}

}  // namespace tally
