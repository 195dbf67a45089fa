#include "evaluation/eval_request.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "evaluation/schema.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr int kDeepest = 32;  // levels of JSON
constexpr std::size_t kLongestPath = 512;
constexpr std::size_t kLongestName = 200;  // of a folder or file; file systems take 255 bytes

bool IsSafeName(std::string_view name) {
  if (name.empty() || name == "." || name == ".." || name.size() > kLongestName) return false;
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
  }
  return true;
}

// Why a path is no place for a file in a folder of its own; "" when it is one.
std::string PathFault(std::string_view path) {
  if (path.size() > kLongestPath) return fmt::format("expected a path of at most {} bytes", kLongestPath);
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (!IsSafeName(path.substr(begin, end - begin))) {
      return "expected a relative path without \"..\", like \"de/example/Date.java\"";
    }
    begin = end + 1;
  }
  return "";
}

// No two files at one place, and no file where another one needs a folder.
void CheckTogether(const std::string& key, const std::vector<EvalFile>& files) {
  std::set<std::string> paths, folders;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& path = files[i].path;
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      folders.insert(path.substr(0, slash));
    }
    if (!paths.insert(path).second) throw UserError(fmt::format("{}[{}].path: \"{}\" is there twice", key, i, path));
  }
  for (const std::string& folder : folders) {
    if (paths.contains(folder)) throw UserError(fmt::format("{}: \"{}\" is a file and a folder", key, folder));
  }
}

std::vector<EvalFile> ReadFiles(const json& object, const std::string& key) {
  std::vector<EvalFile> files;
  for (const json& entry : object.value(key, json::array())) {
    EvalFile file{entry["path"], entry["content"]};
    if (const std::string fault = PathFault(file.path); !fault.empty()) {
      throw UserError(fmt::format("{}[{}].path: found \"{}\"; {}", key, files.size(), file.path.substr(0, kLongestPath), fault));
    }
    files.push_back(std::move(file));
  }
  CheckTogether(key, files);
  return files;
}

// nlohmann's reader refuses what is no UTF-8, and depth is bounded by the schema only after reading: a deep nest of
// brackets would use up the stack of whoever frees it.
json Parse(std::string_view body) {
  const auto shallow = [](int depth, json::parse_event_t, json&) {
    if (depth > kDeepest) throw UserError(fmt::format("the request is nested deeper than {} levels", kDeepest));
    return true;
  };
  try {
    return json::parse(body.begin(), body.end(), shallow);
  } catch (const json::parse_error& error) {
    throw UserError(fmt::format("the request is no JSON: {} (byte {})",
                                std::string_view(error.what()).find("UTF-8") != std::string_view::npos ? "text that is not UTF-8"
                                                                                                        : "syntax error",
                                error.byte));
  }
}

}  // namespace

std::string EvalRequest::Param(std::string_view key) const {
  for (const auto& [name, value] : params) {
    if (name == key) return value;
  }
  return "";
}

EvalRequest ReadEvalRequest(std::string_view body) {
  const json object = Parse(body);
  if (const std::string fault = FaultBySchema(Schema::kEvalRequest, object); !fault.empty()) throw UserError(fault);
  EvalRequest request;
  request.stack_ref = object["stack_ref"];
  request.solution_files = ReadFiles(object, "solution_files");
  request.include_files = ReadFiles(object, "include_files");
  request.test_files = ReadFiles(object, "test_files");
  const json capability = object.value("capability", json::object());
  request.compile = capability.value("compile", false);
  request.test = capability.value("test", false);
  request.style = capability.value("style", false);
  const json params = object.value("params", json::object());
  for (const auto& [key, value] : params.items()) request.params.emplace_back(key, value);
  return request;
}

}  // namespace tally
