// Every program of tests/programs/hostile, as its head says (its README.md): natively and in translation, under full and
// reduced isolation. Whatever it does, its verdict is one of those it deserves, Tally does not fail, nothing of it is left,
// and its real time is not far beyond its limit.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/api/cannot_execute.h"
#include "tests/support/catch.h"
#include "tests/support/open_to_others.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string program;
  std::string line;  // as it stands in the head
  TestRun run;
  std::set<std::string> only;
  std::set<std::string> verdicts;
  bool same = false;
};

std::vector<std::string> Words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

void SetTime(Nanoseconds time, Limits* limits) {
  limits->user_time = time;
  limits->cpu_time = time;
  limits->wall_time = 2 * time;
}

// False: there is no such setting.
bool Set(const std::string& word, Case* out) {
  const std::size_t equals = word.find('=');
  const std::string key = word.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
  Limits& limits = out->run.limits;
  if (key == "only") {
    out->only.insert(value);
  } else if (key == "time") {
    SetTime(Nanoseconds(static_cast<std::int64_t>(std::stod(value) * 1e9)), &limits);
  } else if (key == "memory" && value.ends_with("M")) {
    limits.memory = Bytes::MiB(std::stoull(value));
  } else if (key == "output" && value.ends_with("M")) {
    limits.output = Bytes::MiB(std::stoull(value));
  } else if (key == "processes") {
    limits.processes = static_cast<std::uint32_t>(std::stoul(value));
  } else if (key == "sandbox") {
    out->run.sandbox = value;
  } else if (key == "syscalls" && value == "trace") {
    out->run.syscalls = SyscallCounting::kTrace;
  } else if (key == "same") {
    out->same = true;
  } else {
    return false;
  }
  return true;
}

Case ParseCase(const std::string& program, const std::string& line) {
  Case out{.program = "hostile/" + program, .line = line, .run = {}, .only = {}, .verdicts = {}};
  SetTime(std::chrono::seconds(kSanitized ? 9 : 3), &out.run.limits);  // the supervisor's part is several times slower then
  const std::size_t arguments = line.find("--");
  const std::size_t verdicts = line.find("=>");
  INFO(program << ": " << line);
  REQUIRE(arguments != std::string::npos);
  REQUIRE(verdicts != std::string::npos);
  for (const std::string& word : Words(line.substr(0, arguments))) {
    INFO(word);
    REQUIRE(Set(word, &out));
  }
  out.run.program = out.program;
  out.run.arguments = Words(line.substr(arguments + 2, verdicts - arguments - 2));
  for (const std::string& word : Words(line.substr(verdicts + 2))) out.verdicts.insert(word);
  REQUIRE(!out.verdicts.empty());
  return out;
}

std::vector<Case> AllCases() {
  std::vector<Case> out;
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(SourceFolder() + "/tests/programs/hostile")) {
    if (entry.path().extension() != ".md") sources.push_back(entry.path());
  }
  std::sort(sources.begin(), sources.end());
  for (const fs::path& source : sources) {
    std::istringstream text(sys::ReadFile(source));
    constexpr std::string_view kRun = "// Run: ";
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with(kRun)) out.push_back(ParseCase(source.stem(), line.substr(kRun.size())));
    }
  }
  return out;
}

// Children of ours, the subreaper's adopted ones too, but for inits of finished runs: those are zombies or about to be.
bool LeavesProcesses() {
  for (int i = 0; i < 200; ++i) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return false;  // ECHILD
    const std::string children =
        sys::TryReadFile("/proc/self/task/" + std::to_string(::getpid()) + "/children").value_or("");
    const std::vector<std::string> pids = Words(children);
    const bool all_dead = std::all_of(pids.begin(), pids.end(), [](const std::string& pid) {
      const std::string status = sys::TryReadFile("/proc/" + pid + "/status").value_or("State:\tZ");
      return status.find("State:\tZ") != std::string::npos;
    });
    if (all_dead) return false;
    ::usleep(1000);
  }
  return true;
}

struct Outcome {
  std::string verdict;  // or "SE: ..."
  std::string sentence;
  std::string output;
  Nanoseconds wall{0};
};

Outcome Execute(const TestRun& run) {
  const Nanoseconds begin = sys::MonotonicNow();
  Outcome out;
  try {
    const TestResult result = RunTestProgram(run);
    out = {result.code(), result.run.sentence, result.output};
  } catch (const CannotExecute& error) {
    out = {"CE", error.what(), ""};
  } catch (const std::exception& error) {
    out = {"SE", error.what(), ""};
  }
  out.wall = sys::MonotonicNow() - begin;
  return out;
}

constexpr Nanoseconds kSlack = std::chrono::seconds(5);  // of a loaded machine, and of a sanitizer

Outcome Check(const Case& c, Counter counter, Isolation isolation) {
  TestRun run = c.run;
  run.counter = counter;
  run.isolation = isolation;
  const Outcome outcome = Execute(run);
  CAPTURE(c.program, c.line, counter == Counter::kTranslator, isolation == Isolation::kReduced, outcome.sentence);
  CHECK(c.verdicts.count(outcome.verdict) == 1);
  if (c.verdicts.count(outcome.verdict) == 0) UNSCOPED_INFO("was " << outcome.verdict);
  CHECK(outcome.wall <= 2 * *run.limits.wall_time + kSlack);
  CHECK_FALSE(LeavesProcesses());
  return outcome;
}

bool Wants(const Case& c, const char* word, const char* other) {
  return c.only.count(word) == 1 || c.only.count(other) == 0;
}

void CheckAll(const std::vector<Case>& cases, Isolation isolation) {
  for (const Case& c : cases) {
    if (!Wants(c, isolation == Isolation::kFull ? "full" : "reduced", isolation == Isolation::kFull ? "reduced" : "full")) continue;
    if (TestProgram(c.program).empty()) continue;
    const bool natively = Wants(c, "native", "translated");
    const bool translated = Wants(c, "translated", "native");
    const std::string output = natively ? Check(c, Counter::kNone, isolation).output : "";
    if (!translated) continue;
    const Outcome outcome = Check(c, Counter::kTranslator, isolation);
    if (c.same && natively) {
      CAPTURE(c.program, c.line);
      CHECK(outcome.output == output);
    }
  }
}

TEST_CASE("hostile corpus: under full isolation no program gets a verdict that it does not deserve, fails Tally, or outlives its run",
          "[hostile]") {
  CheckAll(AllCases(), Isolation::kFull);
}

TEST_CASE("hostile corpus: the same holds under reduced isolation", "[hostile]") {
  const std::vector<Case> cases = AllCases();
  std::vector<std::string> programs;
  for (const Case& c : cases) {
    const bool is_new = programs.empty() || programs.back() != c.program;
    if (is_new && !TestProgram(c.program).empty()) programs.push_back(c.program);
  }
  const OpenToOthers open(programs);  // the sandbox's user goes the host's way to them
  CheckAll(cases, Isolation::kReduced);
}

}  // namespace
}  // namespace tally
