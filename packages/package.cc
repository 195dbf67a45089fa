#include "packages/package.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/error.h"
#include "packages/formats.h"
#include "packages/natural_order.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr TestFolders kLayouts[] = {{"in", "out", ".out", "", false},
                                    {"data/sample", "data/sample", ".ans", "sample/", true},
                                    {"data/secret", "data/secret", ".ans", "secret/", true},
                                    {"tests", "tests", ".out", "", false},
                                    {"tests", "tests", ".ans", "", false},
                                    {".", ".", ".out", "", false},
                                    {".", ".", ".ans", "", false}};

void ReadTests(Package* package) {
  std::map<std::string, PackageTest> by_name;
  for (const TestFolders& layout : kLayouts) {
    for (PackageTest& test : TestsIn(package->directory, layout)) by_name.emplace(test.name, std::move(test));
  }
  for (auto& [name, test] : by_name) package->tests.push_back(std::move(test));
  if (package->tests.empty()) {
    throw UserError(fmt::format("{}: no tests found; expected in/NAME.in with out/NAME.out, or NAME.in with NAME.out", package->directory));
  }
  std::sort(package->tests.begin(), package->tests.end(),
            [](const PackageTest& a, const PackageTest& b) { return NaturallyBefore(a.name, b.name); });
}

}  // namespace

Package ReadPackage(const std::string& directory, PackageFrom from) {
  Package package;
  package.directory = directory;
  package.from = from;
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    throw UserError(fmt::format("{}: {}", directory, error ? error.message() : "not a directory of tests"));
  }
  // The first that is there says how the package is to be judged; our own file says so over others.
  const bool has_settings = ReadTallyFile(&package) || ReadSinolConfig(&package);
  if (has_settings || !ReadPolygonPackage(&package)) {
    ReadTests(&package);
    if (!has_settings) ReadKattisPackage(&package);
  }
  package.not_read = NotRead(package);
  return package;
}

}  // namespace tally
