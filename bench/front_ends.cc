// What a run costs through each front end, in fork+execs of the same static program: isolate's --run in a box that is there, its
// --init, --run and --cleanup together, and sio2jail's command. Beside them bwrap and the original isolate where they are installed.
// The original's figures: --run 6.8, all three 11.5 (its own measurement on another machine of this kind); the goals are the half of that.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/temporary_directory.h"
#include "bench/turns.h"

namespace tally {
namespace {

constexpr double kHalfOfRun = 3.4, kHalfOfAll = 5.75;

// `box`: a number that nobody else has.
void AddIsolate(const std::string& isolate, const std::string& program, const std::string& name, double goal_of_run, double goal_of_all,
                std::vector<Way>* ways) {
  const std::vector<std::string> box{isolate, "--box-id=97"}, other{isolate, "--box-id=98"};
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  // The program lies where the box sees it without a copy of its own.
  const std::string folder = std::filesystem::path(program).parent_path();
  const std::vector<std::string> run{"--silent", "--meta=/dev/null", "--dir=/program=" + folder, "--mem=65536", "--time=1", "--run", "--",
                                     "/program/" + std::filesystem::path(program).filename().string()};
  MustSucceed(with(box, {"--init"}));
  ways->push_back({name + " --run", goal_of_run, [=] { MustSucceed(with(box, run)); }, {}, {}});
  ways->push_back({name + " --init --run --cleanup", goal_of_all,
                   [=] {
                     MustSucceed(with(other, {"--init"}));
                     MustSucceed(with(other, run));
                     MustSucceed(with(other, {"--cleanup"}));
                   },
                   {}, {}});
}

int Main() {
  const std::string bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string exit_zero = std::filesystem::canonical(bin + "/../tests/programs/exit_zero");
  const Copies copies(bin);
  const TemporaryDirectory boxes;
  ::setenv("TALLY_ISOLATE_ROOT", boxes.path().c_str(), 1);
  std::vector<Way> ways;
  ways.push_back({"fork+exec", 0, [&] { MustSucceed({exit_zero}); }, {}, {}});
  const std::string isolate = copies.Of(bin + "/tally-isolate");
  AddIsolate(isolate, exit_zero, "tally-isolate", kHalfOfRun, kHalfOfAll, &ways);
  const std::string jail = copies.Of(bin + "/tally-sio2jail");
  ways.push_back({"tally-sio2jail", 0, [&] { MustSucceed({jail, "-f", "1", "-m", "64M", "--rtimelimit", "3s", "--", exit_zero}); }, {}, {}});
  AddBwrap(exit_zero, &ways);
  for (const char* original : {"/usr/local/bin/isolate", "/usr/bin/isolate"}) {
    if (::access(original, X_OK) == 0) {
      AddIsolate(original, exit_zero, original, 0, 0, &ways);
      break;
    }
    fmt::print("{} is not there: not compared\n", original);
  }
  TakeTurns(&ways);
  Report(ways);
  MustSucceed({isolate, "--box-id=97", "--cleanup"});
  return 0;
}

}  // namespace
}  // namespace tally

int main() {
  try {
    return tally::Main();
  } catch (const std::exception& error) {
    fmt::print(stderr, "front_ends: {}\n", error.what());
    return 2;
  }
}
