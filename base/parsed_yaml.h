// YAML files that were parsed while Tally was built: the descriptions it is shipped with. To parse one takes 100 us, which is a
// thirtieth of a run; to find that a file is still the shipped one, and to build its tree, a twentieth of that.
#pragma once

#include <cstdint>
#include <string_view>

namespace tally {

enum class YamlKind : std::uint8_t { kEmpty, kText, kList, kMap };

struct ParsedNode {
  YamlKind kind;
  std::uint16_t line, column;
  std::uint16_t items;    // which follow it, each with its own
  std::string_view text;  // kText
};

struct ParsedYaml {
  std::string_view text;  // the whole file
  const ParsedNode* nodes;
};

}  // namespace tally
