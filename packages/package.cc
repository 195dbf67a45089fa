#include "packages/package.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
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

struct Format {
  const char* file;
  void (*read)(Package* package);
  bool reads_tests;
};
// The first whose file is there says how the package is to be judged; our own file says so over others.
constexpr Format kFormats[] = {{"tally.yml", ReadTallyFile, false},
                               {"config.yml", ReadSinolPackage, true},
                               {"problem.xml", ReadPolygonPackage, true},
                               {"task.yaml", ReadCmsPackage, true},
                               {"init.yml", ReadDmojPackage, true}};

}  // namespace

void ReadTestFolders(Package* package, Answers answers) {
  std::map<std::string, PackageTest> by_name;
  for (const TestFolders& layout : kLayouts) {
    for (PackageTest& test : TestsIn(package->directory, layout, answers)) by_name.emplace(test.name, std::move(test));
  }
  for (auto& [name, test] : by_name) package->tests.push_back(std::move(test));
  if (package->tests.empty()) {
    throw UserError(fmt::format("{}: no tests found; expected in/NAME.in with out/NAME.out, or NAME.in with NAME.out", package->directory));
  }
  std::sort(package->tests.begin(), package->tests.end(),
            [](const PackageTest& a, const PackageTest& b) { return NaturallyBefore(a.name, b.name); });
}

void FinishReading(const YamlMap& yaml, Package* package) {
  if (!package->reading.lenient) return yaml.Finish();
  for (const std::string& unknown : yaml.UnknownKeys()) package->warnings.push_back(unknown);
}

namespace {

// Who needs another needs those before it, too: in a circle nobody would earn anything.
void RefuseCircles(const Package& package) {
  enum class Seen : std::uint8_t { kNot, kNow, kDone };
  std::vector<Seen> seen(package.groups.size(), Seen::kNot);
  const std::function<void(std::size_t)> visit = [&](std::size_t group) {
    if (seen[group] == Seen::kDone) return;
    if (seen[group] == Seen::kNow) throw UserError(fmt::format("{}: group {} needs itself, by way of what it needs", package.directory, package.groups[group].name));
    seen[group] = Seen::kNow;
    for (const std::size_t need : package.groups[group].needs) visit(need);
    seen[group] = Seen::kDone;
  };
  for (std::size_t group = 0; group < package.groups.size(); ++group) visit(group);
}

void Read(const std::string& directory, Package* to) {
  Package& package = *to;
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    throw UserError(fmt::format("{}: {}", directory, error ? error.message() : "not a directory of tests"));
  }
  const auto is_there = [&](const Format& format) { return fs::exists(fs::path(directory) / format.file); };
  const auto format = std::find_if(std::begin(kFormats), std::end(kFormats), is_there);
  if (format == std::end(kFormats)) {
    ReadTestFolders(&package);
    ReadKattisPackage(&package);
  } else {
    if (!format->reads_tests) ReadTestFolders(&package);
    format->read(&package);
    package.settings.emplace_back(format->file);
  }
  RefuseCircles(package);
  package.not_read = NotRead(package);
}

}  // namespace

void FailReading(const std::string& path, const std::error_code& error) {
  for (const int packages : {ELOOP, ENAMETOOLONG, EACCES, EPERM, ENOENT, ENOTDIR}) {
    if (error.value() == packages) throw UserError(fmt::format("{}: {}", path.substr(0, 300), error.message()));
  }
  throw SystemError("read " + path, error.value());
}

Package ReadPackage(const std::string& directory, const PackageReading& reading) {
  Package package;
  package.directory = directory;
  package.reading = reading;
  try {
    Read(directory, &package);
  } catch (const fs::filesystem_error& error) {
    FailReading(error.path1(), error.code());
  }
  return package;
}

std::string NameIn(const Package& package, const std::string& path) {
  const fs::path relative = fs::absolute(path).lexically_normal().lexically_relative(fs::absolute(package.directory).lexically_normal());
  return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

}  // namespace tally
