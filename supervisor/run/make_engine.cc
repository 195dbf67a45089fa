#include "supervisor/run/make_engine.h"

#include "base/error.h"
#include "supervisor/engines/native_engine.h"
#include "supervisor/engines/perf_counter.h"
#include "supervisor/engines/perf_engine.h"
#include "supervisor/engines/step_engine.h"
#include "supervisor/translator/guest/translated_engine.h"

namespace tally {

Counter ChosenCounter(Counter asked, const Limits& limits) {
  const bool must_count = asked == Counter::kAuto && limits.instructions;
  return must_count && PerfCounter::WhyUnavailable() ? Counter::kTranslator : asked;
}

std::unique_ptr<Engine> MakeEngine(const RunRequest& request) {
  const Limits& limits = request.limits;
  const Counter counter = ChosenCounter(request.counter, limits);
  if (counter == Counter::kTranslator) return MakeTranslatedEngine(request);
  if (counter == Counter::kStep) return MakeStepEngine(limits, request.virtual_cpu);
  if (counter == Counter::kNone && limits.instructions) {
    throw UserError("an instruction limit needs a counter, and counter=none was asked for");
  }
  if (counter == Counter::kNone) {
    return MakeNativeEngine(false, "no counter was asked for", limits);
  }
  if (counter == Counter::kPerf) return MakePerfEngine(request);
  const std::optional<std::string> why = PerfCounter::WhyUnavailable();
  return MakeNativeEngine(!why, why.value_or(""), limits);
}

}  // namespace tally
