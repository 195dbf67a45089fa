// tally-runguard: the command line, figures and exit statuses of DOMjudge's runguard; the run is Tally's, without root. The exit status is the
// program's; 255: a mistake in the options, or a failure of ours, and internal-error in the figures says which.
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <string>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/standard_streams.h"
#include "base/sys.h"
#include "front_ends/runguard/meta.h"
#include "front_ends/runguard/options.h"
#include "front_ends/runguard/pump.h"
#include "front_ends/runguard/request.h"
#include "front_ends/runguard/view.h"
#include "supervisor/api/cannot_execute.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally::runguard {
namespace {

void RunOn(const std::vector<unsigned>& processors) {
  if (processors.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const unsigned processor : processors) CPU_SET(processor, &set);
  if (::sched_setaffinity(0, sizeof set, &set) != 0) throw UserError("requested pinning on a CPU which is not online");
  cpu_set_t got;
  ::sched_getaffinity(0, sizeof got, &got);
  for (const unsigned processor : processors) {
    if (!CPU_ISSET(processor, &got)) throw UserError(fmt::format("requested pinning on CPU {} which is not online", processor));
  }
}

// A program may have left a link there.
Fd Create(const std::string& path) {
  Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0600));
  if (!file.valid()) throw UserError(fmt::format("opening file `{}': {}", path, ErrnoText(errno)));
  return file;
}

Outcome Run(const Options& options) {
  RunOn(options.processors);
  const View view = MakeView(options);
  const Fd out = options.out.empty() ? Fd() : Create(options.out), error = options.error.empty() ? Fd() : Create(options.error);
  Pump pump(out.valid() ? out.get() : STDOUT_FILENO, error.valid() ? error.get() : STDERR_FILENO, options.stream_size);
  RunRequest request = MakeRequest(options, view);
  request.stdin_fd = STDIN_FILENO;
  request.stdout_fd = pump.out();
  request.stderr_fd = pump.error();
  const Nanoseconds began = sys::MonotonicNow();
  try {
    const Sandbox sandbox(ProcessExecutor().sandboxes(), view.root, {});
    const RunResult result = ProcessExecutor().Run(request, sandbox);
    if (result.limit == LimitKind::kWallTime && options.runpipe > 0) ::kill(options.runpipe, SIGUSR1);
    return OutcomeOf(options, result, pump.Finish());
  } catch (const CannotExecute& refusal) {
    throw UserError(fmt::format("cannot start `{}': {}", options.command.front(), refusal.why()));
  } catch (const Interrupted& interrupt) {
    ProcessExecutor().RetireAll();
    return Ended(options, interrupt.signal, sys::MonotonicNow() - began, pump.Finish());
  }
}

void WriteMeta(const Options& options, const std::string& text) {
  if (!options.meta.empty()) WriteFileOrStream(options.meta, text, "--outmeta");
}

int Do(const Options& options) {
  if (options.help) {
    fmt::print("{}", Help());
    return 0;
  }
  if (options.version) {
    fmt::print("runguard -- part of DOMjudge's interface, by Tally {}\n", TALLY_VERSION);
    return 0;
  }
  WriteMeta(options, "");  // of a run that comes to no end nobody reads what an earlier one said
  const Outcome outcome = Run(options);
  if (!outcome.warning.empty() && !options.quiet) Complain("runguard: warning: " + outcome.warning);
  WriteMeta(options, outcome.meta);
  return outcome.status;
}

int ParseAndDo(int argc, char** argv) {
  Options options;
  try {
    ParseOptions(argc, argv, &options);
    const int status = Do(options);
    ProcessExecutor().LeaveMounts();
    return status;
  } catch (const std::exception& error) {
    const Outcome failed = Failed(error.what());
    Complain(fmt::format("runguard: {}", error.what()));
    try {
      WriteMeta(options, failed.meta);
    } catch (const std::exception&) {  // it was said that it cannot be written
    }
    return failed.status;
  }
}

}  // namespace
}  // namespace tally::runguard

int main(int argc, char** argv) {
  tally::KeepStandardStreamsOpen();
  tally::sys::ReapOwnChildren();
  ::signal(SIGXFSZ, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  return tally::runguard::ParseAndDo(argc, argv);
}
