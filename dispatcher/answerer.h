// A request's body in, its answer's body out, whatever the body is: what an instance does all day. Nothing here knows
// AMQP.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dispatcher/frames.h"
#include "dispatcher/instance_settings.h"
#include "evaluation/evaluator.h"

namespace tally {

class Answerer {
 public:
  explicit Answerer(const InstanceSettings& settings);

  // `kind` is kEvaluation or kJob.
  std::string Answer(FrameKind kind, std::string_view body);
  void set_user(std::string user) { user_ = std::move(user); }  // of the jobs to come
  [[nodiscard]] const std::string& quota() const { return evaluator_.quota(); }

 private:
  std::string AnswerJob(std::string_view body) const;

  InstanceSettings settings_;
  std::optional<std::string> user_;
  Evaluator evaluator_;
};

// An answer in place of the one that is not to be had: an EvalResponse with success: false, or an environ with
// result_code SE. The request is not read for it, for it may be what killed an instance.
std::string ErrorAnswer(FrameKind kind, std::string_view sentence, const EvaluationSettings& settings);

}  // namespace tally
