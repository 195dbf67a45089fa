#include "tests/support/cli_run.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/fd.h"
#include "base/sys.h"
#include "tests/support/run_program.h"

namespace tally {
namespace {

// A process that hangs is ended, so that its test fails and the others go on.
constexpr unsigned kLongestSeconds = 120;

Fd MemoryFile(const std::string& text = "") {
  Fd fd(::memfd_create("cli", MFD_CLOEXEC));
  sys::WriteAll(fd.get(), text, "memfd");
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

std::string TextOf(const Fd& file) {
  ::lseek(file.get(), 0, SEEK_SET);
  return sys::ReadAll(file.get(), "memfd");
}

int ShellStatus(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

[[noreturn]] void Become(const Words& command, const CliOptions& options) {
  for (const std::string& entry : options.environment) {
    const std::size_t equals = entry.find('=');
    ::setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
  }
  ::setenv("TALLY", TallyPath().c_str(), 1);
  ::setenv("PROGRAMS", (BuildFolder() + "/tests/programs").c_str(), 1);
  if (!options.directory.empty() && ::chdir(options.directory.c_str()) != 0) ::_exit(126);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::alarm(kLongestSeconds);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

CliResult RunCommand(const Words& command, const CliOptions& options) {
  const Fd input = MemoryFile(options.input), out = MemoryFile(), error = MemoryFile();
  ::fcntl(out.get(), F_SETFL, O_APPEND);
  ::fcntl(error.get(), F_SETFL, O_APPEND);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(input.get(), STDIN_FILENO);
    ::dup2(out.get(), STDOUT_FILENO);
    ::dup2(error.get(), STDERR_FILENO);
    Become(command, options);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return {ShellStatus(status), TextOf(out), TextOf(error)};
}

}  // namespace

Json CliResult::json() const {
  Json parsed = Json::parse(out, nullptr, false);
  if (parsed.is_object()) return parsed;
  return {{"result_code", "stdout is not one JSON object"}, {"stdout", out.substr(0, 500)}};
}

std::string TallyPath() { return BuildFolder() + "/bin/tally"; }

CliResult Tally(const Words& arguments, const CliOptions& options) {
  Words command{TallyPath()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return RunCommand(command, options);
}

CliResult Shell(const std::string& line, const CliOptions& options) {
  return RunCommand({"/bin/sh", "-c", line}, options);
}

CliResult ShellOnTerminal(const std::string& line, const CliOptions& options) {
  winsize size{};
  size.ws_col = options.columns;
  size.ws_row = 30;
  int terminal = -1;
  const pid_t pid = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) Become({"/bin/sh", "-c", line}, options);
  const Fd fd(terminal);
  CliResult result;
  char buffer[4096];
  // EIO says that the last process has closed its end
  for (ssize_t n; (n = ::read(fd.get(), buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);) {
    if (n > 0) result.out.append(buffer, static_cast<std::size_t>(n));
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  result.status = ShellStatus(status);
  return result;
}

bool IsOneSentence(const std::string& error) {
  return error.starts_with("tally: ") && error.size() > 20 && error.back() == '\n' &&
         std::count(error.begin(), error.end(), '\n') == 1;
}

bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace tally
