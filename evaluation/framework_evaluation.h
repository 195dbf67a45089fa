// An evaluation by a stack whose tests are programs of a test framework: its phases, each in a sandbox of its own.
//
//   compile   the solution alone; the tests are not there yet
//   style     the same files
//   test      the tests are built with it, listed and run (test_run.h)
//   coverage  all of it is built once more, with counters, and the tests are run once more
#pragma once

#include "evaluation/eval_request.h"
#include "evaluation/eval_response.h"
#include "evaluation/evaluation_settings.h"
#include "evaluation/stack_spec.h"
#include "evaluation/step_notice.h"

namespace tally {

// UserError: the request asks for what this stack does not have. SystemError: the host failed.
EvalResult EvaluateByFramework(const EvalRequest& request, const StackSpec& stack, const EvaluationSettings& settings,
                               const StepNotice& notice);

}  // namespace tally
