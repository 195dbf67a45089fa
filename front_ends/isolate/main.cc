// tally-isolate: isolate's command line, meta files and exit statuses; the run is Tally's, without root. 0: the program was fine, or
// the command was done; 1: the program failed; 2: we did, or the caller's words make no sense. Most runs end before main (client.h).
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/standard_streams.h"
#include "base/sys.h"
#include "front_ends/isolate/box.h"
#include "front_ends/isolate/box_run.h"
#include "front_ends/isolate/client.h"
#include "front_ends/isolate/keeper.h"
#include "front_ends/isolate/message_socket.h"
#include "front_ends/isolate/meta.h"
#include "front_ends/isolate/options.h"
#include "front_ends/isolate/waiting_open.h"
#include "supervisor/resources/cgroup_parent.h"
#include "supervisor/run/process_executor.h"

namespace tally::isolate {
namespace {

constexpr const char* kVersion = "The process isolator 2.0 (Tally " TALLY_VERSION ", compatible; docs/isolate.md)";

bool IsNamedPipe(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

void WriteMeta(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  std::optional<SignalsEndUs> while_waiting;
  if (IsNamedPipe(path)) while_waiting.emplace();
  WriteFileOrStream(path, text, "--meta");
}

int PrintCgRoot() {
  std::string why;
  const auto parent = FindCgroupParent("memory", &why);
  if (!parent) throw UserError("--print-cg-root: " + why);
  fmt::print("{}\n", parent->directory);
  return 0;
}

// Of a run that did not come to its end nobody reads what an earlier one said. A named pipe keeps nothing, and its reader would see an end.
void ForgetMeta(const std::string& path) {
  if (!IsNamedPipe(path)) WriteMeta(path, "");
}

// That it does not arrive is no second failure.
void Say(std::string_view lines) { [[maybe_unused]] const std::size_t written = std::fwrite(lines.data(), 1, lines.size(), stderr); }

int Tell(const Options& options, const Outcome& outcome, std::string_view by = "Run without a keeper") {
  WriteMeta(options.meta, outcome.meta);
  Say(LinesOf(options, outcome, by, STDERR_FILENO));
  return outcome.status;
}

// What could not be written before libc was there: here it fails with the words for it.
int TellAnswer(const Options& options) {
  const Words words = Unpacked({client.answer, client.size});
  WriteMeta(options.meta, words.at(4));
  Say(words.at(3));
  return std::atoi(words.at(1).c_str());
}

int Run(const Options& options, Box* box) {
  switch (client.asked) {
    case Asked::kAnswered: return TellAnswer(options);
    case Asked::kInterrupted: return Tell(options, Ended(client.signal), kByKeeper);
    case Asked::kKeeperGone: return Tell(options, Failed(fmt::format("the keeper of box {} ended while the program ran", box->folder())), kByKeeper);
    default: break;
  }
  ForgetMeta(options.meta);
  box->Enter();
  try {
    return Tell(options, BoxRuns(*box).Run(options, {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}, ShownBy(options, *box)));
  } catch (const Interrupted& interrupt) {
    ProcessExecutor().RetireAll();
    return Tell(options, Ended(interrupt.signal));
  }
}

int Do(const Options& options, const std::vector<std::string>& words) {
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
      StartKeeper(&box, options, words);
      box.Unlock();
      fmt::print("{}\n", box.folder());
      return 0;
    case Command::kCleanup: box.Remove(); return 0;
    default: return Run(options, &box);
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
    const std::vector<std::string> words(argv, argv + argc);  // getopt(3) puts them in another order
    const Options options = ParseOptions(argc, argv);
    meta = options.meta;
    const int status = Do(options, words);
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
  if (tally::isolate::client.asked == tally::isolate::Asked::kNot) tally::isolate::AskKeeper(argc, argv);
  tally::KeepStandardStreamsOpen();
  tally::sys::ReapOwnChildren();
  ::signal(SIGXFSZ, SIG_IGN);
  return tally::isolate::ParseAndDo(argc, argv);
}
