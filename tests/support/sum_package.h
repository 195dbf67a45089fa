// A package for `tally judge` with two solutions.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {

// Three tests; the third asks for another sum than there is. Solutions are executables, so nothing is
// compiled.
struct SumPackage : ScratchFolder {
  SumPackage() {
    for (int i = 1; i <= 3; ++i) {
      Write("sums/" + std::to_string(i) + ".in", std::to_string(i) + " 10");
      Write("sums/" + std::to_string(i) + ".out", std::to_string(i == 3 ? 99 : i + 10) + "\nEND\n");
    }
    Write("sums/tally.yml", "title: Sums\ntime_limit: 2s\nmemory_limit: 64M\n");
    std::filesystem::copy(TestProgram("sum_numbers"), path() + "/sum");
    std::filesystem::copy(TestProgram("abort"), path() + "/fails");
  }
  CliResult Judge(Words words) const {
    words.insert(words.begin(), {"judge", "sums"});
    return Tally(words, {.directory = path()});
  }
  [[nodiscard]] Json Report(const std::string& name = "tally-report.json") const {
    return Json::parse(Shell("cat " + name, {.directory = path()}).out, nullptr, false);
  }
  [[nodiscard]] std::string Files() const { return Shell("ls", {.directory = path()}).out; }
};

}  // namespace tally
