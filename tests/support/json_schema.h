// Whether a JSON text is what a schema of docs/schemas says.
#pragma once

#include <string>

namespace tally {

// "", or a sentence for each mistake. `schema` is a file's name there.
std::string FaultsBySchema(const std::string& schema, const std::string& text);

}  // namespace tally
