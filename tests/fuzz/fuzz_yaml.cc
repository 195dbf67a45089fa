// The strict reader itself: any text, any getter on any of its keys. A value or a mistake told in one line, never
// anything else.
#include "base/yaml_fields.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tally;

template <typename Get>
void Try(YamlMap yaml, Get get) {
  fuzz::MayRefuse([&] {
    get(yaml);
    yaml.Finish();
  });
}

void TryAll(const YamlMap& whole, const char* key) {
  Try(whole, [&](YamlMap& yaml) { yaml.Text(key); });
  Try(whole, [&](YamlMap& yaml) { yaml.Bool(key, true); });
  Try(whole, [&](YamlMap& yaml) { yaml.OptionalWord(key, {"one", "two"}); });
  Try(whole, [&](YamlMap& yaml) { yaml.OptionalDuration(key); });
  Try(whole, [&](YamlMap& yaml) { yaml.OptionalSize(key); });
  Try(whole, [&](YamlMap& yaml) {
    const auto count = yaml.OptionalCount(key, 1, 64);
    fuzz::Require(!count || (*count >= 1 && *count <= 64));
  });
  Try(whole, [&](YamlMap& yaml) { yaml.TextList(key); });
  Try(whole, [&](YamlMap& yaml) { yaml.Commands(key); });
  Try(whole, [&](YamlMap& yaml) { yaml.TextMap(key); });
  Try(whole, [&](YamlMap& yaml) { yaml.Environment(key); });
  Try(whole, [&](YamlMap& yaml) {
    if (auto map = yaml.OptionalMap(key)) map->Finish();
  });
  Try(whole, [&](YamlMap& yaml) {
    for (YamlMap& map : yaml.MapList(key)) map.OptionalText("a");
  });
}

}  // namespace

TALLY_FUZZ_TARGET(yaml) {
  fuzz::MayRefuse([&] {
    const YamlMap whole = YamlMap::FromText(input, "fuzz.yaml");
    TryAll(whole, "a");
    TryAll(whole, "key");
  });
}
