// How much does judging cost beside what nobody can leave out? A package of small tests and some solutions: `tally judge` with one worker,
// with two, with two that have no processor of their own, and a loop that starts each solution on each test and then cmp(1), take turns. Prints
// medians, p10..p90 and whether the goals are met.
//
//   judge [--rounds N] [--tests N] [--solutions N]      files in a folder of its own under $TMPDIR, removed at the end; needs cc
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "base/temporary_directory.h"

namespace tally {
namespace {

constexpr double kGoalOfOne = 1.3;   // one worker, of the loop's time
constexpr double kGoalOfTwo = 0.6;   // two workers, of one's
constexpr const char* kSolution =
    "#include <stdio.h>\nint main(void) { int n; long long sum = 0; if (scanf(\"%d\", &n) != 1) return 1;\n"
    "  while (n-- > 0) { long long x; if (scanf(\"%lld\", &x) != 1) return 1; sum += x; }\n  printf(\"%lld\\n\", sum); return 0; }\n";

struct Streams {
  const char* in = "/dev/null";
  std::string out = "/dev/null";
};

void RunAndWait(const std::vector<std::string>& command, const Streams& streams = {}) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, streams.in, O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, streams.out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw SystemError("start " + command[0], error);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw UserError(fmt::format("{} did not exit with 0", command[0]));
}

struct Bench {
  TemporaryDirectory directory;
  std::size_t tests, solutions;

  Bench(std::size_t wanted_tests, std::size_t wanted_solutions) : tests(wanted_tests), solutions(wanted_solutions) {
    for (std::size_t i = 1; i <= tests; ++i) {
      std::ofstream in(Input(i)), out(Answer(i));
      long long sum = 0;
      in << 100 << "\n";
      for (std::size_t k = 1; k <= 100; ++k) {
        in << k * i << "\n";
        sum += static_cast<long long>(k * i);
      }
      out << sum << "\n";
    }
    std::ofstream(directory.File("s.c")) << kSolution;
    for (std::size_t i = 0; i < solutions; ++i) RunAndWait({"cc", "-O2", "-static", "-o", Solution(i), directory.File("s.c")});
  }
  [[nodiscard]] std::string Input(std::size_t i) const { return directory.File(fmt::format("{}.in", i)); }
  [[nodiscard]] std::string Answer(std::size_t i) const { return directory.File(fmt::format("{}.out", i)); }
  [[nodiscard]] std::string Solution(std::size_t i) const { return directory.File(fmt::format("s{}", i)); }

  void Bare() const {
    const std::string output = directory.File("output");
    for (std::size_t s = 0; s < solutions; ++s) {
      for (std::size_t i = 1; i <= tests; ++i) {
        RunAndWait({Solution(s)}, {Input(i).c_str(), output});
        RunAndWait({"cmp", output, Answer(i)});
      }
    }
  }
  void Judge(const char* workers, const char* option = nullptr) const {
    std::vector<std::string> command{std::string(TALLY_BUILD_DIR) + "/bin/tally", "judge", "-j", workers, "--expect", "OK", directory.path()};
    if (option != nullptr) command.push_back(option);
    for (std::size_t s = 0; s < solutions; ++s) command.push_back(Solution(s));
    RunAndWait(command);
  }
};

double Timed(const std::function<void()>& work) {
  const Nanoseconds begin = sys::MonotonicNow();
  work();
  return std::chrono::duration<double>(sys::MonotonicNow() - begin).count();
}

double Quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
}

void Print(const char* name, const std::vector<double>& seconds, std::size_t runs) {
  fmt::print("  {:<25} median {:7.1f} ms   p10..p90 {:7.1f} .. {:7.1f}   {:6.2f} ms a test\n", name, Quantile(seconds, 0.5) * 1e3, Quantile(seconds, 0.1) * 1e3, Quantile(seconds, 0.9) * 1e3,
             Quantile(seconds, 0.5) * 1e3 / static_cast<double>(runs));
}

// By rounds, and the median of those: what a round has in common is not in it.
bool Meets(const char* what, const std::vector<double>& ours, const std::vector<double>& theirs, double goal) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(ours[i] / theirs[i]);
  const double ratio = Quantile(ratios, 0.5);
  fmt::print("  {}: {}: {:.2f} times (p10..p90 {:.2f} .. {:.2f}), the goal is {} at most\n", ratio <= goal ? "pass" : "MISS", what, ratio, Quantile(ratios, 0.1), Quantile(ratios, 0.9), goal);
  return ratio <= goal;
}

int Run(std::size_t rounds, std::size_t tests, std::size_t solutions) {
  const Bench bench(tests, solutions);
  std::vector<double> bare, one, two, unpinned;
  for (std::size_t round = 0; round < rounds; ++round) {
    bare.push_back(Timed([&] { bench.Bare(); }));
    one.push_back(Timed([&] { bench.Judge("1"); }));
    two.push_back(Timed([&] { bench.Judge("2"); }));
    unpinned.push_back(Timed([&] { bench.Judge("2", "--no-pin"); }));
  }
  fmt::print("{} tests, {} solutions, {} rounds\n", tests, solutions, rounds);
  Print("fork+exec and cmp", bare, tests * solutions);
  Print("tally judge -j 1", one, tests * solutions);
  Print("tally judge -j 2", two, tests * solutions);
  Print("tally judge -j 2 --no-pin", unpinned, tests * solutions);
  Meets("-j 2 --no-pin of -j 1", unpinned, one, kGoalOfTwo);
  const bool first = Meets("-j 1 of fork+exec and cmp", one, bare, kGoalOfOne), second = Meets("-j 2 of -j 1", two, one, kGoalOfTwo);
  return first && second ? 0 : 1;
}

std::size_t Number(std::string_view text) {
  std::size_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value == 0) throw UserError(fmt::format("\"{}\": expected a number above 0", text));
  return value;
}

}  // namespace
}  // namespace tally

int main(int argc, char** argv) {
  std::size_t rounds = 9, tests = 100, solutions = 10;
  try {
    for (int i = 1; i < argc; i += 2) {
      const std::string_view option = argv[i];
      std::size_t* const to = option == "--rounds" ? &rounds : option == "--tests" ? &tests : option == "--solutions" ? &solutions : nullptr;
      if (to == nullptr || i + 1 == argc) throw tally::UserError("usage: judge [--rounds N] [--tests N] [--solutions N]");
      *to = tally::Number(argv[i + 1]);
    }
    return tally::Run(rounds, tests, solutions);
  } catch (const std::exception& error) {
    fmt::print(stderr, "judge: {}\n", error.what());
    return 2;
  }
}
