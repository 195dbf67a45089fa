// sinol's package: limits of config.yml, and the checker among the programs (prog/IDchk.cpp, where ID begins the tests' names).
// Source: sinol-make's documentation of packages.
//
// Limits of single groups and languages are known and not applied, which is told. Interactive problems are refused.
#include <fmt/format.h>

#include <system_error>

#include "base/error.h"
#include "packages/formats.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "config.yml";

// "abc" of in/abc1a.in.
std::string TaskOf(const fs::path& directory) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory / "in", ignored)) {
    if (entry.path().extension() != ".in") continue;
    const std::string stem = entry.path().stem();
    return stem.substr(0, stem.find_first_of("0123456789"));
  }
  return "";
}

// prog/NAME.*; of several the first by name.
std::optional<std::string> ProgramNamed(const fs::path& directory, const std::string& name) {
  for (const fs::path& source : SourcesIn(directory / "prog")) {
    if (source.stem() == name) return source;
  }
  return std::nullopt;
}

void ReadPrograms(Package* package) {
  const fs::path directory = package->directory;
  const std::string task = TaskOf(directory);
  if (task.empty()) return;
  if (const auto interactor = ProgramNamed(directory, task + "soc")) {
    throw UserError(fmt::format("{}: interactive problems are not judged here yet", *interactor));
  }
  package->checker = ProgramNamed(directory, task + "chk");
}

}  // namespace

bool ReadSinolConfig(Package* package) {
  const std::string path = package->directory + "/" + kName;
  if (!fs::exists(path)) return false;
  YamlMap yaml = YamlMap::FromFile(path);
  package->title = yaml.TextOrEmpty("title");
  if (const auto ms = yaml.OptionalCount("time_limit", 1, 1'000'000'000)) package->time = Milliseconds(*ms);
  if (const auto kib = yaml.OptionalCount("memory_limit", 1, 1ULL << 40)) package->memory = Bytes::KiB(*kib);
  if (package->time || package->memory) package->limits_from = kName;
  for (const char* key : {"time_limits", "memory_limits", "override_limits"}) {
    if (yaml.Has(key)) package->warnings.push_back(fmt::format("{}: {}: limits of groups, tests and languages are not applied; all have the same", yaml.Place(key), key));
  }
  ReadPrograms(package);
  package->settings.push_back(kName);
  return true;
}

}  // namespace tally
