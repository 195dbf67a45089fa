// What counting instructions costs: each workload runs without a counter and with one, in turns, so that load hits
// both alike; printed are the ratios of the CPU time of all that took part, the supervisor included. Beside them:
// what a start costs, asking for the time, a million small system calls, CPython, and two other translators where they are
// installed.
//
// A start is measured with no translations kept from earlier runs and with all of them. Two parts are only made where they are asked for:
// --languages (run times that make code and threads) and --threads (C++ with threads).
//
//   ninja workloads; count [COUNTER] [--rounds N] [--static | --dynamic] [--only-workloads | --only-starts | --only-calls | --languages | --threads]
//                          [WORKLOAD ...]
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "bench/count_languages.h"
#include "bench/counted_run.h"
#include "jobs/exec_options.h"

namespace tally {
namespace {

constexpr double kGoalOfGeomean = 1.25;
constexpr double kGoalOfWorst = 1.5;
constexpr int kStarts = 15;

void Workloads(const std::string& folder, const std::vector<std::string>& names, Counter counter, int rounds) {
  PrintHead();
  Ratios ratios;
  for (const std::string& name : names) {
    const Compared compared = Compare({folder + name, {name}}, counter, rounds);
    Print(name, compared);
    ratios.Add(compared.ratio);
  }
  const double geomean = ratios.geomean(), worst = ratios.worst;
  fmt::print("geomean {:.3f}; goal <= {:.2f}: {}\n", geomean, kGoalOfGeomean, geomean <= kGoalOfGeomean ? "met" : "MISSED");
  fmt::print("worst   {:.3f}; goal <= {:.2f}: {}\n", worst, kGoalOfWorst, worst <= kGoalOfWorst ? "met" : "MISSED");
}

void StartUp(const std::string& what, const BenchProgram& program, Counter counter) {
  Cost native, cold, warm;
  const TemporaryFolder kept;
  for (int i = 0; i < kStarts; ++i) {
    const TemporaryFolder empty;
    const Cost without = Measure(program, Counter::kNone);
    const Cost first = Measure(program, counter, empty.path());
    if (i == 0) Measure(program, counter, kept.path());
    const Cost again = Measure(program, counter, kept.path());
    if (counter == Counter::kTranslator && again.instructions != first.instructions) {
      throw SystemError(what + ": another count with translations kept", 0);
    }
    const auto least = [i](Cost* to, const Cost& cost) {
      to->wall = i == 0 ? cost.wall : std::min(to->wall, cost.wall);
      to->cpu = i == 0 ? cost.cpu : std::min(to->cpu, cost.cpu);
    };
    least(&native, without), least(&cold, first), least(&warm, again);
  }
  const auto print = [&](const char* how, const Cost& cost) {
    fmt::print("start-up, {:<12} {:<18} {:5.2f} ms: {:+.2f} ms (real time {:5.2f} ms: {:+.2f} ms)\n", what, how,
               1e3 * cost.cpu, 1e3 * (cost.cpu - native.cpu), 1e3 * cost.wall, 1e3 * (cost.wall - native.wall));
  };
  print("native", native), print("nothing kept", cold), print("translations kept", warm);
}

// What one question to the machine costs in real time, in turns with the native one. Of a run with none the start is known.
void Questions(const std::string& program, Counter counter, int rounds) {
  struct Question {
    const char* what;
    int n;
  };
  constexpr Question kQuestions[] = {{"clock", 1'000'000}, {"day", 1'000'000}, {"time", 1'000'000}, {"stamp", 1'000'000}, {"usage", 1'000'000},
                                     {"processor", 1'000'000}, {"memory", 20'000}, {"sleep", 20'000}};
  for (const Question& question : kQuestions) {
    const std::string what = question.what;
    const int n = question.n;
    std::vector<double> native, counted;
    for (int i = 0; i < 3 * rounds; ++i) {
      const auto each = [&](Counter by) {
        const BenchProgram asks{program, {"asks_n", what, std::to_string(n)}}, nothing{program, {"asks_n", what, "0"}};
        return (Measure(asks, by).wall - Measure(nothing, by).wall) / n;
      };
      native.push_back(each(Counter::kNone));
      counted.push_back(each(counter));
    }
    fmt::print("{:>9}: native {:8.3f} us, counted {:8.3f} us (median; {:.3f} to {:.3f})\n", what, 1e6 * Median(native), 1e6 * Median(counted),
               1e6 * *std::min_element(counted.begin(), counted.end()), 1e6 * *std::max_element(counted.begin(), counted.end()));
  }
}

double CpuOfCommand(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int null = ::open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; ++fd) ::dup2(null, fd);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  ::wait4(pid, &status, 0, &usage);
  if (status != 0) throw SystemError("run " + command[0], 0);
  return Seconds(usage);
}

// Neither counts here: they show what translating alone costs others.
void OtherTranslators(const std::string& folder, const std::vector<std::string>& names) {
  const std::vector<std::vector<std::string>> others = {{"/usr/bin/qemu-x86_64"}, {"/usr/bin/valgrind", "-q", "--tool=none"}};
  for (const std::vector<std::string>& other : others) {
    if (::access(other[0].c_str(), X_OK) != 0) {
      fmt::print("{} is not installed: not compared\n", other[0]);
      continue;
    }
    for (const std::string& name : names) {
      std::vector<std::string> command = other;
      command.push_back(folder + name);
      const double native = CpuOfCommand({folder + name});
      fmt::print("{} {}: ratio {:.2f}\n", fmt::join(other, " "), name, CpuOfCommand(command) / native);
    }
  }
}

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

int Main(const std::vector<std::string>& arguments) {
  std::string counter_name = "translator", kind = "static";
  int rounds = 3;
  bool only_workloads = false, only_starts = false, only_calls = false, languages = false, threads = false;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--rounds" && i + 1 < arguments.size()) rounds = std::max(1, std::atoi(arguments[++i].c_str()));
    else if (word == "--static" || word == "--dynamic") kind = word.substr(2);
    else if (word == "--only-workloads") only_workloads = true;
    else if (word == "--only-starts") only_starts = true;
    else if (word == "--only-calls") only_calls = true;
    else if (word == "--languages") languages = true;
    else if (word == "--threads") threads = true;
    else if (i == 0) counter_name = word;
    else names.push_back(word);
  }
  const Counter counter = ParseCounter("counter", counter_name);
  const std::string build = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  const std::string folder = build + "/bench/workloads/" + kind + "/";
  const std::string programs = build + "/tests/programs/";
  if (only_starts) {
    StartUp("static C", {programs + "hello", {"hello"}}, counter);
    StartUp("dynamic C++", {programs + "hello_cxx_dynamic", {"hello_cxx"}}, counter);
    return 0;
  }
  if (only_calls) {
    Questions(programs + "asks_n", counter, rounds);
    return 0;
  }
  if (languages) CompareLanguages(TALLY_SOURCE "/bench/languages", counter, rounds);
  if (languages) return 0;
  if (!std::filesystem::exists(folder)) throw UserError("no workloads yet: ninja workloads");
  if (threads) CompareThreads(build + "/bench/workloads/threads/", counter, rounds);
  if (threads) return 0;
  if (names.empty()) names = NamesIn(folder);

