// Evaluator: an EvalRequest as JSON in, an EvalResponse as JSON out. The way through an evaluation is Evaluate's body:
// read the request, resolve the stack, compile, look at the style, test, cover. One evaluation at a time; a worker has a
// process for each that it does at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "evaluation/eval_request.h"
#include "evaluation/eval_response.h"
#include "evaluation/evaluation_settings.h"
#include "evaluation/stack_store.h"

namespace tally {

class Evaluator {
 public:
  explicit Evaluator(EvaluationSettings settings);

  // Whatever the body is: a mistake in it, or a failure of ours, is an answer with success: false and one sentence.
  std::string Evaluate(std::string_view request_body);
  // For who answers in our place: the request killed us, took too long, ...
  [[nodiscard]] std::string Failure(std::string_view message) const { return FailureJson(message, settings_); }

 private:
  EvalResult Evaluate(const EvalRequest& request);
  const StackStore& Stacks();

  EvaluationSettings settings_;
  std::unique_ptr<StackStore> stacks_;
  Nanoseconds stacks_read_at_{0};
};

}  // namespace tally
