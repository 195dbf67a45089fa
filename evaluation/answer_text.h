// What a client makes of an answer: a verdict to be counted, and an EvalResponse as people read it.
#pragma once

#include <string>
#include <string_view>

namespace tally {

enum class AnswerKind { kEvaluation, kJob };

enum class AnswerVerdict {
  kRight,   // all that was asked for is well; style is not asked
  kWrong,   // the solution does not compile or pass
  kFailed,  // there is no evaluation: a mistake in the request, a worker's failure, or no tool for it
};

AnswerVerdict VerdictOf(AnswerKind kind, std::string_view answer);

// The message of a failed evaluation, compilation, cases in a table, coverage, style. Of a job, and of what is no
// EvalResponse, the answer itself.
std::string AnswerText(std::string_view answer, bool colour);

}  // namespace tally
