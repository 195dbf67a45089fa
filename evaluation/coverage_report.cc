#include "evaluation/coverage_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "evaluation/xml_coverage.h"

namespace tally {
namespace {

constexpr std::string_view kSolution = "/box/solution/";

struct Line {
  bool executed = false;
  std::vector<bool> taken;  // branches
};
using Lines = std::map<std::uint32_t, Line>;

// A line is there once for each function that it is in (templates), and in each object file.
void AddLine(const nlohmann::json& json, Lines* lines) {
  Line& line = (*lines)[json.at("line_number").get<std::uint32_t>()];
  if (json.at("count").get<double>() > 0) line.executed = true;
  std::size_t i = 0;
  for (const nlohmann::json& branch : json.at("branches")) {
    if (branch.at("throw").get<bool>()) continue;  // that any call may throw is no branch of the source
    if (i == line.taken.size()) line.taken.push_back(false);
    if (branch.at("count").get<double>() > 0) line.taken[i] = true;
    ++i;
  }
}

FileCoverage Summary(const std::string& path, const Lines& lines) {
  FileCoverage file;
  file.path = path;
  file.branches.emplace();
  for (const auto& [number, line] : lines) {
    ++file.lines.total;
    if (line.executed) {
      ++file.lines.covered;
    } else {
      file.missed_lines.push_back(number);
    }
    file.branches->total += line.taken.size();
    file.branches->covered += static_cast<std::uint64_t>(std::count(line.taken.begin(), line.taken.end(), true));
  }
  return file;
}

std::vector<FileCoverage> ReadGcov(std::string_view text) {
  std::map<std::string, Lines> files;
  try {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view object = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (object.empty()) continue;
      const nlohmann::json json = nlohmann::json::parse(object);
      for (const nlohmann::json& file : json.at("files")) {
        Lines& lines = files[file.at("file").get<std::string>()];
        for (const nlohmann::json& line : file.at("lines")) AddLine(line, &lines);
      }
    }
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("gcov's report cannot be read: {}", error.what()));
  }
  std::vector<FileCoverage> coverage;
  for (const auto& [path, lines] : files) coverage.push_back(Summary(path, lines));
  return coverage;
}

}  // namespace

bool IsCoverageFormat(std::string_view format) { return format == "gcov" || format == "cobertura" || format == "jacoco"; }

std::vector<FileCoverage> ReadCoverageReport(std::string_view format, std::string_view text, const std::vector<std::string>& solution) {
  std::vector<FileCoverage> files = format == "gcov" ? ReadGcov(text) : format == "cobertura" ? ReadCobertura(text) : ReadJacoco(text);
  for (FileCoverage& file : files) {
    if (std::string_view(file.path).substr(0, kSolution.size()) == kSolution) file.path.erase(0, kSolution.size());
  }
  const auto elsewhere = [&](const FileCoverage& file) { return std::find(solution.begin(), solution.end(), file.path) == solution.end(); };
  files.erase(std::remove_if(files.begin(), files.end(), elsewhere), files.end());
  return files;
}

}  // namespace tally
