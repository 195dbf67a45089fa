#include "evaluation/xml_coverage.h"

#include <fmt/format.h>

#include <cstdio>
#include <pugixml.hpp>

#include "base/error.h"

namespace tally {
namespace {

pugi::xml_document Parsed(std::string_view xml, const char* root) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) throw UserError(fmt::format("the coverage report is no XML: {}", result.description()));
  if (!document.child(root)) throw UserError(fmt::format("the coverage report has no <{}>", root));
  return document;
}

FileCoverage Empty(std::string path) {
  FileCoverage file;
  file.path = std::move(path);
  file.branches = Ratio();
  return file;
}

void AddLine(FileCoverage* file, std::uint32_t number, bool covered) {
  ++file->lines.total;
  if (covered) {
    ++file->lines.covered;
  } else {
    file->missed_lines.push_back(number);
  }
}

// "50% (1/2)"
Ratio Conditions(const char* text) {
  unsigned percent = 0, covered = 0, total = 0;
  if (std::sscanf(text, "%u%% (%u/%u)", &percent, &covered, &total) != 3) return {};
  return {covered, total};
}

FileCoverage CoberturaFile(const pugi::xml_node& node) {
  FileCoverage file = Empty(node.attribute("filename").as_string());
  for (const pugi::xml_node& line : node.child("lines").children("line")) {
    AddLine(&file, line.attribute("number").as_uint(), line.attribute("hits").as_uint() > 0);
    const Ratio conditions = Conditions(line.attribute("condition-coverage").as_string());
    file.branches->covered += conditions.covered;
    file.branches->total += conditions.total;
  }
  return file;
}

FileCoverage JacocoFile(const std::string& package, const pugi::xml_node& node) {
  FileCoverage file = Empty((package.empty() ? "" : package + "/") + node.attribute("name").as_string());
  for (const pugi::xml_node& line : node.children("line")) {
    AddLine(&file, line.attribute("nr").as_uint(), line.attribute("ci").as_uint() > 0);
    file.branches->covered += line.attribute("cb").as_uint();
    file.branches->total += line.attribute("cb").as_uint() + line.attribute("mb").as_uint();
  }
  return file;
}

// Packages may lie in groups.
void AddJacocoPackages(const pugi::xml_node& node, std::vector<FileCoverage>* files) {
  for (const pugi::xml_node& group : node.children("group")) AddJacocoPackages(group, files);
  for (const pugi::xml_node& package : node.children("package")) {
    for (const pugi::xml_node& file : package.children("sourcefile")) {
      files->push_back(JacocoFile(package.attribute("name").as_string(), file));
    }
  }
}

}  // namespace

std::vector<FileCoverage> ReadCobertura(std::string_view xml) {
  const pugi::xml_document document = Parsed(xml, "coverage");
  std::vector<FileCoverage> files;
  for (const pugi::xml_node& package : document.child("coverage").child("packages").children("package")) {
    for (const pugi::xml_node& file : package.child("classes").children("class")) files.push_back(CoberturaFile(file));
  }
  return files;
}

std::vector<FileCoverage> ReadJacoco(std::string_view xml) {
  const pugi::xml_document document = Parsed(xml, "report");
  std::vector<FileCoverage> files;
  AddJacocoPackages(document.child("report"), &files);
  return files;
}

}  // namespace tally
