#include "tests/support/json_schema.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tests/support/run_program.h"

namespace tally {

std::string FaultsBySchema(const std::string& schema, const std::string& text) {
  const nlohmann::json rules = nlohmann::json::parse(std::ifstream(SourceFolder() + "/docs/schemas/" + schema)), value = nlohmann::json::parse(text);
  valijson::Schema compiled;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(valijson::adapters::NlohmannJsonAdapter(rules), compiled);
  valijson::ValidationResults results;
  valijson::Validator().validate(compiled, valijson::adapters::NlohmannJsonAdapter(value), &results);
  std::string faults;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& step : error.context) faults += step;
    faults += ": " + error.description + "\n";
  }
  return faults;
}

}  // namespace tally
