#include "dispatcher/answerer.h"

#include <fmt/format.h>

#include "base/error.h"
#include "jobs/environ.h"
#include "jobs/job.h"
#include "jobs/own_paths.h"

namespace tally {
Answerer::Answerer(const InstanceSettings& settings) : settings_(settings), evaluator_(settings.evaluation) {}

std::string Answerer::Answer(FrameKind kind, std::string_view body) {
  const std::string answer = kind == FrameKind::kJob ? AnswerJob(body) : evaluator_.Evaluate(body);
  if (answer.size() <= settings_.max_answer_size.count) return answer;
  return ErrorAnswer(kind,
                     fmt::format("the answer has {}; this worker sends at most {}", FormatBytes({answer.size()}),
                                 FormatBytes(settings_.max_answer_size)),
                     settings_.evaluation);
}

std::string Answerer::AnswerJob(std::string_view body) const {
  Environ environ;
  try {
    environ = Environ::Parse(body, "job");
    environ.set_rules({.plain_paths = settings_.plain_paths, .user = user_, .bounds = settings_.sio ? WorkerBounds() : settings_.evaluation.bounds});
    if (!settings_.weak_isolation) RequireFullIsolation(environ);
    if (settings_.sio && !environ.Has("percentage_format")) environ.Set("percentage_format", "fraction");
    RunJob(&environ);
    if (settings_.sio) environ.Set("result", "SUCCESS");
  } catch (const std::exception& error) {
    environ.Remove("inline_files");
    WriteFailure(WithoutOwnPaths(error.what()), &environ);
    if (settings_.sio) environ.Set("result", "FAILURE");
  }
  return environ.Dump();
}

std::string ErrorAnswer(FrameKind kind, std::string_view sentence, const EvaluationSettings& settings) {
  if (kind == FrameKind::kEvaluation) return FailureJson(sentence, settings);
  Environ environ;
  WriteFailure(std::string(sentence), &environ);
  return environ.Dump();
}

}  // namespace tally
