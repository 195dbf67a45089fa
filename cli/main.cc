// tally: the command line. Exit status: 0 the job ran, whatever the verdict; 1 the user's mistake; 2 our or the
// host's failure; 3 not as expected (docs/results.md).
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/did_you_mean.h"
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
    "A command:   tally help judge\n"
    "Manual:      man tally";

struct CommandGroup {
  std::vector<std::string_view> names;
  void (*add)(tally::CommandLine*);
};

const CommandGroup kGroups[] = {{{"judge"}, tally::AddJudgeCommand},
                                {{"verify"}, tally::AddVerifyCommand},
                                {{"run"}, tally::AddRunCommand},
                                {{"trace"}, tally::AddTraceCommand},
                                {{"exec", "vcpu-exec", "unsafe-exec", "interactive-exec", "encdec-exec", "compile", "ingen", "inwer", "sio-batch"}, tally::AddJobCommands},
                                {{"profile"}, tally::AddProfileCommand},
                                {{"verify-counts"}, tally::AddVerifyCountsCommand},
                                {{"worker", "sio-worker", "submit"}, tally::AddDispatcherCommands},
                                {{"evaluate"}, tally::AddEvaluateCommand},
                                {{"serve"}, tally::AddServeCommand},
                                {{"metrics-sink"}, tally::AddMetricsSinkCommand},
                                {{"check-host"}, tally::AddCheckHostCommand},
                                {{"help"}, tally::AddHelpCommand}};

// To describe a command takes longer than to start a program, so only what was asked for is described; without a
// command, all of them, for the help text. False then.
bool AddCommands(std::string_view asked, tally::CommandLine* line) {
  const auto has_asked = [asked](const CommandGroup& group) {
    return std::find(group.names.begin(), group.names.end(), asked) != group.names.end();
  };
  const bool known = std::any_of(std::begin(kGroups), std::end(kGroups), has_asked);
  for (const CommandGroup& group : kGroups) {
    if (!known || has_asked(group)) group.add(line);
  }
  return known;
}

[[noreturn]] void RefuseCommand(std::string_view word) {
  std::vector<std::string> names;
  for (const CommandGroup& group : kGroups) names.insert(names.end(), group.names.begin(), group.names.end());
  throw tally::UserError(fmt::format("\"{}\" is no command{}; `tally --help` lists them", word, tally::DidYouMean(word, names)));
}

// `tally help judge` is `tally judge --help`, and `tally help` is `tally --help`. What begins with a dash is help's own.
std::vector<const char*> WithoutHelp(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc < 2 || argc > 3 || words[1] != std::string_view("help") || (argc == 3 && *words[2] == '-')) return words;
  words.erase(words.begin() + 1);
  words.push_back("--help");
  return words;
}

int ParseAndRun(int argc, char** argv) {
  if (argc == 3 && argv[1] == std::string_view("--names")) return tally::PrintNames(argv[2]);
  const std::vector<const char*> words = WithoutHelp(argc, argv);
  tally::CommandLine line("Tally judges programs that nobody trusts: it runs them inside limits, counts the instructions\n"
                          "they execute, checks their answers, and says one word.",
                          "tally", static_cast<int>(words.size()), words.data());
  line.Version("tally " TALLY_VERSION);
  line.Footer(kFooter);
  const std::string_view first = words.size() > 1 ? words[1] : "";
  if (!AddCommands(first, &line) && !first.empty() && first.front() != '-') RefuseCommand(first);
  if (first.empty()) throw tally::UserError("expected a command; `tally --help` lists them");
  return line.Run("tally");
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
