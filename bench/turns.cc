#include "bench/turns.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <thread>

#include "base/error.h"
#include "base/sys.h"
#include "base/units.h"

namespace tally {
namespace {

constexpr int kRounds = 300;
constexpr Milliseconds kRest{20};
constexpr int kRoundsForARest = 3;

double Time(const std::function<void()>& once) {
  const Nanoseconds start = sys::MonotonicNow();
  once();
  return std::chrono::duration<double, std::milli>(sys::MonotonicNow() - start).count();
}

int Spawn(const std::vector<std::string>& command) {
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
  ::waitpid(pid, &status, 0);
  return status;
}

void Report(const std::vector<Way>& ways, std::vector<double> Way::*times, bool has_goals) {
  const double base = Percentile(ways[0].*times, 0.5);
  for (const Way& way : ways) {
    const double median = Percentile(way.*times, 0.5);
    std::string verdict = "-";
    if (has_goals && way.goal > 0) verdict = fmt::format("<= {:.1f}: {}", way.goal, median / base <= way.goal ? "met" : "MISSED");
    fmt::print("{:<34} {:>9.3f} {:>7.2f} {:>7.2f} {:>7.2f}   {}\n", way.name, median, median / base,
               Percentile(way.*times, 0.1) / base, Percentile(way.*times, 0.9) / base, verdict);
  }
}

}  // namespace

Copies::Copies(const std::string& beside) : folder_(beside + "/bench-XXXXXX") {
  if (::mkdtemp(folder_.data()) == nullptr) throw SystemError("mkdtemp " + folder_, errno);
}

Copies::~Copies() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Copies::Of(const std::filesystem::path& executable) const {
  const std::string copy = folder_ + "/" + executable.filename().string();
  std::filesystem::copy_file(executable, copy);
  return copy;
}

void AddBwrap(const std::string& program, std::vector<Way>* ways) {
  if (::access("/usr/bin/bwrap", X_OK) == 0) {
    ways->push_back({"bwrap, all namespaces", 0,
                    [program] {
                      MustSucceed({"/usr/bin/bwrap", "--unshare-all", "--ro-bind", "/usr", "/usr", "--dev", "/dev", "--ro-bind", program, "/program", "/program"});
                    },
                    {}, {}});
  } else {
    fmt::print("bwrap is not installed: not compared\n");
  }
}

void TakeTurns(std::vector<Way>* ways) {
  for (int round = 0; round < kRounds; ++round) {
    for (Way& way : *ways) way.milliseconds.push_back(Time(way.once));
    if (round % kRoundsForARest != 0) continue;
    for (Way& way : *ways) {
      std::this_thread::sleep_for(kRest);
      way.after_rest.push_back(Time(way.once));
    }
  }
}

void Report(const std::vector<Way>& ways) {
  fmt::print("{:<34} {:>9} {:>7} {:>7} {:>7}   goal\n", "", "median ms", "ratio", "p10", "p90");
  Report(ways, &Way::milliseconds, true);
  fmt::print("after a rest of {} ms\n", kRest.count());
  Report(ways, &Way::after_rest, false);
}

void MustSucceed(const std::vector<std::string>& command) {
  if (Spawn(command) != 0) throw SystemError(fmt::format("run {}", command[0]), 0);
}

double Percentile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

}  // namespace tally
