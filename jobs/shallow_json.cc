#include "jobs/shallow_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace tally {

using nlohmann::json;

namespace {

// Before it is parsed: a parser that asks about each value goes through all of a list at each of its ends.
bool IsTooDeep(std::string_view text) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') ++i;
      if (c == '"') in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepestNesting) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

json ParseShallow(std::string_view text, std::string_view source) {
  if (IsTooDeep(text)) throw UserError(fmt::format("{}: this JSON is nested deeper than the {} levels Tally accepts", source, kDeepestNesting));
  return json::parse(text);
}

json ParseWithoutDepths(std::string_view text, bool* was_cut) {
  if (!IsTooDeep(text)) return json::parse(text, nullptr, false);
  const auto keep = [was_cut](int depth, json::parse_event_t, json&) {
    if (depth <= kDeepestNesting) return true;
    *was_cut = true;
    return false;
  };
  return json::parse(text, keep, false);
}

}  // namespace tally
