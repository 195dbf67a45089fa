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
#include "bench/serve_clients.h"
#include "bench/turns.h"

namespace tally {
namespace {

constexpr double kHalfOfRun = 3.4, kHalfOfAll = 5.75;

// The program lies in the box, as a solution does; where that is made anew each time, it is shown there by a rule.
void AddIsolate(const std::string& isolate, const std::string& boxes, const std::string& program, const std::string& name, double goal_of_run, double goal_of_all,
                std::vector<Way>* ways) {
  const std::vector<std::string> box{isolate, "--box-id=97"}, other{isolate, "--box-id=98"};
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::vector<std::string> options{"--silent", "--meta=/dev/null", "--mem=65536", "--time=1"};
  MustSucceed(with(box, {"--init"}));
  std::filesystem::copy_file(program, boxes + "/97/box/exit_zero");
  ways->push_back({name + " --run", goal_of_run, [=] { MustSucceed(with(with(box, options), {"--run", "--", "./exit_zero"})); }, {}, {}});
  ways->push_back({name + " --init --run --cleanup", goal_of_all,
                   [=] {
                     MustSucceed(with(other, {"--init"}));
                     std::filesystem::copy_file(program, boxes + "/98/box/exit_zero");
                     MustSucceed(with(with(other, options), {"--run", "--", "./exit_zero"}));
                     MustSucceed(with(other, {"--cleanup"}));
                   },
                   {}, {}});
}

// What no isolate can be without: three commands and a program, a box made, filled and removed.
void MakeRunRemove(const std::string& program, const std::string& box) {
  MustSucceed({program});
  std::filesystem::create_directories(box + "/box");
  std::filesystem::copy_file(program, box + "/box/exit_zero");
  MustSucceed({program});
  MustSucceed({box + "/box/exit_zero"});
  MustSucceed({program});
  std::filesystem::remove_all(box);
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
  AddIsolate(isolate, boxes.path(), exit_zero, "tally-isolate", kHalfOfRun, kHalfOfAll, &ways);
  ways.push_back({"its processes and files alone", 0, [&] { MakeRunRemove(exit_zero, boxes.path() + "/bare"); }, {}, {}});
  const std::string jail = copies.Of(bin + "/tally-sio2jail");
  ways.push_back({"tally-sio2jail", 0, [&] { MustSucceed({jail, "-f", "1", "-m", "64M", "--rtimelimit", "3s", "--", exit_zero}); }, {}, {}});
  AddBwrap(exit_zero, &ways);
  for (const char* original : {"/usr/local/bin/isolate", "/usr/bin/isolate"}) {
    if (::access(original, X_OK) == 0) {
      AddIsolate(original, "/var/local/lib/isolate", exit_zero, original, 0, 0, &ways);
      break;
    }
    fmt::print("{} is not there: not compared\n", original);
  }
  TakeTurns(&ways);
  Report(ways);
  MustSucceed({isolate, "--box-id=97", "--cleanup"});
  CompareServe(bin + "/tally-serve", exit_zero);
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
