// tally.yml, our own.
#include <fmt/format.h>

#include "base/error.h"
#include "packages/formats.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

CheckerProtocol ReadProtocol(YamlMap* yaml) {
  const auto word = yaml->OptionalWord("checker_protocol", {"sio", "testlib", "kattis"});
  if (word == "testlib") return CheckerProtocol::kTestlib;
  return word == "kattis" ? CheckerProtocol::kKattis : CheckerProtocol::kSio;
}

void ReadChecker(YamlMap* yaml, Package* package) {
  package->checker = yaml->OptionalText("checker");
  package->protocol = ReadProtocol(yaml);
  yaml->Finish();
  if (!package->checker) return;
  const fs::path checker = fs::path(package->directory) / *package->checker;
  if (package->from == PackageFrom::kStranger && !IsBelow(checker, package->directory)) {
    yaml->Fail("checker", fmt::format("found {}; expected a file of the package", *package->checker));
  }
  if (!fs::exists(checker)) yaml->Fail("checker", fmt::format("{} does not exist", checker.string()));
  package->checker = fs::absolute(checker);
}

}  // namespace

bool IsBelow(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !relative.empty() && *relative.begin() != ".." && relative != ".";
}

bool ReadTallyFile(Package* package) {
  constexpr const char* kName = "tally.yml";
  const std::string path = package->directory + "/" + kName;
  if (!fs::exists(path)) return false;
  YamlMap yaml = YamlMap::FromFile(path);
  package->title = yaml.OptionalText("title").value_or("");
  package->time = yaml.OptionalDuration("time_limit");
  package->memory = yaml.OptionalSize("memory_limit");
  package->output = yaml.OptionalSize("output_limit");
  package->processes = static_cast<std::uint32_t>(yaml.OptionalCount("processes", 1, 100'000).value_or(1));
  package->virtual_time = yaml.Bool("virtual_time", false);
  ReadChecker(&yaml, package);
  if (package->time && package->time->count() <= 0) yaml.Fail("time_limit", "found 0; expected a duration, like 1s");
  if (package->memory && package->memory->count == 0) yaml.Fail("memory_limit", "found 0; expected a size, like 256M");
  if (package->time || package->memory || package->output || package->processes != 1) package->limits_from = kName;
  package->settings.push_back(kName);
  return true;
}

}  // namespace tally
