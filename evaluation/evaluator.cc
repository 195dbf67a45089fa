#include "evaluation/evaluator.h"

#include "base/cache_time.h"
#include "base/error.h"
#include "base/sys.h"
#include "evaluation/case_lines.h"
#include "evaluation/framework_evaluation.h"
#include "evaluation/io_evaluation.h"
#include "jobs/own_paths.h"
#include "sandboxes/kept_sandboxes.h"
#include "supervisor/run/process_executor.h"

namespace tally {

Evaluator::Evaluator(EvaluationSettings settings, StepNotice notice)
    : settings_(std::move(settings)), notice_(std::move(notice)), quota_(settings_.cpu_quota, settings_.instance) {
  KeepReadySandboxesFor(CacheTime(settings_.image_cache_seconds));
}

std::string Evaluator::Evaluate(std::string_view request_body, std::exception_ptr* failure) {
  try {
    EvalResult result = Evaluate(ReadEvalRequest(request_body));
    if (result.test) AddCaseLines(settings_.max_output_size, &*result.test);
    return SuccessJson(result, settings_);
  } catch (const std::exception& error) {
    if (failure != nullptr) *failure = std::current_exception();
    return FailureJson(WithoutOwnPaths(error.what()), settings_);
  }
}

EvalResult Evaluator::Evaluate(const EvalRequest& request) {
  const StackSpec& stack = Stacks().Resolve(request.stack_ref);
  return stack.input_output ? EvaluateInputOutput(request, stack, settings_, notice_)
                            : EvaluateByFramework(request, stack, settings_, notice_);
}

// Read anew when their time is over, so that an edited description counts without a restart.
const StackStore& Evaluator::Stacks() {
  const Nanoseconds now = sys::MonotonicNow();
  if (stacks_ == nullptr || !CacheTime(settings_.image_cache_seconds).Holds(stacks_read_at_, now)) {
    stacks_ = std::make_unique<StackStore>();
    stacks_read_at_ = now;
  }
  return *stacks_;
}

}  // namespace tally
