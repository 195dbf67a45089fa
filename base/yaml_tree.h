// A YAML file as a tree in which every node knows its line and column. Private to yaml_fields: readers of
// descriptions use YamlMap. Refuses what no description needs and an attacker would like: files above 1 MiB,
// nesting deeper than 16 levels, aliases, repeated keys, more than one document. UserError says where.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/parsed_yaml.h"

namespace tally {

struct YamlNode {
  YamlKind kind = YamlKind::kEmpty;
  int line = 1;
  int column = 1;
  std::string text;             // kText
  std::vector<YamlNode> items;  // kList; kMap: key, value, key, value, ... where each key is a kText
};

struct YamlFile {
  std::string name;
  YamlNode root;  // kMap
};

YamlFile ParseYaml(std::string_view text, const std::string& name);
// A file whose text is one of `parsed` is not parsed again.
YamlFile ReadYaml(const std::string& path, std::span<const ParsedYaml> parsed = {});

// `"text"`, "a list", ...: how messages call what was found.
std::string Describe(const YamlNode& node);
// A user's text as one short line.
std::string Shorten(std::string_view text);

[[noreturn]] void FailAtPlace(const std::string& file, int line, int column, const std::string& message);

}  // namespace tally
