// The native engine: the processor executes the program as it is on this machine, a hardware counter counts where there
// is one.
#include "supervisor/tracee.h"
#include "supervisor/counting/perf_counter.h"
#include "supervisor/counting/perf_engine.h"
#include "supervisor/counting/step_engine.h"
#include "base/error.h"
#include "supervisor/engine.h"
#include "supervisor/translator/translated_engine.h"

namespace tally {
namespace {

class NativeEngine : public Engine {
 public:
  // Without `count` the instructions are absent, because of `why_not`.
  NativeEngine(bool count, std::string why_not, const Limits& limits)
      : count_(count), why_not_(std::move(why_not)), limit_(limits.instructions), tasks_(limits.processes) {}

  [[nodiscard]] std::string name() const override { return "native"; }
  [[nodiscard]] std::string counter() const override { return count_ ? "perf" : "none"; }

  void Attach(pid_t program) override {
    if (count_) perf_.emplace(program, limit_, tasks_);
  }
  std::optional<WaitStatus> Resume(pid_t tid, int signal) override {
    ResumeIfStopped(PTRACE_CONT, tid, signal);
    return std::nullopt;
  }
  [[nodiscard]] Measured<Instructions> Count() override {
    return perf_ ? perf_->Read() : Measured<Instructions>::Absent(why_not_);
  }

 private:
  bool count_;
  std::string why_not_;
  std::optional<Instructions> limit_;
  unsigned tasks_;
  std::optional<PerfCounter> perf_;
};

}  // namespace

std::unique_ptr<Engine> MakeEngine(const RunRequest& request) {
  const Counter counter = request.counter;
  const Limits& limits = request.limits;
  if (counter == Counter::kTranslator) return MakeTranslatedEngine(request);
  if (counter == Counter::kStep) return MakeStepEngine(limits, request.virtual_cpu);
  if (counter == Counter::kNone && limits.instructions) {
    throw UserError("an instruction limit needs a counter, and counter=none was asked for");
  }
  if (counter == Counter::kNone) {
    return std::make_unique<NativeEngine>(false, "no counter was asked for", limits);
  }
  if (counter == Counter::kPerf) return MakePerfEngine(request);
  const std::optional<std::string> why = PerfCounter::WhyUnavailable();
  if (why && limits.instructions) {
    throw SystemError("an instruction limit needs a counter, and " + *why, 0);
  }
  return std::make_unique<NativeEngine>(!why, why.value_or(""), limits);
}

}  // namespace tally
