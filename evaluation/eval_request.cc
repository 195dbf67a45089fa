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
constexpr std::size_t kMostValues = 100'000;  // of a file three; the schema's validator keeps half a KiB for each wrong one
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

// Looks at the text before anything is made of it. nlohmann's reader refuses what is no UTF-8; depth and count the schema
// would bound only after reading: a deep nest of brackets uses up the stack of whoever frees it, and two bytes are a
// value that takes hundreds. (The reader's own callback would do, were its time not quadratic in a list of objects.)
class Bounds : public json::json_sax_t {
 public:
  bool null() override { return Count(); }
  bool boolean(bool) override { return Count(); }
  bool number_integer(number_integer_t) override { return Count(); }
  bool number_unsigned(number_unsigned_t) override { return Count(); }
  bool number_float(number_float_t, const string_t&) override { return Count(); }
  bool string(string_t&) override { return Count(); }
  bool binary(binary_t&) override { return Count(); }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return Deeper(); }
  bool start_array(std::size_t) override { return Deeper(); }
  bool end_object() override { return depth_-- > 0; }
  bool end_array() override { return depth_-- > 0; }
  bool parse_error(std::size_t byte, const std::string&, const json::exception& error) override {
    const bool not_text = std::string_view(error.what()).find("UTF-8") != std::string_view::npos;
    throw UserError(fmt::format("the request is no JSON: {} (byte {})", not_text ? "text that is not UTF-8" : "syntax error", byte));
  }

 private:
  bool Count() {
    if (++values_ > kMostValues) throw UserError(fmt::format("the request has more than {} values", kMostValues));
    return true;
  }
  bool Deeper() {
    if (++depth_ > kDeepest) throw UserError(fmt::format("the request is nested deeper than {} levels", kDeepest));
    return Count();
  }

  std::size_t values_ = 0;
  int depth_ = 0;
};

json Parse(std::string_view body) {
  Bounds bounds;
  json::sax_parse(body.begin(), body.end(), &bounds);
  return json::parse(body.begin(), body.end());
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
