#include "packages/dmoj_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <regex>

namespace tally {

const char* const kDmojInputs = R"(^(?=.*?\.in|in).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$)";
const char* const kDmojOutputs = R"(^(?=.*?\.out|out).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$)";

namespace {

// Names and patterns are short: std::regex takes stack for each letter.
constexpr std::size_t kLongest = 300;
constexpr std::size_t kMostDigits = 18;

// A number, or a word.
struct Key {
  bool is_number = false;
  std::uint64_t number = 0;
  std::string word;
  auto operator<=>(const Key&) const = default;
};

Key KeyOf(const std::string& text) {
  const bool is_number = !text.empty() && text.size() <= kMostDigits && text.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? Key{true, std::stoull(text), ""} : Key{false, 0, text};
}

// Python's pattern as ECMAScript's, which knows no names of groups.
class Pattern {
 public:
  Pattern(const std::string& python, const PatternFailure& fail) {
    if (python.size() > kLongest) fail(fmt::format("the pattern has more than {} letters", kLongest));
    const std::string text = Translated(python, fail);
    if (case_ == 0) fail("the pattern has no group (?P<case>...)");
    try {
      regex_.assign(text, std::regex::ECMAScript | std::regex::icase);
    } catch (const std::regex_error&) {
      fail(fmt::format("found \"{}\", which is no pattern that can be read here", python));
    }
  }

  // Of a name that matches.
  [[nodiscard]] std::optional<std::pair<std::optional<std::string>, std::string>> Parts(const std::string& name) const {
    std::smatch match;
    if (name.size() > kLongest || !std::regex_search(name, match, regex_, std::regex_constants::match_continuous) || !match[case_].matched) return std::nullopt;
    std::optional<std::string> batch;
    if (batch_ != 0 && match[batch_].matched) batch = match[batch_];
    return {{batch, match[case_]}};
  }

 private:
  std::string Translated(const std::string& python, const PatternFailure& fail) {
    std::string out;
    std::size_t groups = 0;
    bool in_class = false;
    for (std::size_t i = 0; i < python.size(); ++i) {
      const char c = python[i];
      if (c == '\\' && i + 1 < python.size()) {
        out += {c, python[++i]};
        continue;
      }
      out += c;
      if (in_class || c == '[') {
        in_class = c != ']';
        continue;
      }
      if (c != '(') continue;
      if (python.compare(i + 1, 1, "?") != 0) {
        ++groups;
      } else if (python.compare(i + 1, 3, "?P<") == 0) {
        ++groups;
        const std::size_t end = std::min(python.find('>', i), python.size());
        const std::string name = python.substr(i + 4, end - i - 4);
        if (name == "batch") batch_ = groups;
        if (name == "case") case_ = groups;
        i = end;
      } else if (const std::string_view kind = std::string_view(python).substr(i + 1, 2); kind != "?:" && kind != "?=" && kind != "?!") {
        fail(fmt::format("found \"({}\"; of groups that begin with ? only (?:, (?=, (?! and (?P< are known here", kind));
      }
    }
    return out;
  }

  std::regex regex_;
  std::size_t batch_ = 0, case_ = 0;  // groups; 0: there is none
};

}  // namespace

std::vector<DmojEntry> DmojEntries(const std::vector<std::string>& names, const std::string& inputs, const std::string& outputs, const PatternFailure& fail) {
  struct Entry {
    bool is_batch = false;
    std::string name;
    std::map<Key, DmojCase> cases;
  };
  std::map<Key, Entry> entries;
  for (const auto& [python, part] : {std::pair{inputs, &DmojCase::input}, {outputs, &DmojCase::answer}}) {
    const Pattern pattern(python, fail);
    for (const std::string& name : names) {
      const auto parts = pattern.Parts(name);
      if (!parts) continue;
      const auto& [batch, number] = *parts;
      Entry& entry = entries[KeyOf(batch.value_or(number))];
      entry.is_batch = entry.is_batch || batch.has_value();
      entry.name = batch.value_or(number);
      entry.cases[KeyOf(number)].*part = name;
    }
  }
  std::vector<DmojEntry> out;
  for (auto& [key, entry] : entries) {
    out.push_back({entry.name, entry.is_batch, {}});
    for (auto& [number, one] : entry.cases) out.back().cases.push_back(std::move(one));
    if (!entry.is_batch && entry.cases.size() > 1) fail(fmt::format("several cases have the number {}", entry.name));
  }
  return out;
}

}  // namespace tally
