#include "evaluation/schema.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "evaluation/schemas.h"

namespace tally {
namespace {

using nlohmann::json;

class CompiledSchema {
 public:
  explicit CompiledSchema(const char* text) : text_(json::parse(text)) {
    const valijson::adapters::NlohmannJsonAdapter adapter(text_);
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(adapter, schema_);
  }
  [[nodiscard]] const valijson::Schema& schema() const { return schema_; }
  [[nodiscard]] const json& text() const { return text_; }

 private:
  json text_;
  valijson::Schema schema_;
};

const CompiledSchema& Compiled(Schema schema) {
  if (schema == Schema::kEvalRequest) {
    static const CompiledSchema request(kEvalRequestSchema);
    return request;
  }
  static const CompiledSchema response(kEvalResponseSchema);
  return response;
}

// valijson's path of a value: "<root>", "[solution_files]", "[0]", "[path]".
std::vector<std::string> Steps(const std::vector<std::string>& context) {
  std::vector<std::string> steps;
  for (const std::string& part : context) {
    if (part.size() > 2 && part.front() == '[') steps.push_back(part.substr(1, part.size() - 2));
  }
  return steps;
}

bool IsIndex(const std::string& step) { return step.find_first_not_of("0123456789") == std::string::npos; }

std::string PathText(const std::vector<std::string>& steps) {
  std::string text;
  for (const std::string& step : steps) {
    if (IsIndex(step)) {
      text += fmt::format("[{}]", step);
    } else {
      text += (text.empty() ? "" : ".") + step;
    }
  }
  return text;
}

// What the schema says there; an empty object where it says nothing.
const json& SchemaAt(const json& root, const std::vector<std::string>& steps) {
  static const json nothing = json::object();
  const json* at = &root;
  for (const std::string& step : steps) {
    if (IsIndex(step) && at->contains("items")) {
      at = &(*at)["items"];
    } else if (at->contains("properties") && (*at)["properties"].contains(step)) {
      at = &(*at)["properties"][step];
    } else if (at->contains("additionalProperties") && (*at)["additionalProperties"].is_object()) {
      at = &(*at)["additionalProperties"];
    } else {
      return nothing;
    }
    if (at->contains("$ref")) {
      const std::string name = (*at)["$ref"].get<std::string>();
      at = &root["definitions"][name.substr(name.rfind('/') + 1)];
    }
  }
  return *at;
}

const json* ValueAt(const json& root, const std::vector<std::string>& steps) {
  const json* at = &root;
  for (const std::string& step : steps) {
    if (at->is_array() && IsIndex(step) && std::stoull(step) < at->size()) {
      at = &(*at)[std::stoull(step)];
    } else if (at->is_object() && at->contains(step)) {
      at = &(*at)[step];
    } else {
      return nullptr;
    }
  }
  return at;
}

std::string Shortened(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() <= 60 ? text : value.is_object() ? "an object" : value.is_array() ? "a list" : "a long text";
}

// The word in quotation marks that valijson's own sentence ends with: the property that is missing or unknown.
std::string Quoted(const std::string& sentence) {
  const std::size_t begin = sentence.find('\'');
  const std::size_t end = sentence.find('\'', begin + 1);
  return begin == std::string::npos || end == std::string::npos ? "" : sentence.substr(begin + 1, end - begin - 1);
}

std::string Keys(const json& schema) {
  std::vector<std::string> keys;
  const json properties = schema.value("properties", json::object());
  for (const auto& [key, unused] : properties.items()) keys.push_back(key);
  return fmt::format("{}", fmt::join(keys, ", "));
}

std::string Sentence(const json& schema, const json& value, const valijson::ValidationResults::Error& error) {
  std::vector<std::string> steps = Steps(error.context);
  const json& expected = SchemaAt(schema, steps);
  const bool missing = error.description.rfind("Missing required property", 0) == 0;
  const bool unknown = error.description.rfind("Object contains a property", 0) == 0;
  if (missing) {
    const std::string key = Quoted(error.description);
    steps.push_back(key);
    return fmt::format("{}: missing; expected {}", PathText(steps), SchemaAt(schema, steps).value("description", "a value"));
  }
  if (unknown) {
    // The sentence does not say which; the first that the schema does not have.
    if (const json* object = ValueAt(value, steps)) {
      for (const auto& [key, unused] : object->items()) {
        if (expected.value("properties", json::object()).contains(key)) continue;
        steps.push_back(key);
        return fmt::format("{}: unknown; expected one of: {}", PathText(steps), Keys(expected));
      }
    }
  }
  const json* found = ValueAt(value, steps);
  const std::string path = PathText(steps);
  return fmt::format("{}{}found {}; expected {}", path, path.empty() ? "" : ": ", found == nullptr ? "nothing" : Shortened(*found),
                     expected.value("description", error.description));
}

}  // namespace

std::string FaultBySchema(Schema schema, const json& value) {
  const CompiledSchema& compiled = Compiled(schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(compiled.schema(), valijson::adapters::NlohmannJsonAdapter(value), &results)) return "";
  // The innermost mistake is told first; the ones behind it only say that what holds it is wrong, too.
  std::string sentence = "does not fit the contract";
  valijson::ValidationResults::Error error, deepest;
  while (results.popError(error)) {
    if (error.context.size() > deepest.context.size()) deepest = error;
  }
  if (!deepest.context.empty()) sentence = Sentence(compiled.text(), value, deepest);
  return sentence;
}

}  // namespace tally
