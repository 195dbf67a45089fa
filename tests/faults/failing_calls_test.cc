// Whatever system call the host refuses to us: the verdict is as it is without that, or there is none and one sentence says
// what failed. Never another verdict, a crash, or a hang, and nothing is left.
//
// Every call of a whole run is tried with TALLY_FAULTS=all in the environment, else one of several.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/failing_call.h"
#include "tests/support/leftovers.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

struct Scenario {
  const char* name;
  Words options;         // of `tally run`
  const char* program;
  Words arguments;
  const char* verdict;
  unsigned stride;       // so many calls for each that is tried
};

const std::vector<Scenario>& Scenarios() {
  static const std::vector<Scenario> all = {
      {"a good program", {"--time", "5s", "--memory", "64M"}, "hello", {}, "OK", 9},
      {"one that computes for too long", {"--time", "30ms"}, "busy_loop", {}, "TLE", 31},
      {"one that sleeps for too long", {"--wall", "30ms"}, "sleep_forever", {}, "TLE", 31},
      {"one that takes too much memory", {"--memory", "8M"}, "malloc_touch", {"32"}, "MLE", 31},
      {"the same, by its address space", {"--memory", "8M", "--memory-by", "address-space"}, "malloc_touch", {"32"}, "MLE", 31},
      {"the same, by looking", {"--memory", "8M", "--memory-by", "resident"}, "malloc_touch", {"32"}, "MLE", 31},
      {"one that writes too much", {"--output-limit", "1000b", "--stdout", "output"}, "stdout_flood", {"1"}, "OLE", 31},
      {"one that crashes", {}, "segfault_null", {}, "RE", 31},
      {"one that asks for a socket", {}, "open_socket", {}, "RV", 31},
      {"several processes", {"--processes", "8"}, "fork_ok", {}, "OK", 9},
      {"too many processes", {"--processes", "4"}, "fork_bomb", {}, "RV", 31},
      {"in translation", {"--counter", "translator", "--memory", "64M"}, "hello", {}, "OK", 9},
      {"in translation, too long", {"--counter", "translator", "--instructions", "10m"}, "busy_loop", {}, "TLE", 31},
      {"in translation, several processes", {"--counter", "translator", "--processes", "8"}, "fork_ok", {}, "OK", 19},
  };
  return all;
}

bool All() {
  const char* const asked = std::getenv("TALLY_FAULTS");
  return asked != nullptr && std::string_view(asked) == "all";
}

// The last line of what is on stderr, where the program's own output may be, too.
std::string LastLine(std::string text) {
  if (text.empty() || text.back() != '\n') return "";
  text.pop_back();
  return text.substr(text.rfind('\n') + 1) + "\n";
}

// What is wrong with it; "" for nothing.
std::string Wrong(const FaultyRun& run, const std::string& verdict) {
  if (run.hung) return "it hangs";
  if (run.left_processes) return "a process goes on";
  const int status = run.result.status;
  if (status != 0 && status != 1 && status != 2) return fmt::format("it ends with status {}", status);
  if (status == 0 && run.result.code() != verdict) {
    return fmt::format("it is {}: {}", run.result.code(), run.result.json().value("result_string", ""));
  }
  const std::string sentence = LastLine(run.result.error);
  // A result that could not be written has no other place.
  if (status != 0 && !IsOneSentence(sentence) && run.call != "write") return fmt::format("it says \"{}\"", sentence);
  if (status != 0 && run.call != "write" && !Has(sentence, ErrnoText(run.error))) return fmt::format("it says \"{}\"", sentence);
  return "";
}

class Sweep {
 public:
  Sweep() : host_mounts_(sys::ReadFile("/proc/self/mounts")) {}

  void Run(const Words& command, FaultIn in, const std::string& verdict, unsigned stride, unsigned offset) {
    const char* const only = std::getenv("TALLY_FAULT_NUMBER");
    for (unsigned number = only != nullptr ? static_cast<unsigned>(std::atoi(only)) : 1 + offset % stride;; number += stride) {
      const FaultyRun run = RunWithFault(command, {in, number}, options_);
      if (!run.came_to_it) break;
      ++tried_;
      std::string wrong = Wrong(run, verdict);
      if (wrong.empty()) wrong = Left(run);
      INFO(fmt::format("{} {} ({}), {}\n{}\n{}", run.call, number, ErrnoText(run.error), fmt::join(command, " "), run.result.error,
                       run.result.out));
      if (std::getenv("TALLY_FAULTS_TELL") != nullptr) {
        fmt::print("{} {}: {} {} {}\n", number, run.call, run.result.status, wrong, LastLine(run.result.error));
      }
      CHECK(wrong == "");
      if (only != nullptr) break;
    }
  }
  void CheckEnd() const {
    CHECK(tried_ > 0);
    CHECK(sys::ReadFile("/proc/self/mounts") == host_mounts_);
  }
  [[nodiscard]] const ScratchFolder& work() const { return work_; }

 private:
  // Who could not remove a thing leaves it to the next run.
  std::string Left(const FaultyRun& run) {
    const bool removing = run.call == "rmdir" || run.call.starts_with("unlink");
    std::string left = LeftInFolder(temporary_.path());
    if (left.empty()) left = CgroupsOf(run.supervisors);
    if (left.empty() || !removing) return left;
    Tally({"run", "-q", "--", TestProgram("exit_zero")}, options_);
    left = LeftInFolder(temporary_.path());
    return left.empty() ? CgroupsOf(run.supervisors) : left;
  }

  ScratchFolder work_, temporary_;
  CliOptions options_{.directory = work_.path(), .environment = {"TMPDIR=" + temporary_.path()}};
  std::string host_mounts_;
  unsigned tried_ = 0;
};

Words RunCommand(const Scenario& scenario) {
  Words command{TallyPath(), "run", "--json"};
  command.insert(command.end(), scenario.options.begin(), scenario.options.end());
  command.insert(command.end(), {"--", TestProgram(scenario.program)});
  command.insert(command.end(), scenario.arguments.begin(), scenario.arguments.end());
  return command;
}

bool Asked(const std::string& name) {
  const char* const only = std::getenv("TALLY_FAULT_SCENARIO");
  return only == nullptr || name == only;
}

// `most`: the stride at most, where a process makes few calls.
void SweepAll(FaultIn in, unsigned most) {
  unsigned offset = 0;
  for (const Scenario& scenario : Scenarios()) {
    ++offset;
    if (!Asked(scenario.name)) continue;
    Sweep sweep;
    sweep.Run(RunCommand(scenario), in, scenario.verdict, All() ? 1 : std::min(scenario.stride, most), offset);
    sweep.CheckEnd();
  }
}

TEST_CASE("whatever call of tally's fails, there is the right verdict, or one sentence and none", "[faults]") {
  if (kSanitized) TALLY_SKIP("a sanitizer makes such calls itself, and ends the process where they fail");
  SweepAll(FaultIn::kSupervisor, 100);
}

TEST_CASE("whatever call of the sandbox's init fails, there is the right verdict, or one sentence and none", "[faults]") {
  SweepAll(FaultIn::kInit, 6);
}

TEST_CASE("whatever call fails on the way to the program, there is the right verdict, or one sentence and none", "[faults]") {
  SweepAll(FaultIn::kProgram, 6);
}

}  // namespace
}  // namespace tally
