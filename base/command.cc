#include "base/command.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>

#include "base/error.h"
#include "base/spawn.h"
#include "base/sys.h"

namespace tally {
namespace {

std::vector<std::string> OurEnvironmentAnd(const std::vector<std::string>& more) {
  std::vector<std::string> out(more);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view ours = *entry;
    const std::string_view key = ours.substr(0, std::min(ours.find('='), ours.size() - 1) + 1);
    if (std::none_of(more.begin(), more.end(),
                     [&](std::string_view given) { return given.starts_with(key); }))
      out.emplace_back(ours);
  }
  return out;
}

// False: its time is over.
bool ReadUntilItEnds(int from, Nanoseconds until, std::string* out) {
  for (;;) {
    const Nanoseconds left = until - sys::MonotonicNow();
    const auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
    pollfd what{from, POLLIN, 0};
    const int ready = ::poll(&what, 1, static_cast<int>(std::max<std::int64_t>(wait, 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    std::array<char, 4096> text;
    const ssize_t size = ::read(from, text.data(), text.size());
    if (size <= 0) return true;
    out->append(text.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

CommandEnd RunCommand(const std::vector<std::string>& words, const std::vector<std::string>& more,
                      Nanoseconds longest) {
  const Nanoseconds until = sys::MonotonicNow() + longest;
  sys::Pipe pipe = sys::MakePipe();
  Spawn spawn;
  spawn.Give(pipe.write_end.get(), STDOUT_FILENO);
  spawn.Give(pipe.write_end.get(), STDERR_FILENO);
  spawn.SetEnvironment(OurEnvironmentAnd(more));
  pid_t pid = -1;
  try {
    pid = spawn.Start(words.front(), words);
  } catch (const SystemError& error) {
    return {false, error.what()};
  }
  pipe.write_end.Reset();
  CommandEnd end;
  const bool in_time = ReadUntilItEnds(pipe.read_end.get(), until, &end.said);
  if (!in_time) ::kill(pid, SIGKILL);
  int status = -1;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) return {false, fmt::format("{} did not end in time", words.front())};
  while (!end.said.empty() && end.said.back() == '\n') end.said.pop_back();
  end.is_success = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return end;
}

}  // namespace tally
