// tally: the command line. Exit status: 0 the job ran, whatever the verdict; 1 the user's mistake; 2 our or the
// host's failure; 3 not as expected (docs/results.md).
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/standard_streams.h"
#include "base/sys.h"
#include "cli/commands.h"
#include "supervisor/run/process_executor.h"

namespace {

constexpr const char* kFooter =
    "Exit status: 0 the job ran, whatever the verdict; 1 your mistake; 2 our or the host's failure; 3 not as expected\n"
    "(--expect, verify).\n"
    "Start here:  tally judge examples/sum examples/sum/solutions/*.cpp\n"
    "Manual:      man tally";

struct CommandGroup {
  std::vector<std::string_view> names;
  void (*add)(tally::CommandLine*);
};

// To describe a command takes longer than to start a program, so only what was asked for is described; without a
// command, all of them, for the help text. False then.
bool AddCommands(std::string_view asked, tally::CommandLine* line) {
  const CommandGroup groups[] = {{{"judge"}, tally::AddJudgeCommand},
                                 {{"verify"}, tally::AddVerifyCommand},
                                 {{"run"}, tally::AddRunCommand},
                                 {{"trace"}, tally::AddTraceCommand},
                                 {{"exec", "vcpu-exec", "unsafe-exec", "interactive-exec", "encdec-exec", "compile", "ingen", "inwer", "sio-batch"}, tally::AddJobCommands},
                                 {{"profile"}, tally::AddProfileCommand},
                                 {{"verify-counts"}, tally::AddVerifyCountsCommand},
                                 {{"worker", "sio-worker", "submit", "evaluate"}, tally::AddDispatcherCommands},
                                 {{"serve"}, tally::AddServeCommand},
                                 {{"metrics-sink"}, tally::AddMetricsSinkCommand},
                                 {{"check-host"}, tally::AddCheckHostCommand}};
  const auto has_asked = [asked](const CommandGroup& group) {
    return std::find(group.names.begin(), group.names.end(), asked) != group.names.end();
  };
  const bool known = std::any_of(std::begin(groups), std::end(groups), has_asked);
  for (const CommandGroup& group : groups) {
    if (!known || has_asked(group)) group.add(line);
  }
  return known;
}

int ParseAndRun(int argc, char** argv) {
  tally::CommandLine line("Tally judges programs that nobody trusts: it runs them inside limits, counts the instructions\n"
                          "they execute, checks their answers, and says one word.",
                          "tally", argc, argv);
  line.Version("tally " TALLY_VERSION);
  line.Footer(kFooter);
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (!AddCommands(first, &line) && !first.empty() && first.front() != '-') {
    throw tally::UserError(fmt::format("\"{}\" is no command; `tally --help` lists them", first));
  }
  return line.Run("`tally --help` tells more");
}

}  // namespace

int main(int argc, char** argv) {
  tally::KeepStandardStreamsOpen();
  tally::sys::ReapOwnChildren();
  ::signal(SIGXFSZ, SIG_IGN);  // where no file of ours may grow, write(2) says so
  try {
    const int status = ParseAndRun(argc, argv);
    tally::ProcessExecutor().LeaveMounts();
    // A result that did not reach its reader is no result.
    // But one who has read enough and left is no failure.
    const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
    if (lost && errno != EPIPE) throw tally::SystemError("write stdout", errno);
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
  } catch (const tally::UserError& error) {
    tally::Complain(fmt::format("tally: {}", error.what()));
    return tally::kExitUserError;
  } catch (const std::exception& error) {
    tally::Complain(fmt::format("tally: failure: {}", error.what()));
    return tally::kExitSystemError;
  }
}
