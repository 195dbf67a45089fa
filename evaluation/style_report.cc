#include "evaluation/style_report.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <pugixml.hpp>

#include "base/error.h"
#include "evaluation/checkstyle_report.h"

namespace tally {
namespace {

constexpr std::string_view kSeverities[] = {"fatal error", "error", "warning", "note", "info", "style", "convention", "refactor"};

std::optional<std::string> Inside(std::string_view path, std::string_view folder) {
  if (path.substr(0, folder.size()) != folder || path.substr(folder.size(), 1) != "/") return std::nullopt;
  return std::string(path.substr(folder.size() + 1));
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Takes "12:" from the front.
std::optional<std::uint32_t> TakeNumber(std::string_view* text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end == text->data() + text->size() || *end != ':') return std::nullopt;
  text->remove_prefix(static_cast<std::size_t>(end - text->data()) + 1);
  return number;
}

// "E302", "W0611:", "unused-import": a rule in front of the message has a digit, and no letter in lower case.
bool IsCode(std::string_view word) {
  return word.find_first_of("0123456789") != std::string_view::npos && word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == std::string_view::npos;
}

void TakeSeverity(std::string_view* text, StyleError* error) {
  for (const std::string_view severity : kSeverities) {
    if (text->substr(0, severity.size()) != severity || text->substr(severity.size(), 1) != ":") continue;
    error->severity = severity;
    *text = Trimmed(text->substr(severity.size() + 1));
    return;
  }
}

void TakeRule(std::string_view* text, StyleError* error) {
  const std::size_t space = text->find(' ');
  std::string_view first = text->substr(0, space);
  if (!first.empty() && first.back() == ':') first.remove_suffix(1);
  if (space != std::string_view::npos && IsCode(first)) {
    error->rule = first;
    *text = Trimmed(text->substr(space));
  }
  const std::size_t bracket = text->rfind(" [");
  if (!error->rule.empty() || bracket == std::string_view::npos || text->back() != ']') return;
  error->rule = text->substr(bracket + 2, text->size() - bracket - 3);
  *text = Trimmed(text->substr(0, bracket));
}

std::optional<StyleError> ReadLine(std::string_view line, std::string_view folder) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
    std::string_view rest = line.substr(colon + 1);
    const std::optional<std::uint32_t> number = TakeNumber(&rest);
    if (!number) continue;
    const std::optional<std::string> file = Inside(line.substr(0, colon), folder);
    if (!file) return std::nullopt;
    StyleError error;
    error.file = *file;
    error.line = *number;
    error.column = TakeNumber(&rest).value_or(0);
    rest = Trimmed(rest);
    TakeSeverity(&rest, &error);
    TakeRule(&rest, &error);
    error.message = rest;
    return error;
  }
  return std::nullopt;
}

// What does not name a place is the source line below a message, or a tool's summary.
std::vector<StyleError> ReadLines(std::string_view text, std::string_view folder) {
  std::vector<StyleError> errors;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::optional<StyleError> error = ReadLine(text.substr(0, end), folder);
    // A note belongs to the message above it.
    if (error && error->severity != "note") errors.push_back(std::move(*error));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return errors;
}

std::vector<StyleError> ReadCppcheck(std::string_view xml, std::string_view folder) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) throw UserError(fmt::format("cppcheck's report cannot be read: {}", result.description()));
  std::vector<StyleError> errors;
  for (const pugi::xml_node& node : document.child("results").child("errors").children("error")) {
    const pugi::xml_node place = node.child("location");  // the first is where it is, others how it comes about
    const std::optional<std::string> file = Inside(place.attribute("file").as_string(), folder);
    if (!file) continue;
    errors.push_back({*file, place.attribute("line").as_uint(), place.attribute("column").as_uint(),
                      node.attribute("severity").as_string(), node.attribute("msg").as_string(), node.attribute("id").as_string()});
  }
  return errors;
}

}  // namespace

bool IsStyleFormat(std::string_view format) { return format == "lines" || format == "cppcheck" || format == "checkstyle"; }

std::vector<StyleError> ReadStyleReport(std::string_view format, std::string_view text, std::string_view folder) {
  if (format == "lines") return ReadLines(text, folder);
  return format == "cppcheck" ? ReadCppcheck(text, folder) : ReadCheckstyle(text, folder);
}

}  // namespace tally
