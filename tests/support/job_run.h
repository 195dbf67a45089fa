// Runs jobs as a contest system does: an environ in, the same environ with results out. Names in it are plain
// paths unless a test says otherwise.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace tally {

using Json = nlohmann::json;

// {"job_type": type, "use_filetracker": false} with `keys` over it; throws what RunJob throws.
Json RunJobWith(const std::string& type, const Json& keys);

// The environ of a job that runs one of tests/programs, and its run.
Json WithProgram(const std::string& program, Json keys);
Json Exec(const std::string& program, const Json& keys = Json::object());
Json VcpuExec(const std::string& program, const Json& keys = Json::object());
Json UnsafeExec(const std::string& program, const Json& keys = Json::object());

// The sentence of the user's mistake (UserError) that an action ends with, or what it did instead of
// complaining.
std::string MistakeIn(const std::function<std::string()>& action);
std::string MistakeOf(const std::string& type, const Json& keys);

std::string CodeOf(const Json& environ);
std::string SentenceOf(const Json& environ);
bool Mentions(const std::string& text, const std::string& part);
std::string ReadText(const std::string& path);

}  // namespace tally
