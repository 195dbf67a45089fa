// DMOJ's checkers by name: "standard", or {name: floats, args: {precision: 6}}.
// Source: the judge's documentation ("Checkers").
#pragma once

#include <optional>

#include "base/yaml_fields.h"
#include "checkers/compare_rules.h"

namespace tally {

// nullopt: `yaml` names none. UserError with its place for one that is not known.
std::optional<CompareRules> DmojChecker(YamlMap* yaml);

}  // namespace tally
