// Do two workers do twice the work of one, and does a long queue cost memory? Starts a broker on loopback, then
//   - one worker and two workers take turns with the same fixed number of evaluations, each a compilation and a program
//     that computes; a worker has one instance. Printed: the ratio of the throughputs, round by round, and its spread.
//   - one worker answers small requests; its peak memory after a tenth of them and after all.
//
//   dispatcher [--rounds N] [--requests N] [--small N] [--ping] [--executable FILE]
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/command_line.h"
#include "base/error.h"
#include "bench/worker_process.h"
#include "dispatcher/submit_bench.h"
#include "tests/support/broker.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

using nlohmann::json;

struct Arguments {
  std::size_t rounds = 5, requests = 16, small = 10'000;
  bool ping = false;
  std::string executable;
};

constexpr const char* kConfig =
    "rabbitmq: {{host: 127.0.0.1, port: {}}}\n"
    "instances: 1\n"
    "http: none\n"
    "work_folder: {}\n";

// A third of a second of computing, and a compiler before it.
constexpr const char* kSolution = R"(#include <stdio.h>
int main(void) {
  unsigned long long x = 88172645463325252ull, sum = 0;
  int n = 0;
  if (scanf("%d", &n) != 1) return 1;
  for (int i = 0; i < n; ++i) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    sum += x & 1;
  }
  printf("%s\n", sum > 0 ? "done" : "never");
  return 0;
}
)";

std::string ComputingRequest() {
  return json{{"stack_ref", "io"},
              {"solution_files", {{{"path", "spin.c"}, {"content", kSolution}}}},
              {"test_files",
               {{{"path", "in/1.in"}, {"content", "150000000\n"}}, {{"path", "out/1.out"}, {"content", "done\n"}}}},
              {"capability", {{"compile", true}, {"test", true}}},
              {"params", {{"time_limit", "20s"}}}}
      .dump();
}

// An evaluation of which nothing is asked, or the job that does nothing: what is left is the worker's own.
std::string SmallRequest(bool ping) {
  if (ping) return json{{"job_type", "ping"}}.dump();
  return json{{"stack_ref", "io"},
              {"solution_files", {{{"path", "a.c"}, {"content", "int main(void) { return 0; }\n"}}}}}
      .dump();
}

BenchRound Measure(const SubmitOptions& options, const std::string& body, std::size_t count,
                   AnswerKind kind = AnswerKind::kEvaluation) {
  BenchRound round = RunBenchRound(options, body, count, kind);
  if (round.answered != count || round.failed > 0) {
    throw UserError(
        fmt::format("of {} requests {} were answered, and {} of these failed", count, round.answered, round.failed));
  }
  return round;
}

// One worker and `more` others.
double RateOf(const Arguments& a, const SubmitOptions& options, const std::string& config, bool two) {
  std::optional<WorkerProcess> second;
  if (two) second.emplace(a.executable, config);
  Measure(options, ComputingRequest(), two ? 4 : 2);  // warm
  return Measure(options, ComputingRequest(), a.requests).PerSecond();
}

void CompareOneWithTwo(const Arguments& a, const SubmitOptions& options, const std::string& config) {
  const WorkerProcess first(a.executable, config);
  std::vector<double> ratios;
  fmt::print("{} evaluations a round, workers with one instance each\n", a.requests);
  fmt::print("{:>5} {:>12} {:>12} {:>7}\n", "round", "one, 1/s", "two, 1/s", "ratio");
  for (std::size_t i = 0; i < a.rounds; ++i) {
    const bool two_first = i % 2 == 1;
    const double before = RateOf(a, options, config, two_first), after = RateOf(a, options, config, !two_first);
    const double one = two_first ? after : before, two = two_first ? before : after;
    ratios.push_back(two / one);
    fmt::print("{:>5} {:>12.2f} {:>12.2f} {:>7.3f}\n", i + 1, one, two, ratios.back());
    std::fflush(stdout);
  }
  std::sort(ratios.begin(), ratios.end());
  fmt::print("two workers give {:.2f} times the throughput of one ({:.2f} to {:.2f})\n\n", ratios[ratios.size() / 2],
             ratios.front(), ratios.back());
}

void WatchMemory(const Arguments& a, SubmitOptions options, const std::string& config) {
  const WorkerProcess worker(a.executable, config);
  const std::string body = SmallRequest(a.ping);
  const AnswerKind kind = a.ping ? AnswerKind::kJob : AnswerKind::kEvaluation;
  if (a.ping) options.routing_key = "tally.v1.job";
  options.window = a.small;  // all of them wait in the queue
  const std::size_t tenth = std::max<std::size_t>(a.small / 10, 1);
  Measure(options, body, tenth, kind);
  const WorkerProcess::Peak early = worker.PeakMemory();
  const BenchRound rest = Measure(options, body, a.small - tenth, kind);
  const WorkerProcess::Peak late = worker.PeakMemory();
  fmt::print("{} small requests of {} bytes, one worker: {:.0f} answers/s\n", a.small, body.size(), rest.PerSecond());
  fmt::print("{:>28} {:>12} {:>12}\n", "peak memory after answers", tenth, a.small);
  fmt::print("{:>28} {:>8} KiB {:>8} KiB\n", "worker", early.worker, late.worker);
  fmt::print("{:>28} {:>8} KiB {:>8} KiB\n", "worker and instance", early.with_instances, late.with_instances);
}

void Run(const Arguments& a) {
  if (const auto reason = Broker::WhyAbsent()) throw UserError(*reason);
  const Broker broker;
  const ScratchFolder folder;
  const std::string config = folder.Write("worker.yaml", fmt::format(kConfig, broker.port(), folder.path() + "/work"));
  SubmitOptions options;
  options.broker = broker.address();
  if (a.rounds > 0) CompareOneWithTwo(a, options, config);
  if (a.small > 1) WatchMemory(a, options, config);
}

std::string OwnFolder() {
  char path[PATH_MAX] = "";
  const ssize_t n = ::readlink("/proc/self/exe", path, sizeof path - 1);
  return std::filesystem::path(std::string(path, n > 0 ? static_cast<std::size_t>(n) : 0)).parent_path();
}

}  // namespace
}  // namespace tally

int main(int argc, char** argv) {
  tally::CommandLine line("Throughput of one worker and of two; a worker's memory behind a long queue", "dispatcher", argc, argv);
  tally::Arguments a;
  a.executable = tally::OwnFolder() + "/tally-dispatcher";
  line.Option("--rounds", a.rounds, "Of one worker against two; 0: none (default 5)");
  line.Option("--requests", a.requests, "Evaluations a round (default 16)").Within(2, 100'000);
  line.Option("--small", a.small, "Small requests; 0: none (default 10000)");
  line.Flag("--ping", a.ping, "The small requests are jobs that do nothing, not evaluations of which nothing is asked");
  line.Option("--executable", a.executable, "tally-dispatcher (default: the one beside this)");
  line.Does([&a] {
    tally::Run(a);
    return 0;
  });
  try {
    return line.Run(argv[0]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "dispatcher: {}\n", error.what());
    return 2;
  }
}
