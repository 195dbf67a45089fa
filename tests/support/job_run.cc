#include "tests/support/job_run.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/error.h"
#include "jobs/job.h"
#include "tests/support/run_program.h"

namespace tally {

Json RunJobWith(const std::string& type, const Json& keys) {
  Json all = {{"job_type", type}, {"use_filetracker", false}};
  if (!keys.is_null()) all.update(keys);
  Environ environ = Environ::Parse(all.dump(), "test");
  RunJob(&environ);
  return environ.object();
}

Json WithProgram(const std::string& program, Json keys) {
  const std::string path = TestProgram(program);
  if (path.empty()) throw std::runtime_error("no test program " + program);
  keys["exe_file"] = path;
  return keys;
}

Json Exec(const std::string& program, const Json& keys) {
  return RunJobWith("exec", WithProgram(program, keys));
}
Json VcpuExec(const std::string& program, const Json& keys) {
  return RunJobWith("vcpu-exec", WithProgram(program, keys));
}
Json UnsafeExec(const std::string& program, const Json& keys) {
  return RunJobWith("unsafe-exec", WithProgram(program, keys));
}

std::string MistakeIn(const std::function<std::string()>& action) {
  try {
    return "no mistake: " + action();
  } catch (const UserError& error) {
    return error.what();
  } catch (const SystemError& error) {
    return "a failure and no mistake: " + std::string(error.what());
  }
}

std::string MistakeOf(const std::string& type, const Json& keys) {
  return MistakeIn([&] {
    const Json result = RunJobWith(type, keys);
    return CodeOf(result) + " " + SentenceOf(result);
  });
}

std::string CodeOf(const Json& environ) { return environ.value("result_code", ""); }
std::string SentenceOf(const Json& environ) { return environ.value("result_string", ""); }

bool Mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "cannot read " + path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace tally
