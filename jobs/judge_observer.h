// Who wants to know what judging does while it does it. Judging calls this from the process that does the work: with
// several workers from each of them, so what an observer keeps is a worker's own. It must neither wait nor throw.
#pragma once

#include <cstddef>
#include <string>

#include "base/sys.h"
#include "base/units.h"

namespace tally {

enum class JudgeStep {
  kCompile,  // a solution, from its source to a program
  kQueue,    // a test, from when its program was ready until a worker took it
  kRun,      // a test, in the sandbox
  kCheck,    // its output
};

class JudgeObserver {
 public:
  virtual ~JudgeObserver() = default;
  // The test that `worker` is at now. Indexes go on from one solution to the next; a solution is compiled as its first
  // test. Worker 0 is the first; it is also the one who compiles.
  virtual void OnTest(unsigned worker, std::size_t index, const std::string& name) noexcept = 0;
  virtual void OnStep(unsigned worker, JudgeStep step, Nanoseconds duration) noexcept = 0;
};

// One worker, seen by an observer or by nobody.
class ObservedWorker {
 public:
  ObservedWorker(JudgeObserver* observer, unsigned worker) : observer_(observer), worker_(worker) {}

  void Test(std::size_t index, const std::string& name) const {
    if (observer_ != nullptr) observer_->OnTest(worker_, index, name);
  }
  void Waited(Nanoseconds since) const {
    if (observer_ != nullptr) observer_->OnStep(worker_, JudgeStep::kQueue, sys::MonotonicNow() - since);
  }
  // A step that throws is not told: what it took means nothing.
  template <typename Work>
  auto Step(JudgeStep step, Work work) const {
    if (observer_ == nullptr) return work();
    const Nanoseconds begin = sys::MonotonicNow();
    auto result = work();
    observer_->OnStep(worker_, step, sys::MonotonicNow() - begin);
    return result;
  }

 private:
  JudgeObserver* observer_;
  unsigned worker_;
};

}  // namespace tally
