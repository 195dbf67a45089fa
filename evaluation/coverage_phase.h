// Coverage, after the tests were run with counters in: the stack's tool makes a report of what they left.
#pragma once

#include <optional>
#include <string>

#include "evaluation/command_words.h"
#include "evaluation/eval_response.h"
#include "evaluation/evaluation_settings.h"
#include "evaluation/stack_spec.h"
#include "evaluation/work_folder.h"

namespace tally {

// Where tests and solution leave what they counted.
inline constexpr const char* kCounters = "/box/counters";

// Nothing when the tool gave no report; then `reason` says why. `counters` is shown at kCounters.
std::optional<Coverage> CollectCoverage(const StackSpec& stack, const CommandMaker& commands, const WorkFolder& work,
                                        const std::string& counters, const EvaluationSettings& settings, const std::string& support,
                                        std::string* reason);

}  // namespace tally