  fmt::print("{} workloads, counter {}, {} rounds, CPU time of supervisor and program\n", kind, counter_name, rounds);
  Workloads(folder, names, counter, rounds);
  if (only_workloads) return 0;
  fmt::print("\n");
  StartUp("static C", {programs + "hello", {"hello"}}, counter);
  StartUp("dynamic C++", {programs + "hello_cxx_dynamic", {"hello_cxx"}}, counter);
  Questions(programs + "asks_n", counter, rounds);
  Print("1,000,000 getppid", Compare({programs + "syscalls_n", {"syscalls_n", "1000000"}}, counter, rounds));
  if (::access("/usr/bin/python3", X_OK) == 0) {
    const std::string loop = "s = 0\nfor i in range(12000000): s += i * i % 7\nprint(s)";
    const BenchProgram python{"", {"/usr/bin/python3", "-c", loop}, "interpreter-sandbox", 1};
    Print("CPython, nothing kept", Compare(python, counter, rounds));
    const TemporaryFolder kept;
    Measure(python, counter, kept.path());
    Print("CPython, kept", Compare(python, counter, rounds, kept.path()));
  } else {
    fmt::print("python3 is not installed: not measured\n");
  }
  OtherTranslators(folder, {names[0], names[names.size() / 2]});
  return 0;
}

}  // namespace
}  // namespace tally

int main(int argc, char** argv) {
  try {
    return tally::Main({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "count: {}\n", error.what());
    return 2;
  }
}
