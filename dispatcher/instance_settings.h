// What an instance is told when it starts; nothing of the broker is in it. As JSON, for it travels in a frame.
#pragma once

#include <string>
#include <string_view>

#include "base/units.h"
#include "evaluation/evaluation_settings.h"

namespace tally {

struct InstanceSettings {
  EvaluationSettings evaluation;
  bool plain_paths = false;
  bool weak_isolation = false;
  bool sio = false;  // answers as SIO Workers have them: result SUCCESS or FAILURE, percentages as fractions
  Bytes max_answer_size;
};

std::string WriteInstanceSettings(const InstanceSettings& settings);
InstanceSettings ReadInstanceSettings(std::string_view json);

}  // namespace tally
