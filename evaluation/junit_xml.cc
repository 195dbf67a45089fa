#include "evaluation/junit_xml.h"

#include <fmt/format.h>

#include <cstdlib>
#include <pugixml.hpp>

namespace tally {
namespace {

// A failure's own sentence, in one line.
std::string MessageOf(const pugi::xml_node& node) {
  std::string text = node.attribute("message").as_string();
  if (text.empty()) text = node.text().as_string();
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return node.attribute("type").as_string();
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::optional<std::string> TextOf(const pugi::xml_node& test, const char* name) {
  const pugi::xml_node node = test.child(name);
  if (!node) return std::nullopt;
  return node.text().as_string();
}

TestCase ReadCase(const pugi::xml_node& node) {
  TestCase test;
  test.name = node.attribute("name").as_string();
  test.class_name = node.attribute("classname").as_string();
  if (const pugi::xml_attribute time = node.attribute("time")) test.seconds = time.as_double();
  test.out = TextOf(node, "system-out");
  test.err = TextOf(node, "system-err");
  const auto ended = [&test](const pugi::xml_node& how, CaseStatus status) {
    test.status = status;
    test.message = MessageOf(how);
    test.details = how.text().as_string();
  };
  if (const pugi::xml_node error = node.child("error")) {
    ended(error, std::string_view(error.attribute("type").as_string()) == "timeout" ? CaseStatus::kTimeout : CaseStatus::kError);
  } else if (const pugi::xml_node failure = node.child("failure")) {
    ended(failure, CaseStatus::kFailure);
  } else if (const pugi::xml_node skipped = node.child("skipped")) {
    ended(skipped, CaseStatus::kPending);
  } else if (std::string_view(node.attribute("status").as_string()) == "notrun") {  // GoogleTest's DISABLED_
    test.status = CaseStatus::kPending;
  } else {
    test.status = CaseStatus::kPassed;
  }
  return test;
}

// Suites may lie in suites; a case belongs to the innermost.
void ReadSuite(const pugi::xml_node& node, std::vector<TestSuite>* suites) {
  TestSuite suite;
  suite.name = node.attribute("name").as_string();
  for (const pugi::xml_node& child : node.children()) {
    const std::string_view name = child.name();
    if (name == "testcase") suite.cases.push_back(ReadCase(child));
    if (name == "testsuite" || name == "testsuites") ReadSuite(child, suites);
  }
  if (!suite.cases.empty()) suites->push_back(std::move(suite));
}

}  // namespace

JUnitReport ReadJUnit(std::string_view xml) {
  JUnitReport report;
  pugi::xml_document document;
  // A fragment is as good: a runner sends one <testcase> at a time.
  const pugi::xml_parse_result result =
      document.load_buffer(xml.data(), xml.size(), pugi::parse_default | pugi::parse_fragment, pugi::encoding_utf8);
  if (!result) {
    report.fault = fmt::format("the report is no JUnit XML: {}", result.description());
    return report;
  }
  ReadSuite(document, &report.suites);
  return report;
}

}  // namespace tally
