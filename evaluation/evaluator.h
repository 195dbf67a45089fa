// Evaluator: an EvalRequest as JSON in, an EvalResponse as JSON out. The way through an evaluation is Evaluate's body:
// read the request, resolve the stack, compile, look at the style, test, cover. One evaluation at a time; a worker has a
// process for each that it does at once. As long as an Evaluator lives, this process is held to the quota of processors; it
// remembers stacks and sandboxes for as long as the settings say (image_cache_seconds).
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "base/units.h"
#include "evaluation/cpu_quota.h"
#include "evaluation/eval_request.h"
#include "evaluation/eval_response.h"
#include "evaluation/evaluation_settings.h"
#include "evaluation/stack_store.h"
#include "evaluation/step_notice.h"

namespace tally {

class Evaluator {
 public:
  explicit Evaluator(EvaluationSettings settings, StepNotice notice = [](std::string_view) {});

  // Whatever the body is: a mistake in it, or a failure of ours, is an answer with success: false and one sentence. `failure` is which of the
  // two, where there is one.
  std::string Evaluate(std::string_view request_body, std::exception_ptr* failure = nullptr);
  // How the quota of processors is held, for a log.
  [[nodiscard]] const std::string& quota() const { return quota_.how(); }

 private:
  EvalResult Evaluate(const EvalRequest& request);
  const StackStore& Stacks();

  EvaluationSettings settings_;
  StepNotice notice_;
  CpuQuota quota_;
  std::unique_ptr<StackStore> stacks_;
  Nanoseconds stacks_read_at_{0};
};

}  // namespace tally
