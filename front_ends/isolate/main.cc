// tally-isolate: isolate's command line, meta files and exit statuses; the run is Tally's, without root. 0: the program was fine, or
// the command was done; 1: the program failed; 2: we did, or the caller's words make no sense.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/standard_streams.h"
#include "base/sys.h"
#include "front_ends/isolate/box.h"
#include "front_ends/isolate/box_run.h"
#include "front_ends/isolate/keeper.h"
#include "front_ends/isolate/meta.h"
#include "front_ends/isolate/options.h"
#include "supervisor/resources/cgroup_parent.h"
#include "supervisor/run/process_executor.h"

namespace tally::isolate {
namespace {

constexpr const char* kVersion = "The process isolator 2.0 (Tally " TALLY_VERSION ", compatible; docs/isolate.md)";

void WriteMeta(const std::string& path, const std::string& text) {
  if (!path.empty()) WriteFileOrStream(path, text, "--meta");
}

int PrintCgRoot() {
  std::string why;
  const auto parent = FindCgroupParent("memory", &why);
  if (!parent) throw UserError("--print-cg-root: " + why);
  fmt::print("{}\n", parent->directory);
  return 0;
}

// Of a run that did not come to its end nobody reads what an earlier one said.
void ForgetMeta(const std::string& path) { WriteMeta(path, ""); }

int Tell(const Options& options, const Outcome& outcome) {
  WriteMeta(options.meta, outcome.meta);
  if (!outcome.complaint.empty()) Complain(outcome.complaint);
  if (!options.silent) Complain(outcome.line);
  return outcome.status;
}

int Run(const Options& options, Box* box, int argc, const char* const* argv) {
  ForgetMeta(options.meta);
  box->Enter();
  try {
    std::optional<Outcome> asked = AskKeeper(*box, options, argc, argv);
    if (options.verbose > 0) Complain(asked ? "Run by the box's keeper" : "Run without a keeper");
    return Tell(options, asked ? *std::move(asked) : BoxRuns(*box).Run(options, {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}));
  } catch (const Interrupted& interrupt) {
    ProcessExecutor().RetireAll();
    return Tell(options, Ended(interrupt.signal));
  }
}

int Do(const Options& options, int argc, const char* const* argv) {
  switch (options.command) {
    case Command::kHelp: fmt::print("{}", Help()); return 0;
    case Command::kVersion: fmt::print("{}\n", kVersion); return 0;
    case Command::kPrintCgRoot: return PrintCgRoot();
    default: break;
  }
  Box box(options);
  switch (options.command) {
    case Command::kInit:
      box.Make();
      StartKeeper(box, options);
      box.Unlock();
      fmt::print("{}\n", box.folder());
      return 0;
    case Command::kCleanup: box.Remove(); return 0;
    default: return Run(options, &box, argc, argv);
  }
}

// Whatever went wrong, who reads the meta file finds it there.
int Fail(const std::string& meta, const std::string& sentence) {
  const Outcome failed = Failed(sentence);
  Complain(failed.line);
  try {
    WriteMeta(meta, failed.meta);
  } catch (const std::exception&) {  // it was said that it cannot be written
  }
  return failed.status;
}

int ParseAndDo(int argc, char** argv) {
  std::string meta;
  try {
    const std::vector<const char*> words(argv, argv + argc);  // getopt(3) puts them in another order
    const Options options = ParseOptions(argc, argv);
    meta = options.meta;
    const int status = Do(options, argc, words.data());
    ProcessExecutor().LeaveMounts();
    if (std::fflush(stdout) != 0) throw SystemError("write stdout", errno);
    return status;
  } catch (const std::exception& error) {
    return Fail(meta, error.what());
  }
}

}  // namespace
}  // namespace tally::isolate

int main(int argc, char** argv) {
  tally::KeepStandardStreamsOpen();
  tally::sys::ReapOwnChildren();
  ::signal(SIGXFSZ, SIG_IGN);
  return tally::isolate::ParseAndDo(argc, argv);
}
