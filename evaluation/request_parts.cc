#include "evaluation/request_parts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "evaluation/request_files.h"

namespace tally {
namespace {

using nlohmann::json;

json FilesJson(const std::vector<std::string>& paths, const std::string& root, Bytes most) {
  json list = json::array();
  for (const std::string& path : paths) {
    for (const NamedFile& file : FilesAt(path, root)) {
      list.push_back({{"path", file.name}, {"content", ReadTextFile(file.path, most)}});
    }
  }
  return list;
}

json ParamsJson(const std::vector<std::string>& params) {
  json object = json::object();
  for (const std::string& param : params) {
    const std::size_t equals = param.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UserError(fmt::format("--param {}: expected KEY=VALUE", param));
    }
    object[param.substr(0, equals)] = param.substr(equals + 1);
  }
  return object;
}

}  // namespace

std::string BuildRequest(const RequestParts& parts, Bytes most) {
  const bool some = parts.compile || parts.test;
  const bool only_style = !some && parts.style && parts.tests.empty();
  const json request{{"stack_ref", parts.stack},
                     {"solution_files", FilesJson(parts.solution, parts.root, most)},
                     {"include_files", FilesJson(parts.include, parts.root, most)},
                     {"test_files", FilesJson(parts.tests, parts.root, most)},
                     {"capability",
                      {{"compile", some ? parts.compile : !only_style},
                       {"test", some ? parts.test : !parts.tests.empty()},
                       {"style", parts.style}}},
                     {"params", ParamsJson(parts.params)}};
  std::string body;
  try {
    body = request.dump();
  } catch (const json::type_error&) {  // contents are text, as was looked at
    throw UserError("a path or an option is not UTF-8 text, and a request holds text only");
  }
  if (body.size() > most.count) {
    throw UserError(fmt::format("these files make a request of {}, and {} is the most", FormatBytes({body.size()}),
                                FormatBytes(most)));
  }
  return body;
}

}  // namespace tally
