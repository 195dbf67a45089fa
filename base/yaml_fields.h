// Reading the YAML files that people write: descriptions of sandboxes and compilers, test limits.
//
// Every mistake is a UserError that says where, which key, what was found and what was expected:
//   compilers/cpp17.yaml:12:3: limits.tme: unknown key (did you mean "time"?); expected one of: time, wall
// A reader asks for the keys it knows and then calls Finish(), which rejects all others. Aliases, deep
// nesting, repeated keys and second documents are refused: such a file is a slip or an attack.
//
// A YamlMap keeps its file alive; maps taken out of it may outlive it. No yaml-cpp type appears here.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parsed_yaml.h"
#include "base/units.h"

namespace tally {

struct YamlNode;
struct YamlFile;

class YamlMap {
 public:
  // A file whose text is one of `parsed` is not parsed again.
  static YamlMap FromFile(const std::string& path, std::span<const ParsedYaml> parsed = {});
  // `name` is what messages call the text, usually a path.
  static YamlMap FromText(std::string_view text, const std::string& name);

  // The name given above.
  [[nodiscard]] const std::string& file() const;
  // "FILE:LINE:COLUMN" of the key's value: for mistakes found later, such as an archive that has changed.
  [[nodiscard]] std::string Place(std::string_view key) const;

  // Each getter marks its key as known. The plain form throws when the key is missing.
  bool Has(std::string_view key);
  std::string Text(std::string_view key);
  std::optional<std::string> OptionalText(std::string_view key);
  // "" when the key is missing or has no value: for files whose other readers are laxer.
  std::string TextOrEmpty(std::string_view key);
  // One of `words`.
  std::optional<std::string> OptionalWord(std::string_view key, const std::vector<std::string>& words);
  bool Bool(std::string_view key, bool fallback);
  std::optional<Nanoseconds> OptionalDuration(std::string_view key);  // with its unit: 1.5s
  std::optional<Bytes> OptionalSize(std::string_view key);            // with its unit: 64M
  // The same between two bounds, into `out`, which stays as it is when the key is missing.
  void ReadDuration(std::string_view key, Nanoseconds least, Nanoseconds most, Nanoseconds* out);
  void ReadSize(std::string_view key, Bytes least, Bytes most, Bytes* out);
  std::optional<std::uint64_t> OptionalCount(std::string_view key, std::uint64_t smallest,
                                             std::uint64_t largest);
  // With a fraction or without.
  std::optional<double> OptionalNumber(std::string_view key, double smallest, double largest);
  // A list of texts; empty when the key is missing.
  std::vector<std::string> TextList(std::string_view key);
  // One command (a list of texts) or several (a list of such lists); empty when the key is missing.
  std::vector<std::vector<std::string>> Commands(std::string_view key);
  // Texts under keys of the user's choice, in the order of the file; empty when the key is missing.
  std::vector<std::pair<std::string, std::string>> TextMap(std::string_view key);
  // The same as environment variables, "KEY=value".
  std::vector<std::string> Environment(std::string_view key);
  std::optional<YamlMap> OptionalMap(std::string_view key);
  // Empty when the key is missing.
  std::vector<YamlMap> MapList(std::string_view key);
  // Maps under keys of the user's choice, in the order of the file; empty when the key is missing. "": this map is one of such keys.
  std::vector<std::pair<std::string, YamlMap>> Maps(std::string_view key);
  // Where a key's value may have one form or another.
  bool IsMap(std::string_view key);
  bool IsList(std::string_view key);

  // Keys that are known and mean nothing to this reader.
  void AlsoKnows(std::initializer_list<std::string_view> keys);
  // A sentence with its place for each key that nobody asked for.
  [[nodiscard]] std::vector<std::string> UnknownKeys() const;
  // Rejects the first of them.
  void Finish() const;

  // A mistake that only the caller can see. The message points at the key's value (or, with `item`, at that
  // element of its list), and at this map when the key is missing or "".
  [[noreturn]] void Fail(std::string_view key, const std::string& found_and_expected,
                         std::optional<std::size_t> item = {}) const;

 private:
  static YamlMap OfFile(YamlFile&& file);
  YamlMap(std::shared_ptr<const YamlFile> file, const YamlNode* node, std::string prefix);
  const YamlNode* Find(std::string_view key);
  [[nodiscard]] std::string Unknown(const YamlNode& key) const;
  [[nodiscard]] const YamlNode& ValueOrSelf(std::string_view key) const;
  const YamlNode& Require(std::string_view key, std::string_view expected);
  [[noreturn]] void FailAt(const YamlNode& node, std::string_view key, const std::string& message) const;
  const std::string& TextOf(const YamlNode& node, std::string_view key, std::string_view expected) const;
  std::vector<std::string> TextsOf(const YamlNode& list, std::string_view key) const;

  std::shared_ptr<const YamlFile> file_;
  const YamlNode* node_;
  std::string prefix_;  // "limits." in front of this map's keys in messages
  std::vector<std::string> known_;
};

}  // namespace tally
