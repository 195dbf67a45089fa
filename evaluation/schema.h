// The contract's JSON Schemas (docs/schemas), compiled in: a message is held to the text that its writer can read.
// valijson decides; the sentence is ours, so that it names the field and says what was expected in words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tally {

enum class Schema { kEvalRequest, kEvalResponse };

// "" or one sentence with the first mistake: `solution_files[0].path: found 5; expected a relative path ...`.
std::string FaultBySchema(Schema schema, const nlohmann::json& value);

}  // namespace tally
