// The style of a solution, as the first of a stack's checkers says that this machine has.
#pragma once

#include <optional>
#include <string>

#include "evaluation/command_words.h"
#include "evaluation/eval_response.h"
#include "evaluation/evaluation_settings.h"
#include "evaluation/stack_spec.h"
#include "evaluation/work_folder.h"

namespace tally {

// Nothing when no checker is here, or when the one that is here gave no report: what a tool cannot bear is no reason to
// leave a solution untested. Why is added to `absent`.
std::optional<StyleResult> CheckStyle(const StackSpec& stack, const CommandMaker& commands, const WorkFolder& work,
                                      const EvaluationSettings& settings, const std::string& support,
                                      Absent* absent);

}  // namespace tally
