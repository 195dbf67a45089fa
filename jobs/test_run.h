// One test of one solution, from its run to its check: what a judging worker does, and how its result comes back as text.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "jobs/checking.h"
#include "jobs/interactor.h"
#include "jobs/judging.h"
#include "jobs/named_files.h"
#include "jobs/peer.h"
#include "jobs/program.h"

namespace tally {

// Where one worker puts what a program reads and writes, anew for each test.
struct WorkerFiles {
  std::string output, error;
  std::optional<NamedFiles> named;
  std::unique_ptr<Interactor> interactor;
  std::vector<std::unique_ptr<Peer>> peers;  // the solution's processes but the first
  std::string solution;     // as the user calls it
  std::string transcripts;  // the folder for those of interactive problems; "": none are kept
  Together together = Together::kMost;

  [[nodiscard]] std::string answer() const { return named && named->has_output() ? named->output_path() : output; }
};

// What an output is worth.
CheckerVerdict CheckFor(const PackageTest& test, const CheckOptions& check, const std::string& output);

// What fails on our side is the test's SE and not the end of the judging. `wall` is a limit beside the program's.
std::string RunTest(const Program& program, ExecKind kind, const CheckOptions& check, const PackageTest& test, const WorkerFiles& files,
                    std::optional<Nanoseconds> wall, const ObservedWorker& observed);
// In its place, where the time of all tests was over.
std::string TooLate(Nanoseconds all_tests);

// Leaves out of a test's results what is of its report alone, and no key of a job.
void EraseTimes(nlohmann::json* object);

TestReport ReadTestReport(const std::string& test, const std::string& text);

}  // namespace tally
