// EvalRequest: what a client of the evaluation system asks for, read from the JSON of its message. Whatever the bytes
// are, the reader answers with a request or with one sentence that names the field; nothing is written here.
// Contract: docs/dispatcher.md; its JSON Schema (docs/schemas/eval-request.json) is compiled in and decides the shape.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tally {

struct EvalFile {
  std::string path;  // relative, in folders of letters: "de/example/Date.java"
  std::string content;
};

struct EvalRequest {
  std::string stack_ref;
  std::vector<EvalFile> solution_files, include_files, test_files;
  bool compile = false, test = false, style = false;
  std::vector<std::pair<std::string, std::string>> params;

  // "" when there is none.
  [[nodiscard]] std::string Param(std::string_view key) const;
};

// UserError: one sentence, like `solution_files[0].path: "../x": expected a relative path without ".."`.
EvalRequest ReadEvalRequest(std::string_view body);

}  // namespace tally
