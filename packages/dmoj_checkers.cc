#include "packages/dmoj_checkers.h"

#include <fmt/format.h>

#include <cmath>


namespace tally {
namespace {

CompareRules Floats(YamlMap* arguments) {
  CompareRules rules{CompareRules::Kind::kTolerant, {.case_sensitive = true}};
  constexpr std::uint64_t kDigits = 6;
  const std::uint64_t digits = arguments != nullptr ? arguments->OptionalCount("precision", 0, 18).value_or(kDigits) : kDigits;
  const auto mode = arguments != nullptr ? arguments->OptionalWord("error_mode", {"default", "absolute", "relative"}) : std::nullopt;
  const double tolerance = std::pow(10.0, -static_cast<double>(digits));
  if (mode != "relative") rules.tolerant.absolute_tolerance = tolerance;
  if (mode != "absolute") rules.tolerant.relative_tolerance = tolerance;
  return rules;
}

}  // namespace

std::optional<CompareRules> DmojChecker(YamlMap* yaml) {
  if (!yaml->Has("checker")) return std::nullopt;
  std::optional<YamlMap> map;
  if (yaml->IsMap("checker")) map = yaml->OptionalMap("checker");
  const std::string name = map ? map->Text("name") : yaml->Text("checker");
  std::optional<YamlMap> arguments = map ? map->OptionalMap("args") : std::nullopt;
  if (name == "standard") return kSameWords;
  if (name == "easy") return CompareRules{CompareRules::Kind::kTolerant, {}};
  if (name == "identical") return CompareRules{CompareRules::Kind::kBytes};
  if (name == "rstripped") return CompareRules{CompareRules::Kind::kLines};
  if (name == "sorted" || name == "unordered") {
    const auto by = arguments ? arguments->OptionalWord("split_on", {"lines", "whitespace"}) : std::nullopt;
    const bool by_words = by ? *by == "whitespace" : name == "unordered";
    return CompareRules{by_words ? CompareRules::Kind::kUnorderedWords : CompareRules::Kind::kUnorderedLines};
  }
  if (name == "floats") return Floats(arguments ? &*arguments : nullptr);
  yaml->Fail("checker", fmt::format("found {}; expected standard, easy, identical, rstripped, sorted, unordered or floats", name));
}

}  // namespace tally
