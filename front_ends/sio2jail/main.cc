// tally-sio2jail: sio2jail's command line, reports and exit statuses; the run is Tally's. 0: the program was run and a report was
// written, whatever the verdict; 1: a mistake in the options; 2: no run, and the reason is on stderr.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/standard_streams.h"
#include "base/sys.h"
#include "front_ends/sio2jail/options.h"
#include "front_ends/sio2jail/report.h"
#include "front_ends/sio2jail/request.h"
#include "front_ends/sio2jail/root.h"
#include "supervisor/api/cannot_execute.h"
#include "supervisor/run/process_executor.h"

namespace tally::sio2jail {
namespace {

template <typename T>
std::string Figure(const char* name, const Measured<T>& figure) {
  return figure.has_value() ? "" : fmt::format("; {} 0 in the report: {}", name, figure.reason());
}

// What the report's formats have no place for.
void WriteLog(const std::string& log, const RunResult& r) {
  if (log.empty()) return;
  const std::string line = fmt::format("{}: {}; instructions by {}{}, memory by {}{}, isolation {}\n", Name(r.code), r.sentence, r.counter,
                                       Figure("time", r.instructions), r.memory_metric, Figure("memory", r.memory), r.isolation);
  if (log == "-") {
    sys::WriteAll(STDERR_FILENO, line, "stderr");
  } else {
    sys::WriteAll(sys::Open(log, O_WRONLY | O_CREAT | O_APPEND, 0666).get(), line, log);
  }
}

// The file that nobody can execute is the caller's mistake, and no runtime error of a contestant's.
RunResult Run(const RunRequest& request, const View& view, const std::string& program) {
  const Sandbox sandbox(ProcessExecutor().sandboxes(), view.root, view.files, view.isolation);
  try {
    return ProcessExecutor().Run(request, sandbox);
  } catch (const CannotExecute& refusal) {
    throw UserError(fmt::format("{} cannot be executed: {}", program, refusal.why()));
  }
}

int ParseAndRun(int argc, char** argv) {
  std::optional<int> status;
  const Options options = ParseOptions(argc, argv, &status);
  if (status) return *status;
  if (::fcntl(options.results_fd, F_GETFD) < 0) {
    throw InvalidConfiguration(fmt::format("--resultsfd {}: {}", options.results_fd, ErrnoText(errno)));
  }
  KeepStandardStreamsOpen();
  if (!options.log.empty() && options.log != "-") {  // before a run whose report nobody would get
    try {
      sys::Open(options.log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    } catch (const SystemError& error) {
      throw UserError(fmt::format("--log: {}: {}", options.log, ErrnoText(error.error())));
    }
  }
  View view = MakeView(options);
  const RunRequest request = MakeRequest(options, &view);
  const RunResult result = Run(request, view, options.command.front());
  WriteLog(options.log, result);
  sys::WriteAll(options.results_fd, Report(options.format, result), fmt::format("descriptor {}", options.results_fd));
  return kExitJobRan;
}

}  // namespace
}  // namespace tally::sio2jail

int main(int argc, char** argv) {
  tally::sys::ReapOwnChildren();
  ::signal(SIGXFSZ, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);  // a reader that is gone is a failure with a sentence
  try {
    const int status = tally::sio2jail::ParseAndRun(argc, argv);
    tally::ProcessExecutor().LeaveMounts();
    return status;
  } catch (const tally::Interrupted& interrupt) {
    tally::ProcessExecutor().RetireAll();
    // Everything is released by now; who started us is to see the signal.
    ::signal(interrupt.signal, SIG_DFL);
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, interrupt.signal);
    ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
    ::raise(interrupt.signal);
    return tally::kExitSystemError;
  } catch (const tally::sio2jail::InvalidConfiguration& error) {
    tally::Complain(fmt::format("Exception occurred: {}", error.what()));
    return tally::kExitSystemError;
  } catch (const tally::UserError& error) {
    tally::Complain(fmt::format("sio2jail: {}", error.what()));
    return tally::kExitUserError;
  } catch (const std::exception& error) {
    tally::Complain(fmt::format("Exception occurred: {}", error.what()));
    return tally::kExitSystemError;
  }
}
