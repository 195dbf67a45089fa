// Who watches judging is told of every test and every step, by the worker that does it.
#include "jobs/judge_observer.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "jobs/judging.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

// Workers are processes, so what they are told goes through a pipe.
class Recorder : public JudgeObserver {
 public:
  void OnTest(unsigned worker, std::size_t index, const std::string& name) noexcept override {
    Write(std::to_string(worker) + " test " + std::to_string(index) + " " + name);
  }
  void OnStep(unsigned worker, JudgeStep step, Nanoseconds duration) noexcept override {
    const char* const names[] = {"compile", "queue", "run", "check"};
    Write(std::to_string(worker) + " " + names[static_cast<int>(step)] +
          (duration < Nanoseconds(0) ? " before it began" : ""));
  }
  std::vector<std::string> Lines() {
    pipe_.write_end.Reset();
    std::istringstream text(sys::ReadAll(pipe_.read_end.get(), "pipe"));
    std::vector<std::string> out;
    for (std::string line; std::getline(text, line);) out.push_back(line);
    return out;
  }

 private:
  void Write(const std::string& line) const { sys::WriteAll(pipe_.write_end.get(), line + "\n", "pipe"); }
  sys::Pipe pipe_ = sys::MakePipe();
};

struct SumPackage : ScratchFolder {
  explicit SumPackage(int tests) {
    for (int i = 1; i <= tests; ++i) {
      Write(std::to_string(i) + ".in", std::to_string(i) + " 1000");
      Write(std::to_string(i) + ".out", std::to_string(i + 1000) + "\nEND\n");
    }
  }
};

TEST_CASE("observer: each test, then how long it waited, ran and was checked; indexes go on over solutions",
          "[judging]") {
  const SumPackage folder(2);
  const Package package = ReadPackage(folder.path());
  Recorder recorder;
  Judging judging(package, {.observer = &recorder});
  judging.Judge(TestProgram("sum_numbers"), [](std::size_t, const std::string&) {});
  judging.Judge(TestProgram("abort"), [](std::size_t, const std::string&) {});
  CHECK(recorder.Lines() == std::vector<std::string>{"0 test 0 sum_numbers 1", "0 queue", "0 run", "0 check",
                                                     "0 test 1 sum_numbers 2", "0 queue", "0 run", "0 check",
                                                     "0 test 2 abort 1", "0 queue",
                                                     "0 run",  // what failed is not checked
                                                     "0 test 3 abort 2", "0 queue", "0 run"});
}

TEST_CASE("observer: a compilation belongs to the solution's first test", "[judging]") {
  const SumPackage folder(1);
  const Package package = ReadPackage(folder.path());
  const std::string solution = folder.Write("bad.py", "print((1\n");
  Recorder recorder;
  Judging judging(package, {.observer = &recorder});
  judging.Judge(solution, [](std::size_t, const std::string&) {});
  judging.Judge(TestProgram("sum_numbers"), [](std::size_t, const std::string&) {});
  CHECK(recorder.Lines() == std::vector<std::string>{"0 test 0 bad.py, compiling", "0 compile",
                                                     "0 test 1 sum_numbers 1", "0 queue", "0 run", "0 check"});
}

TEST_CASE("observer: with several workers each tells its own tests, and together all", "[judging]") {
  const SumPackage folder(12);
  const Package package = ReadPackage(folder.path());
  Recorder recorder;
  Judging(package, {.workers = 3, .observer = &recorder})
      .Judge(TestProgram("sum_numbers"), [](std::size_t, const std::string&) {});
  std::set<std::string> tests;
  std::size_t runs = 0;
  for (const std::string& line : recorder.Lines()) {
    CHECK(line[0] <= '2');
    if (line.find(" test ") != std::string::npos) tests.insert(line.substr(2));
    if (line.find(" run") != std::string::npos) ++runs;
  }
  CHECK(tests.size() == 12);
  CHECK(runs == 12);
}

}  // namespace
}  // namespace tally
