// Writes the trees of YAML files as C++ (base/parsed_yaml.h). Runs while Tally is built.
//   yaml_compiler FILE...
#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/sys.h"
#include "base/yaml_tree.h"

namespace tally {
namespace {

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n\"\n\"";
    } else if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c < ' ' || c > '~') {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void WriteNode(const YamlNode& node) {
  fmt::print("{{static_cast<YamlKind>({}), {}, {}, {}, {}}},\n", static_cast<int>(node.kind), node.line, node.column, node.items.size(), Quoted(node.text));
  for (const YamlNode& item : node.items) WriteNode(item);
}

void Write(const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    fmt::print("constexpr ParsedNode kNodes{}[] = {{\n", i);
    WriteNode(ReadYaml(paths[i]).root);
    fmt::print("}};\n");
  }
  fmt::print("constexpr ParsedYaml kParsed[] = {{\n");
  for (std::size_t i = 0; i < paths.size(); ++i) fmt::print("{{{}, kNodes{}}},\n", Quoted(sys::ReadFile(paths[i])), i);
  fmt::print("}};\n");
}

}  // namespace
}  // namespace tally

int main(int argc, char** argv) {
  try {
    tally::Write({argv + 1, argv + argc});
    return std::fflush(stdout) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "yaml_compiler: %s\n", error.what());
    return 1;
  }
}
