#include "evaluation/checkstyle_report.h"

#include <fmt/format.h>

#include <pugixml.hpp>

#include "base/error.h"

namespace tally {
namespace {

// "com.puppycrawl.tools.checkstyle.checks.naming.MethodNameCheck": "MethodName"
std::string RuleName(std::string_view source) {
  source.remove_prefix(source.rfind('.') + 1);  // npos + 1 is 0
  constexpr std::string_view kSuffix = "Check";
  if (source.size() > kSuffix.size() && source.substr(source.size() - kSuffix.size()) == kSuffix) source.remove_suffix(kSuffix.size());
  return std::string(source);
}

StyleError ReadError(const std::string& file, const pugi::xml_node& node) {
  return {file,
          node.attribute("line").as_uint(),
          node.attribute("column").as_uint(),
          node.attribute("severity").as_string(),
          node.attribute("message").as_string(),
          RuleName(node.attribute("source").as_string())};
}

}  // namespace

std::vector<StyleError> ReadCheckstyle(std::string_view xml, std::string_view folder) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) throw UserError(fmt::format("the style report is no XML: {}", result.description()));
  if (!document.child("checkstyle")) throw UserError("the style report has no <checkstyle>");
  std::vector<StyleError> errors;
  const std::string inside = std::string(folder) + "/";
  for (const pugi::xml_node& file : document.child("checkstyle").children("file")) {
    const std::string path = file.attribute("name").as_string();
    if (path.rfind(inside, 0) != 0) continue;
    for (const pugi::xml_node& error : file.children("error")) errors.push_back(ReadError(path.substr(inside.size()), error));
  }
  return errors;
}

}  // namespace tally
