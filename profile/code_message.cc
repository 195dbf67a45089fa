#include "profile/code_message.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr std::size_t kShownValue = 60;
constexpr const char* kBound = "n";  // of input_bounds
constexpr double kLongestTimeout = 3600;            // seconds
constexpr std::uint64_t kLargestMemoryMb = 1 << 20;
constexpr std::uint64_t kLargestSize = 1'000'000'000'000'000'000;
constexpr std::uint64_t kLargestSeed = 0x7fff'ffff'ffff'ffff;

[[noreturn]] void Reject(const std::string& key, const json& value, std::string_view expected) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > kShownValue) text = text.substr(0, kShownValue) + "...";
  throw UserError(fmt::format("{}: {} is not {}", key, text, expected));
}

// Numbers are JSON numbers, 1e5 among them, or their text.
std::optional<double> AsNumber(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.get_ref<const std::string&>();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::uint64_t WholeNumber(const std::string& key, const json& value, std::uint64_t largest, std::string_view what) {
  const std::string expected = fmt::format("a whole number{}, 0 to {}", what, largest);
  if (value.is_number_unsigned()) {
    if (value.get<std::uint64_t>() > largest) Reject(key, value, expected);
    return value.get<std::uint64_t>();
  }
  const std::optional<double> number = AsNumber(value);
  if (!number || !(*number >= 0) || *number > static_cast<double>(largest) || std::floor(*number) != *number) {
    Reject(key, value, expected);
  }
  return std::min(static_cast<std::uint64_t>(*number), largest);
}

// One object; `within` is its own key, for messages.
class Fields {
 public:
  explicit Fields(const json& object, std::string within = "") : object_(object), within_(std::move(within)) {}

  [[nodiscard]] const json* Find(std::string_view key) const {
    const auto found = object_.find(std::string(key));
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }
  [[nodiscard]] std::string Path(std::string_view key) const { return within_ + std::string(key); }

  [[nodiscard]] std::optional<std::string> OptionalText(std::string_view key) const {
    const json* value = Find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) Reject(Path(key), *value, "a text");
    return value->get<std::string>();
  }
  [[nodiscard]] std::string Text(std::string_view key) const {
    std::optional<std::string> text = OptionalText(key);
    if (!text) throw UserError(fmt::format("{}: this key is missing", Path(key)));
    if (text->empty()) throw UserError(fmt::format("{}: the text is empty", Path(key)));
    return *text;
  }
  [[nodiscard]] std::string TextOr(std::string_view key, const char* fallback) const {
    return Find(key) == nullptr ? fallback : Text(key);
  }
  [[nodiscard]] bool BoolOr(std::string_view key, bool fallback) const {
    const json* value = Find(key);
    if (value == nullptr) return fallback;
    if (!value->is_boolean()) Reject(Path(key), *value, "true or false");
    return value->get<bool>();
  }
  [[nodiscard]] std::uint64_t Count(std::string_view key, std::uint64_t largest, std::uint64_t fallback) const {
    const json* value = Find(key);
    return value == nullptr ? fallback : WholeNumber(Path(key), *value, largest, "");
  }
  // A list of sizes; nullopt when absent.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> TextList(std::string_view key) const {
    const json* value = Find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_array() || value->size() > kMostSizes) {
      Reject(Path(key), *value, fmt::format("a list of sizes, at most {}", kMostSizes));
    }
    std::vector<std::uint64_t> sizes;
    for (const json& element : *value) sizes.push_back(WholeNumber(Path(key), element, kLargestSize, ""));
    return sizes;
  }

 private:
  const json& object_;
  std::string within_;
};

// A source as text, in C++17, or an object that names its language.
ProgramText ReadProgram(const std::string& key, const json& value) {
  if (value.is_string()) {
    if (value.get_ref<const std::string&>().empty()) throw UserError(fmt::format("{}: the text is empty", key));
    return {value.get<std::string>(), kDefaultLanguage, ""};
  }
  if (!value.is_object()) Reject(key, value, "a source, or an object like {\"code\": ..., \"language\": \"python3\"}");
  const Fields fields(value, key + ".");
  return {fields.Text("code"), fields.TextOr("language", kDefaultLanguage), ""};
}

void ReadSizes(const Fields& fields, SizeOptions* sizes) {
  if (auto list = fields.TextList("input_scales")) sizes->scales = std::move(*list);
  if (auto list = fields.TextList("extra_corner_cases")) sizes->corner_cases = std::move(*list);
  const json* bounds = fields.Find("input_bounds");
  if (bounds == nullptr) return;
  if (!bounds->is_object()) Reject("input_bounds", *bounds, "an object like {\"n\": 100000}");
  if (bounds->empty()) return;
  auto bound = bounds->find(kBound);
  if (bound == bounds->end()) bound = bounds->size() == 1 ? bounds->begin() : bounds->end();
  if (bound == bounds->end()) {
    throw UserError("input_bounds: of several bounds one must be \"n\", up to which the sizes go");
  }
  sizes->n_max = WholeNumber("input_bounds." + bound.key(), bound.value(), kLargestSize, "");
}

void ReadLimits(const Fields& fields, CodeMessage* message) {
  if (const json* value = fields.Find("sandbox_timeout_sec")) {
    const std::optional<double> seconds = AsNumber(*value);
    if (!seconds || !(*seconds >= 0.001) || !(*seconds <= kLongestTimeout)) {
      Reject("sandbox_timeout_sec", *value, fmt::format("a number of seconds, 0.001 to {}", kLongestTimeout));
    }
    message->timeout = Milliseconds(std::llround(*seconds * 1000));
  }
  const std::uint64_t mb = fields.Count("sandbox_mem_mb", kLargestMemoryMb, message->memory.count >> 20);
  if (mb == 0) throw UserError("sandbox_mem_mb: 0 leaves no memory to run; leave the key out for 512");
  message->memory = Bytes::MiB(mb);
}

}  // namespace

std::uint64_t SeedsOf(const CodeMessage& message) {
  if (!message.generator && !IsRandom(message.shape)) return 1;
  return message.seeds.value_or(message.generator ? 1 : kDefaultSeeds);
}

CodeMessage ReadCodeMessage(const json& object) {
  const Fields fields(object);
  CodeMessage message;
  message.task_id = fields.OptionalText("task_id").value_or("");
  message.iteration = fields.Count("iteration", kLargestSize, 0);
  message.program = {fields.Text("code"), fields.TextOr("language", kDefaultLanguage), ""};
  ReadSizes(fields, &message.sizes);
  if (const json* generator = fields.Find("generator")) {
    if (generator->is_string()) {
      message.shape = ParseShape("generator", generator->get_ref<const std::string&>());
    } else {
      message.generator = ReadProgram("generator", *generator);
    }
  }
  message.seed = fields.Count("seed", kLargestSeed, 0);
  if (fields.Find("seeds") != nullptr) message.seeds = fields.Count("seeds", kMostSeeds, 0);
  if (message.seeds == std::uint64_t{0}) throw UserError("seeds: 0 leaves no input; leave the key out for the default");
  if (const json* checker = fields.Find("checker")) message.checker = ReadProgram("checker", *checker);
  message.checker_protocol = fields.TextOr("checker_protocol", "sio");
  if (const json* hint = fields.Find("hint")) message.hint = ReadProgram("hint", *hint);
  ReadLimits(fields, &message);
  message.debug = fields.BoolOr("debug", false);
  if (const auto model = fields.OptionalText("expect")) message.expect = ParseGrowthModel("expect", *model);
  if (InputSizes(message.sizes).empty()) throw UserError("input_scales: there is no size left to run");
  return message;
}

}  // namespace tally
