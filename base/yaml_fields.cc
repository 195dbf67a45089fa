#include "base/yaml_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/yaml_tree.h"

namespace tally {

YamlMap YamlMap::FromFile(const std::string& path, std::span<const ParsedYaml> parsed) { return OfFile(ReadYaml(path, parsed)); }

YamlMap YamlMap::FromText(std::string_view text, const std::string& name) {
  return OfFile(ParseYaml(text, name));
}

YamlMap YamlMap::OfFile(YamlFile&& file) {
  auto shared = std::make_shared<const YamlFile>(std::move(file));
  const YamlNode* root = &shared->root;
  return {std::move(shared), root, ""};
}

YamlMap::YamlMap(std::shared_ptr<const YamlFile> file, const YamlNode* node, std::string prefix)
    : file_(std::move(file)), node_(node), prefix_(std::move(prefix)) {}

const std::string& YamlMap::file() const { return file_->name; }

void YamlMap::FailAt(const YamlNode& node, std::string_view key, const std::string& message) const {
  std::string path = prefix_ + std::string(key);
  if (key.empty() && !path.empty()) path.pop_back();  // the map itself: "mounts", not "mounts."
  FailAtPlace(file_->name, node.line, node.column, path.empty() ? message : path + ": " + message);
}

const YamlNode* YamlMap::Find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  for (std::size_t i = 0; i < node_->items.size(); i += 2) {
    if (node_->items[i].text == key) return &node_->items[i + 1];
  }
  return nullptr;
}

const YamlNode& YamlMap::Require(std::string_view key, std::string_view expected) {
  const YamlNode* value = Find(key);
  if (value == nullptr) FailAt(*node_, key, fmt::format("missing; expected {}", expected));
  return *value;
}

const std::string& YamlMap::TextOf(const YamlNode& node, std::string_view key,
                                   std::string_view expected) const {
  if (node.kind != YamlKind::kText) {
    FailAt(node, key, fmt::format("found {}; expected {}", Describe(node), expected));
  }
  return node.text;
}

bool YamlMap::Has(std::string_view key) { return Find(key) != nullptr; }

std::string YamlMap::Text(std::string_view key) {
  const std::string& text = TextOf(Require(key, "text"), key, "text");
  if (text.empty()) Fail(key, "found \"\"; expected text");
  return text;
}

std::optional<std::string> YamlMap::OptionalText(std::string_view key) {
  if (Find(key) == nullptr) return std::nullopt;
  return Text(key);
}

std::string YamlMap::TextOrEmpty(std::string_view key) {
  const YamlNode* value = Find(key);
  return value == nullptr || value->kind == YamlKind::kEmpty ? "" : TextOf(*value, key, "text");
}

std::optional<std::string> YamlMap::OptionalWord(std::string_view key,
                                                 const std::vector<std::string>& words) {
  const YamlNode* value = Find(key);
  if (value == nullptr) return std::nullopt;
  const std::string expected = "one of: " + JoinWords(words);
  const std::string& text = TextOf(*value, key, expected);
  if (std::find(words.begin(), words.end(), text) == words.end()) {
    FailAt(*value, key,
           fmt::format("found {}{}; expected {}", Describe(*value), DidYouMean(text, words), expected));
  }
  return text;
}

bool YamlMap::Bool(std::string_view key, bool fallback) {
  const YamlNode* value = Find(key);
  if (value == nullptr) return fallback;
  const std::string& text = TextOf(*value, key, "yes or no");
  if (text == "yes" || text == "true" || text == "on") return true;
  if (text == "no" || text == "false" || text == "off") return false;
  FailAt(*value, key, fmt::format("found {}; expected yes or no", Describe(*value)));
}

std::optional<Nanoseconds> YamlMap::OptionalDuration(std::string_view key) {
  const YamlNode* value = Find(key);
  if (value == nullptr) return std::nullopt;
  const std::string& text = TextOf(*value, key, "a duration, like 1.5s");
  try {
    return ParseDuration(text);
  } catch (const UserError& mistake) {
    FailAt(*value, key, mistake.what());
  }
}

std::optional<Bytes> YamlMap::OptionalSize(std::string_view key) {
  const YamlNode* value = Find(key);
  if (value == nullptr) return std::nullopt;
  const std::string& text = TextOf(*value, key, "a size, like 64M");
  try {
    return ParseBytes(text);
  } catch (const UserError& mistake) {
    FailAt(*value, key, mistake.what());
  }
}

