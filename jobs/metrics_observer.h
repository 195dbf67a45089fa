// Judging as the metrics agent hears of it (docs/metrics.md): every worker tells its test, the first one its timings.
#pragma once

#include "jobs/judge_observer.h"
#include "profile/metrics/channel.h"

namespace tally {

class MetricsObserver : public JudgeObserver {
 public:
  explicit MetricsObserver(MetricsChannel* channel) : channel_(channel) {}

  void OnTest(unsigned, std::size_t index, const std::string& name) noexcept override {
    channel_->SetBatch(index, name);
  }
  void OnStep(unsigned worker, JudgeStep step, Nanoseconds duration) noexcept override {
    if (worker == 0) channel_->RecordTiming(NameOf(step), duration);
  }

 private:
  static std::string_view NameOf(JudgeStep step) {
    switch (step) {
      case JudgeStep::kCompile: return kCompileTiming;
      case JudgeStep::kQueue: return kQueueTiming;
      case JudgeStep::kRun: return kRunTiming;
      case JudgeStep::kCheck: return kCheckTiming;
    }
    return kRunTiming;
  }

  MetricsChannel* channel_;
};

}  // namespace tally
