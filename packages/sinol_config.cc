// sinol's config.yml, for its limits only; what else it says is sinol's.
#include "packages/formats.h"

namespace tally {

bool ReadSinolConfig(Package* package) {
  constexpr const char* kName = "config.yml";
  const std::string path = package->directory + "/" + kName;
  if (!std::filesystem::exists(path)) return false;
  YamlMap yaml = YamlMap::FromFile(path);
  package->title = yaml.TextOrEmpty("title");
  if (const auto ms = yaml.OptionalCount("time_limit", 1, 1'000'000'000)) package->time = Milliseconds(*ms);
  if (const auto kib = yaml.OptionalCount("memory_limit", 1, 1ULL << 40)) package->memory = Bytes::KiB(*kib);
  if (package->time || package->memory) package->limits_from = kName;
  return true;
}

}  // namespace tally
