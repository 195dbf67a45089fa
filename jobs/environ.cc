#include "jobs/environ.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "jobs/shallow_json.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr std::size_t kShownValue = 60;

// The value as the user wrote it, shortened.
std::string Show(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > kShownValue) text = text.substr(0, kShownValue) + "...";
  return text;
}

[[noreturn]] void Reject(std::string_view key, const json& value, std::string_view expected) {
  throw UserError(fmt::format("{}: {} is not {}", key, Show(value), expected));
}

// "line 3, column 7" of a byte in `text`.
std::string Place(std::string_view text, std::size_t byte) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    column = text[i] == '\n' ? 1 : column + 1;
    if (text[i] == '\n') ++line;
  }
  return fmt::format("{}:{}", line, column);
}

// A value may be a file's name and so any bytes; of two keys with other bytes the result would make one.
bool IsUtf8(const std::string& text) {
  try {
    static_cast<void>(json(text).dump());
    return true;
  } catch (const json::type_error&) {
    return false;
  }
}

std::optional<std::uint64_t> AsCount(const json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (number < 0 || number > 9e18 || std::floor(number) != number) return std::nullopt;
    return static_cast<std::uint64_t>(number);
  }
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.get_ref<const std::string&>();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

std::vector<std::string> TextsIn(std::string_view key, const json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array()) Reject(key, value, "a list of texts");
  std::vector<std::string> out;
  for (const json& element : value) {
    if (!element.is_string()) Reject(key, element, "a text");
    out.push_back(element.get<std::string>());
  }
  return out;
}

}  // namespace

Environ::Environ() : object_(std::make_unique<json>(json::object())) {}
Environ::~Environ() = default;
Environ::Environ(Environ&&) noexcept = default;
Environ& Environ::operator=(Environ&&) noexcept = default;

Environ Environ::Parse(std::string_view text, const std::string& source) {
  Environ out;
  try {
    *out.object_ = ParseShallow(text, source);
    // SIO's own tools write the object as JSON within a JSON text.
    if (out.object_->is_string()) *out.object_ = ParseShallow(out.object_->get<std::string>(), source);
  } catch (const json::out_of_range&) {  // 1e999
    throw UserError(fmt::format("{}: a number is larger than this machine can count", source));
  } catch (const json::parse_error& error) {
    throw UserError(fmt::format("{}:{}: this is not JSON; expected an object like {{\"exe_file\": \"a.out\"}}",
                                source, Place(text, error.byte)));
  }
  if (!out.object_->is_object()) {
    throw UserError(fmt::format("{}: expected a JSON object like {{\"exe_file\": \"a.out\"}}, got {}", source,
                                Show(*out.object_)));
  }
  return out;
}

const json* Environ::Find(std::string_view key) const {
  const auto found = object_->find(std::string(key));
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

bool Environ::Has(std::string_view key) const { return Find(key) != nullptr; }

std::string Environ::Text(std::string_view key) const {
  if (std::optional<std::string> text = OptionalText(key)) return *text;
  throw UserError(fmt::format("{}: this key is missing", key));
}

std::optional<std::string> Environ::OptionalText(std::string_view key) const {
  const json* value = Find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) Reject(key, *value, "a text");
  if (value->get_ref<const std::string&>().empty()) throw UserError(fmt::format("{}: the text is empty", key));
  return value->get<std::string>();
}

std::string Environ::TextOr(std::string_view key, std::string_view fallback) const {
  return OptionalText(key).value_or(std::string(fallback));
}

bool Environ::BoolOr(std::string_view key, bool fallback) const {
  const json* value = Find(key);
  if (value == nullptr) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  const std::optional<std::uint64_t> number = AsCount(*value);
  if (number && *number <= 1) return *number == 1;
  if (*value == "true" || *value == "True") return true;
  if (*value == "false" || *value == "False") return false;
  Reject(key, *value, "true or false");
}

std::optional<std::uint64_t> Environ::Count(std::string_view key, std::string_view unit) const {
  const json* value = Find(key);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::uint64_t> number = AsCount(*value);
  if (!number) Reject(key, *value, fmt::format("a whole number of {}, 0 or more", unit));
  return number;
}

std::optional<std::uint64_t> Environ::FirstCount(std::initializer_list<std::string_view> keys,
                                                 std::string_view unit) const {
  for (const std::string_view key : keys) {
    if (const auto number = Count(key, unit)) return number;
  }
  return std::nullopt;
}

std::vector<std::string> Environ::TextList(std::string_view key) const {
  const json* value = Find(key);
  if (value == nullptr) return {};
  return TextsIn(key, *value);
}

std::vector<std::string> Environ::TextListFor(std::string_view key, std::string_view language) const {
  const json* value = Find(key);
  if (value == nullptr) return {};
  if (!value->is_object()) return TextsIn(key, *value);
  const auto found = value->find(std::string(language));
  if (found == value->end() || found->is_null()) return {};
  return TextsIn(fmt::format("{}.{}", key, language), *found);
}

std::vector<std::pair<std::string, std::string>> Environ::TextMap(std::string_view key) const {
  const json* value = Find(key);
  if (value == nullptr) return {};
  if (!value->is_object()) Reject(key, *value, "an object of texts");
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [name, element] : value->items()) {
    if (!element.is_string()) Reject(fmt::format("{}.{}", key, name), element, "a text");
    out.emplace_back(name, element.get<std::string>());
  }
  return out;
}

void Environ::Set(std::string_view key, std::string_view value) {
  (*object_)[std::string(key)] = std::string(value);
}
void Environ::Set(std::string_view key, std::uint64_t value) { (*object_)[std::string(key)] = value; }
void Environ::Set(std::string_view key, bool value) { (*object_)[std::string(key)] = value; }
void Environ::Set(std::string_view key, double value) {
  // 100 and not 100.0: the default checker's figures are whole
  if (std::floor(value) == value && value >= 0 && value < 1e15) {
    Set(key, static_cast<std::uint64_t>(value));
  } else {
    (*object_)[std::string(key)] = value;
  }
}
void Environ::SetMap(std::string_view key, const std::vector<std::pair<std::string, std::string>>& entries) {
  json& object = (*object_)[std::string(key)] = json::object();
  for (const auto& [name, text] : entries) object[name] = text;
}
void Environ::SetList(std::string_view key, const std::vector<std::string>& texts) { (*object_)[std::string(key)] = texts; }
void Environ::SetFraction(std::string_view key, std::int64_t numerator, std::int64_t denominator) {
  (*object_)[std::string(key)] = json::array({numerator, denominator});
}
void Environ::Remove(std::string_view key) { object_->erase(std::string(key)); }

std::string Environ::SetFromCommandLine(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw UserError(fmt::format("\"{}\": expected KEY=VALUE, like exec_time_limit=1000", assignment));
  }
  const std::string key(assignment.substr(0, equals));
  if (!IsUtf8(key)) throw UserError(fmt::format("{}: a key is a text in UTF-8", Show(key)));
  const std::string_view text = assignment.substr(equals + 1);
  json value;
  try {
    value = ParseShallow(text, key);
  } catch (const json::exception&) {
    value = std::string(text);
  }
  (*object_)[key] = value;
  return key;
}

std::string Environ::Dump() const {
  return object_->dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace tally
