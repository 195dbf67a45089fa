#include "verify/package_files.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "base/mapping.h"
#include "base/sys.h"
#include "base/units.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

bool IsBlank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// The file of each text that was there before. Sizes first: most differ by them.
std::vector<std::string> Duplicates(const Package& package) {
  std::multimap<std::uintmax_t, std::size_t> by_size;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < package.tests.size(); ++i) {
    const std::uintmax_t size = fs::file_size(package.tests[i].input);
    const auto [begin, end] = by_size.equal_range(size);
    const Fd file = sys::Open(package.tests[i].input, O_RDONLY);
    const Mapping text = sys::MapFile(file.get(), package.tests[i].input);
    const auto same = std::find_if(begin, end, [&](const auto& entry) {
      const Fd other = sys::Open(package.tests[entry.second].input, O_RDONLY);
      return sys::MapFile(other.get(), package.tests[entry.second].input).text() == text.text();
    });
    if (same != end) out.push_back(fmt::format("{}: the same input as {}", NameIn(package, package.tests[i].input), NameIn(package, package.tests[same->second].input)));
    else by_size.emplace(size, i);
  }
  return out;
}

void LookAtAnswers(const Package& package, Section* section) {
  std::size_t blank = 0;
  std::string first;
  for (const PackageTest& test : package.tests) {
    if (test.answer == kNoAnswer) return;
    const Fd file = sys::Open(test.answer, O_RDONLY);
    if (!IsBlank(sys::MapFile(file.get(), test.answer).text())) continue;
    if (++blank == 1) first = NameIn(package, test.answer);
  }
  // Where a checker needs none all are empty.
  if (blank == 0 || blank == package.tests.size()) return;
  section->problems.push_back(fmt::format("{}: the answer is empty{}", first, blank > 1 ? fmt::format(", and {} others", blank - 1) : ""));
}

void LookAtGroups(const Package& package, Section* section) {
  if (package.groups.empty()) return;
  std::set<std::size_t> in_groups;
  double points = 0;
  for (const TestGroup& group : package.groups) {
    in_groups.insert(group.tests.begin(), group.tests.end());
    points += group.points;
    if (group.tests.empty()) section->problems.push_back(fmt::format("{}: group {} has no tests", package.limits_from, group.name));
  }
  for (std::size_t i = 0; i < package.tests.size(); ++i) {
    if (!in_groups.contains(i)) section->problems.push_back(fmt::format("{}: it is in no group and earns nothing", NameIn(package, package.tests[i].input)));
  }
  if (points != 100) section->advice.push_back(fmt::format("the groups are worth {} together", CountOfPoints(points)));
}

}  // namespace

Section VerifyFiles(const Package& package) {
  Section section{.name = "files"};
  section.problems = Duplicates(package);
  LookAtAnswers(package, &section);
  LookAtGroups(package, &section);
  for (const std::string& file : package.not_read) section.problems.push_back(file + ": it looks like a test or settings, and nothing reads it");
  for (const std::string& warning : package.warnings) section.advice.push_back(warning);
  section.summary = CountOf(package.tests.size(), "test") + (package.groups.empty() ? "" : " in " + CountOf(package.groups.size(), "group"));
  return section;
}

}  // namespace tally