void YamlMap::ReadDuration(std::string_view key, Nanoseconds least, Nanoseconds most, Nanoseconds* out) {
  const std::optional<Nanoseconds> found = OptionalDuration(key);
  if (found && (*found < least || *found > most)) {
    Fail(key, fmt::format("found {}; expected {} to {}", FormatDuration(*found), FormatDuration(least), FormatDuration(most)));
  }
  *out = found.value_or(*out);
}

void YamlMap::ReadSize(std::string_view key, Bytes least, Bytes most, Bytes* out) {
  const std::optional<Bytes> found = OptionalSize(key);
  if (found && (*found < least || *found > most)) {
    Fail(key, fmt::format("found {}; expected {} to {}", FormatBytes(*found), FormatBytes(least), FormatBytes(most)));
  }
  *out = found.value_or(*out);
}

std::optional<std::uint64_t> YamlMap::OptionalCount(std::string_view key, std::uint64_t smallest,
                                                    std::uint64_t largest) {
  const YamlNode* value = Find(key);
  if (value == nullptr) return std::nullopt;
  const std::string expected = fmt::format("a whole number from {} to {}", smallest, largest);
  const std::string& text = TextOf(*value, key, expected);
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < smallest || number > largest) {
    FailAt(*value, key, fmt::format("found {}; expected {}", Describe(*value), expected));
  }
  return number;
}

std::vector<std::string> YamlMap::TextsOf(const YamlNode& list, std::string_view key) const {
  std::vector<std::string> out;
  for (const YamlNode& item : list.items) out.push_back(TextOf(item, key, "text in this list"));
  return out;
}

std::optional<double> YamlMap::OptionalNumber(std::string_view key, double smallest, double largest) {
  const YamlNode* value = Find(key);
  if (value == nullptr) return std::nullopt;
  const std::string expected = fmt::format("a number from {:g} to {:g}", smallest, largest);
  const std::string& text = TextOf(*value, key, expected);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  // Written this way round, NaN is refused.
  const bool is_within = parsed.ec == std::errc() && parsed.ptr == end && number >= smallest && number <= largest;
  if (!is_within) FailAt(*value, key, fmt::format("found {}; expected {}", Describe(*value), expected));
  return number;
}

std::vector<std::string> YamlMap::TextList(std::string_view key) {
  const YamlNode* value = Find(key);
  if (value == nullptr) return {};
  if (value->kind != YamlKind::kList) {
    FailAt(*value, key, fmt::format("found {}; expected a list, like [a, b]", Describe(*value)));
  }
  return TextsOf(*value, key);
}

