// An evaluation by inputs and answers: the test files are a package of tests as `tally judge` reads them (packages/package.h:
// in/1.in and out/1.out, or 1.in beside 1.out, limits in tally.yml, a checker), the solution is in any language that
// compilers/ knows. Solution and tests are never in one process, so nothing that a program does can pass for an answer.
#pragma once

#include "evaluation/eval_request.h"
#include "evaluation/eval_response.h"
#include "evaluation/evaluation_settings.h"
#include "evaluation/stack_spec.h"
#include "evaluation/step_notice.h"

namespace tally {

EvalResult EvaluateInputOutput(const EvalRequest& request, const StackSpec& stack, const EvaluationSettings& settings,
                               const StepNotice& notice);

}  // namespace tally
