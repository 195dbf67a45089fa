#include "jobs/shallow_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace tally {

using nlohmann::json;

json ParseShallow(std::string_view text, std::string_view source) {
  return json::parse(text, [&](int depth, json::parse_event_t, json&) {
    if (depth > kDeepestNesting) {
      throw UserError(fmt::format("{}: this JSON is nested deeper than the {} levels Tally accepts", source, kDeepestNesting));
    }
    return true;
  });
}

json ParseWithoutDepths(std::string_view text, bool* was_cut) {
  const auto keep = [was_cut](int depth, json::parse_event_t, json&) {
    if (depth <= kDeepestNesting) return true;
    *was_cut = true;
    return false;
  };
  return json::parse(text, keep, false);
}

}  // namespace tally
