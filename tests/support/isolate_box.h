// A box of tally-isolate as its callers have it: --init, --run and --cleanup as processes, the meta file read as CMS reads it.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {

using Meta = std::map<std::string, std::string>;

// As integrations do: what is in front of the first colon, and what is behind it.
inline Meta ReadMeta(const std::string& path) {
  std::ifstream in(path);
  Meta meta;
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    meta[line.substr(0, colon)] = colon == std::string::npos ? "" : line.substr(colon + 1);
  }
  return meta;
}

inline std::string ReadFile(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

struct BoxResult {
  CliResult process;
  Meta meta;
  [[nodiscard]] std::string Get(const std::string& key) const { return meta.contains(key) ? meta.at(key) : "(absent)"; }
};

// A box of the test's own.
class TestBox {
 public:
  explicit TestBox(std::string options = "") : options_(std::move(options)) { made_ = Isolate(options_ + " --init"); }
  ~TestBox() { Isolate("--version >/dev/null; TALLY_ISOLATE_KEEPER=off \"$ISOLATE\" " + options_ + " --cleanup"); }
  TestBox(const TestBox&) = delete;
  TestBox& operator=(const TestBox&) = delete;

  CliResult Isolate(const std::string& words, const std::string& input = "") const {
    return Shell("\"$ISOLATE\" " + words, {.input = input, .environment = {"ISOLATE=" + BuildFolder() + "/bin/isolate", "TALLY_ISOLATE_ROOT=" + folder_.path() + "/boxes"}});
  }
  // `words`: options, --, and a program.
  [[nodiscard]] BoxResult Run(const std::string& words, const std::string& input = "") const {
    BoxResult result;
    result.process = Isolate(fmt::format("{} --meta={}/meta --run {}", options_, folder_.path(), words), input);
    result.meta = ReadMeta(folder_.path() + "/meta");
    return result;
  }
  [[nodiscard]] BoxResult RunTest(const std::string& program, const std::string& words = "", const std::string& arguments = "") const {
    std::filesystem::copy_file(TestProgram(program), path() + "/" + program, std::filesystem::copy_options::overwrite_existing);
    return Run(fmt::format("{} -- ./{} {}", words, program, arguments));
  }
  // Of the program's folder on this machine, as the user reads it from what --init printed.
  [[nodiscard]] std::string path() const { return made_.out.substr(0, made_.out.find('\n')) + "/box"; }
  [[nodiscard]] const CliResult& made() const { return made_; }
  [[nodiscard]] const std::string& folder() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
  std::string options_;
  CliResult made_;
};

}  // namespace tally
