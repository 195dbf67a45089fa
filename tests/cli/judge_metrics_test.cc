// `tally judge --metrics` and `tally metrics-sink`, from the command line to the table.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <utility>

#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/receiver.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// A package of twelve tests, a solution, and a configuration whose times nobody waits for.
struct Judged : ScratchFolder {
  Judged() {
    for (int i = 1; i <= 12; ++i) {
      Write("sums/" + std::to_string(i) + ".in", std::to_string(i) + " 10");
      Write("sums/" + std::to_string(i) + ".out", std::to_string(i + 10) + "\nEND\n");
    }
    fs::copy(TestProgram("sum_numbers"), path() + "/sum");
  }
  CliResult Judge(const std::string& endpoint, const std::string& more = "", const Words& words = {}) const {
    Write("m.yaml", "interval: 10ms\nsend_every: 10ms\nsend_timeout: 60s\nlog: log\nlock: tally-test-" +
                        std::to_string(::getpid()) + "\nendpoint: " + endpoint + "\n" + more);
    Words all{"judge", "--metrics", "m.yaml", "sums", "sum"};
    all.insert(all.end(), words.begin(), words.end());
    return Tally(all, {.directory = path()});
  }
};

TEST_CASE(
    "judge --metrics: an endpoint that hangs, refuses, resets or fails changes no verdict and leaves nothing behind",
    "[cli][metrics]") {
  const auto behaviour = GENERATE(Behaviour::kGood, Behaviour::kRefuses, Behaviour::kHangs, Behaviour::kNeverAccepts,
                                  Behaviour::kResets, Behaviour::kFails);
  CAPTURE(static_cast<int>(behaviour));
  const Receiver receiver(behaviour);
  const Judged folder;
  // Judging may be over before its agent has begun, which is then not waited for (agent.h): it is done again.
  const bool agent_told_of_its_end = Eventually([&] {
    const Nanoseconds begin = sys::MonotonicNow();
    const CliResult result = folder.Judge(receiver.url(), "", {"-j", "2"});
    CHECK(sys::MonotonicNow() - begin < std::chrono::seconds(10));
    CHECK(result.status == 0);
    CHECK(result.error.empty());
    CHECK(Has(result.out, "\nsum       OK     12/12 tests"));
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder.path())) files.insert(entry.path().filename());
    CHECK(files == std::set<std::string>{"log", "m.yaml", "sum", "sums"});
    return Has(sys::ReadFile(folder.path() + "/log"), "dropped at the end: ");
  });
  CHECK(agent_told_of_its_end);
}

TEST_CASE("judge --metrics: batches are the tests of all solutions, and every step has its timing", "[cli][metrics]") {
  const Receiver receiver(Behaviour::kGood);
  const Judged folder;
  folder.Write("sum.py", "a, b = map(int, input().split())\nprint(a + b)\nprint('END')\n");
  std::set<std::string> steps, names;
  std::set<std::size_t> batches;
  // Judging waits for no delivery (agent.h), and may be over before the first: then it is done again.
  const bool all_came = Eventually([&] {
    const CliResult result = folder.Judge(receiver.url(), "", {"sum.py"});
    CHECK(result.status == 0);
    for (const Json& delivery : receiver.deliveries()) {
      for (const Json& timing : delivery["timings"]) {
        steps.insert(timing["name"]);
        batches.insert(timing["batch"].get<std::size_t>());
      }
      for (const auto& [index, name] : delivery["batches"].items()) names.insert(index + " " + name.get<std::string>());
    }
    return Has(result.out, " CE ") ||  // no Python here
           (steps.size() >= 4 && batches.contains(0) && batches.contains(12) && names.contains("0 sum 1"));
  });
  CHECK(all_came);
  if (steps.empty()) return;
  CHECK(steps == std::set<std::string>{"check", "compile", "queue", "run"});
  CHECK(*batches.rbegin() < 24);
}

TEST_CASE("judge --metrics: a mistake in the file is told before anything is judged", "[cli][metrics]") {
  const Judged folder;
  const CliResult result = folder.Judge("http://127.0.0.1:1/", "batch: 10s\n");
  CHECK(result.status == 1);
  CHECK(result.out.empty());
  CHECK(IsOneSentence(result.error));
  CHECK(Has(result.error, "m.yaml:7:1: batch: unknown key"));
  const CliResult absent = Tally({"judge", "--metrics", "none.yaml", "sums", "sum"}, {.directory = folder.path()});
  CHECK(absent.status == 1);
  CHECK(absent.error == "tally: none.yaml: cannot be read: No such file or directory\n");
}