std::vector<std::vector<std::string>> YamlMap::Commands(std::string_view key) {
  const YamlNode* value = Find(key);
  if (value == nullptr) return {};
  constexpr std::string_view kExpected = "a command as a list, like [program, argument]";
  if (value->kind != YamlKind::kList || value->items.empty()) {
    const std::string found = value->kind == YamlKind::kList ? "an empty list" : Describe(*value);
    FailAt(*value, key, fmt::format("found {}; expected {}", found, kExpected));
  }
  if (value->items.front().kind != YamlKind::kList) return {TextsOf(*value, key)};
  std::vector<std::vector<std::string>> out;
  for (const YamlNode& item : value->items) {
    if (item.kind != YamlKind::kList || item.items.empty()) {
      FailAt(item, key, fmt::format("found {}; expected {}", Describe(item), kExpected));
    }
    out.push_back(TextsOf(item, key));
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> YamlMap::TextMap(std::string_view key) {
  const YamlNode* value = Find(key);
  if (value == nullptr) return {};
  if (value->kind != YamlKind::kMap) {
    FailAt(*value, key, fmt::format("found {}; expected keys with values", Describe(*value)));
  }
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t i = 0; i < value->items.size(); i += 2) {
    const std::string& name = value->items[i].text;
    out.emplace_back(name,
                     TextOf(value->items[i + 1], fmt::format("{}.{}", key, name), "text (\"\" for none)"));
  }
  return out;
}

std::vector<std::string> YamlMap::Environment(std::string_view key) {
  std::vector<std::string> out;
  for (const auto& [name, value] : TextMap(key)) {
    if (name.empty() || name.find('=') != std::string::npos) {
      Fail(key, fmt::format("found the name \"{}\"; expected a variable's name without =", Shorten(name)));
    }
    out.push_back(fmt::format("{}={}", name, value));
  }
  return out;
}

std::optional<YamlMap> YamlMap::OptionalMap(std::string_view key) {
  const YamlNode* value = Find(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind != YamlKind::kMap) {
    FailAt(*value, key, fmt::format("found {}; expected keys with values", Describe(*value)));
  }
  return YamlMap(file_, value, fmt::format("{}{}.", prefix_, key));
}

std::vector<YamlMap> YamlMap::MapList(std::string_view key) {
  const YamlNode* value = Find(key);
  if (value == nullptr) return {};
  if (value->kind != YamlKind::kList) {
    FailAt(*value, key,
           fmt::format("found {}; expected a list of entries, each after a dash", Describe(*value)));
  }
  std::vector<YamlMap> out;
  for (const YamlNode& item : value->items) {
    if (item.kind != YamlKind::kMap) {
      FailAt(item, key, fmt::format("found {}; expected keys with values after the dash", Describe(item)));
    }
    out.push_back(YamlMap(file_, &item, fmt::format("{}{}.", prefix_, key)));
  }
  return out;
}

std::vector<std::pair<std::string, YamlMap>> YamlMap::Maps(std::string_view key) {
  const YamlNode* value = key.empty() ? node_ : Find(key);
  if (value == nullptr) return {};
  if (value->kind != YamlKind::kMap) FailAt(*value, key, fmt::format("found {}; expected keys with values", Describe(*value)));
  std::vector<std::pair<std::string, YamlMap>> out;
  for (std::size_t i = 0; i < value->items.size(); i += 2) {
    const std::string& name = value->items[i].text;
    const YamlNode& item = value->items[i + 1];
    const std::string path = key.empty() ? name : fmt::format("{}.{}", key, name);
    if (item.kind != YamlKind::kMap) FailAt(item, path, fmt::format("found {}; expected keys with values", Describe(item)));
    if (key.empty()) known_.push_back(name);
    out.emplace_back(name, YamlMap(file_, &item, fmt::format("{}{}.", prefix_, path)));
  }
  return out;
}

bool YamlMap::IsMap(std::string_view key) {
  const YamlNode* value = Find(key);
  return value != nullptr && value->kind == YamlKind::kMap;
}

bool YamlMap::IsList(std::string_view key) {
  const YamlNode* value = Find(key);
  return value != nullptr && value->kind == YamlKind::kList;
}

void YamlMap::AlsoKnows(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  }
}

std::string YamlMap::Unknown(const YamlNode& key) const {
  return fmt::format("{}{}: unknown key{}; expected one of: {}", prefix_, Shorten(key.text), DidYouMean(key.text, known_), JoinWords(known_));
}

std::vector<std::string> YamlMap::UnknownKeys() const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < node_->items.size(); i += 2) {
    const YamlNode& key = node_->items[i];
    if (std::find(known_.begin(), known_.end(), key.text) != known_.end()) continue;
    out.push_back(fmt::format("{}:{}:{}: {}", file_->name, key.line, key.column, Unknown(key)));
  }
  return out;
}

void YamlMap::Finish() const {
  const std::vector<std::string> unknown = UnknownKeys();
  if (!unknown.empty()) throw UserError(unknown.front());
}

const YamlNode& YamlMap::ValueOrSelf(std::string_view key) const {
  for (std::size_t i = 0; i < node_->items.size(); i += 2) {
    if (node_->items[i].text == key) return node_->items[i + 1];
  }
  return *node_;
}

std::string YamlMap::Place(std::string_view key) const {
  const YamlNode& node = ValueOrSelf(key);
  return fmt::format("{}:{}:{}", file_->name, node.line, node.column);
}

void YamlMap::Fail(std::string_view key, const std::string& found_and_expected,
                   std::optional<std::size_t> item) const {
  const YamlNode& value = ValueOrSelf(key);
  FailAt(item && *item < value.items.size() ? value.items[*item] : value, key, found_and_expected);
}

}  // namespace tally