TEST_CASE("judge --metrics: without the other executable it says which one is missing", "[cli][metrics]") {
  const Judged folder;
  fs::copy(TallyPath(), folder.path() + "/tally");
  folder.Write("m.yaml", "endpoint: http://127.0.0.1:1/\n");
  const CliResult result = Shell("./tally judge --metrics m.yaml sums sum", {.directory = folder.path()});
  CHECK(result.status == 2);
  CHECK(result.error == "tally: failure: start " + folder.path() + "/tally-metrics: No such file or directory\n");
  const CliResult sink = Shell("./tally metrics-sink", {.directory = folder.path()});
  CHECK(sink.status == 2);
  CHECK(sink.error == "tally: failure: start " + folder.path() + "/tally-metrics: No such file or directory\n");
}

// `tally metrics-sink` in the background, on a port of its own.
struct RunningSink {
  explicit RunningSink(const std::string& folder) {
    pid = ::fork();
    if (pid == 0) {
      const int out = ::open((folder + "/sink.out").c_str(), O_WRONLY | O_CREAT, 0600);
      ::dup2(out, STDOUT_FILENO);
      ::alarm(30);
      if (::chdir(folder.c_str()) == 0) {
        ::execl(TallyPath().c_str(), "tally", "metrics-sink", "--listen", "127.0.0.1:0", "--database", "m.db", nullptr);
      }
      ::_exit(127);
    }
    Eventually([&] { return Has(sys::TryReadFile(folder + "/sink.out").value_or(""), "\n"); });
    const std::string said = sys::TryReadFile(folder + "/sink.out").value_or("");
    const std::size_t begin = said.find("http://");
    if (begin != std::string::npos) url = said.substr(begin, said.find(',') - begin);
  }
  int End() {
    if (pid < 0) return -1;
    ::kill(pid, SIGTERM);
    int status = 0;
    ::waitpid(std::exchange(pid, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  ~RunningSink() { End(); }
  pid_t pid = -1;
  std::string url;
};

TEST_CASE("metrics-sink: what judging sends is in its database, and the table shows it", "[cli][metrics]") {
  const Judged folder;
  RunningSink sink(folder.path());
  REQUIRE(sink.url.starts_with("http://127.0.0.1:"));
  // Judging waits for no delivery (agent.h), and may be over before the first, or before a slow one: then it is done again.
  CHECK(Eventually([&] {
    fs::remove(folder.path() + "/log");
    CHECK(folder.Judge(sink.url).status == 0);
    const std::string log = sys::ReadFile(folder.path() + "/log");
    // The last one may be on its way when judging ends.
    if (!Has(log, "not sent: 0;") && !(Has(log, "not sent: 1;") && Has(log, "a send was cut off"))) return false;
    const CliResult table = Tally({"metrics-sink", "--show", "m.db"}, {.directory = folder.path()});
    return Has(table.out, "\ncpu_utilization mean ") && Has(table.out, "\nrun ");
  }));
  CHECK(sink.End() == 0);
  const CliResult table = Tally({"metrics-sink", "--show", "m.db"}, {.directory = folder.path()});
  CHECK(table.status == 0);
  CHECK(table.out.starts_with("m.db: deliveries received: "));
  CHECK(fs::exists(folder.path() + "/m.db"));
  CHECK_FALSE(fs::exists(folder.path() + "/m.db-wal"));
}

TEST_CASE("metrics-sink: mistakes are told in a sentence", "[cli][metrics]") {
  const ScratchFolder folder;
  const auto mistake = [&](const Words& words) {
    Words all{"metrics-sink"};
    all.insert(all.end(), words.begin(), words.end());
    const CliResult result = Tally(all, {.directory = folder.path()});
    CHECK(result.status == 1);
    return result.error;
  };
  CHECK(mistake({"--show", "none.db"}) == "tally: none.db: unable to open database file\n");
  CHECK(mistake({"--listen", "here"}) ==
        "tally: found \"here\"; expected an address and a port, like 127.0.0.1:9464 or [::1]:9464\n");
  CHECK(Has(mistake({"--nonsense"}), "--nonsense"));
  CHECK(Has(Tally({"metrics-sink", "--help"}).out, "--database"));
}

}  // namespace
}  // namespace tally
