#include "serve/judge_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/error.h"
#include "jobs/shallow_json.h"

namespace tally::serve {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostNanoseconds = 24ULL * 3600 * 1'000'000'000, kMostBytes = 1ULL << 40;
constexpr std::size_t kMostCmds = 64, kStreams = 3, kMostStreamedCmd = 15;  // four bits name it

const json* Find(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

[[noreturn]] void Expect(const std::string& where, const char* what) { throw UserError(fmt::format("{}: expected {}", where, what)); }

std::uint64_t Number(const json& value, const std::string& where, std::uint64_t most) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) throw UserError(fmt::format("{}: expected a whole number from 0 to {}", where, most));
  return value.get<std::uint64_t>();
}

// 0 is no limit.
std::optional<std::uint64_t> Limit(const json& cmd, const std::string& where, std::initializer_list<const char*> keys, std::uint64_t most) {
  for (const char* key : keys) {
    const json* const value = Find(cmd, key);
    if (value == nullptr) continue;
    const std::uint64_t number = Number(*value, where + "." + key, most);
    return number == 0 ? std::nullopt : std::optional(number);
  }
  return std::nullopt;
}

std::string Text(const json& value, const std::string& where) {
  if (!value.is_string()) Expect(where, "a text");
  std::string text = value.get<std::string>();
  return text;
}

std::vector<std::string> Texts(const json& cmd, const char* key, const std::string& where) {
  std::vector<std::string> texts;
  const json* const list = Find(cmd, key);
  if (list == nullptr) return texts;
  if (!list->is_array()) Expect(where + "." + key, "a list of texts");
  for (const json& one : *list) {
    texts.push_back(Text(one, where + "." + key));
    if (texts.back().find('\0') != std::string::npos) Expect(where + "." + key, "texts without NUL");
  }
  return texts;
}

Source ParseSource(const json& value, const std::string& where, bool is_stream) {
  if (value.is_null()) return {};
  if (!value.is_object()) Expect(where, "an object, or null");
  if (const json* const text = Find(value, "content")) return {Source::Kind::kContent, Text(*text, where + ".content"), {}};
  if (const json* const text = Find(value, "src")) return {Source::Kind::kHostFile, Text(*text, where + ".src"), {}};
  if (const json* const text = Find(value, "fileId")) return {Source::Kind::kStored, Text(*text, where + ".fileId"), {}};
  if (const json* const text = Find(value, "symlink"); text != nullptr && !is_stream) return {Source::Kind::kLink, Text(*text, where + ".symlink"), {}};
  if (const json* const text = Find(value, "name"); text != nullptr && is_stream) {
    const json* const most = Find(value, "max");
    if (most == nullptr) Expect(where + ".max", "a number of bytes");
    return {Source::Kind::kCollector, Text(*text, where + ".name"), Bytes{Number(*most, where + ".max", kMostBytes)}};
  }
  const auto is_set = [&value](const char* key) { return Find(value, key) != nullptr && value[key] == true; };
  if (is_stream && is_set("streamIn") && is_set("streamOut")) Expect(where, "one of streamIn and streamOut");
  if (is_stream && is_set("streamIn")) return {Source::Kind::kStreamIn, "", {}};
  if (is_stream && is_set("streamOut")) return {Source::Kind::kStreamOut, "", {}};
  Expect(where, is_stream ? "content, src, fileId, or name and max" : "content, src, fileId or symlink");
}

std::vector<WantedFile> ParseWanted(const json& cmd, const char* key, const std::string& where) {
  std::vector<WantedFile> wanted;
  for (std::string& name : Texts(cmd, key, where)) {
    const bool is_optional = name.ends_with('?');
    if (is_optional) name.pop_back();
    const bool is_known = std::any_of(wanted.begin(), wanted.end(), [&name](const WantedFile& other) { return other.name == name; });
    if (!is_known) wanted.push_back({std::move(name), is_optional});
  }
  return wanted;
}

PipeEnd ParseEnd(const json& mapping, const char* key, const std::string& where, std::size_t cmds) {
  const json* const end = Find(mapping, key);
  if (end == nullptr || !end->is_object() || Find(*end, "index") == nullptr || Find(*end, "fd") == nullptr) Expect(where + "." + key, "an object with index and fd");
  return {Number((*end)["index"], where + "." + key + ".index", cmds - 1), Number((*end)["fd"], where + "." + key + ".fd", kStreams - 1)};
}

}  // namespace

json ParseText(std::string_view text, const char* source) {
  try {
    return ParseShallow(text, source);
  } catch (const json::exception&) {
    throw UserError(fmt::format("{} is not JSON", source));
  }
}

Cmd ParseCmd(const json& object, const std::string& where) {
  if (!object.is_object()) Expect(where, "an object");
  Cmd cmd;
  cmd.args = Texts(object, "args", where);
  if (cmd.args.empty()) Expect(where + ".args", "the program and its arguments");
  cmd.env = Texts(object, "env", where);
  if (const json* const files = Find(object, "files")) {
    if (!files->is_array() || files->size() > kStreams) Expect(where + ".files", "a list of stdin, stdout and stderr");
    for (std::size_t i = 0; i < files->size(); ++i) cmd.files.push_back(ParseSource((*files)[i], fmt::format("{}.files[{}]", where, i), true));
  }
  const auto time = [](std::optional<std::uint64_t> ns) { return ns ? std::optional(Nanoseconds(static_cast<std::int64_t>(*ns))) : std::nullopt; };
  const auto size = [](std::optional<std::uint64_t> bytes) { return bytes ? std::optional(Bytes{*bytes}) : std::nullopt; };
  cmd.cpu_limit = time(Limit(object, where, {"cpuLimit"}, kMostNanoseconds));
  cmd.clock_limit = time(Limit(object, where, {"clockLimit", "realCpuLimit"}, kMostNanoseconds));
  cmd.memory_limit = size(Limit(object, where, {"memoryLimit"}, kMostBytes));
  cmd.stack_limit = size(Limit(object, where, {"stackLimit"}, kMostBytes));
  cmd.processes = static_cast<std::uint32_t>(Limit(object, where, {"procLimit"}, 1024).value_or(1));
  if (const json* const copied = Find(object, "copyIn")) {
    if (!copied->is_object()) Expect(where + ".copyIn", "an object");
    for (const auto& [name, source] : copied->items()) cmd.copy_in[name] = ParseSource(source, fmt::format("{}.copyIn[\"{}\"]", where, name), false);
  }
  if (const json* const tty = Find(object, "tty"); tty != nullptr && *tty == true) throw UserError(fmt::format("{}.tty: this server has no terminals; pipes are there", where));
  cmd.copy_out = ParseWanted(object, "copyOut", where);
  cmd.copy_out_stored = ParseWanted(object, "copyOutCached", where);
  cmd.copy_out_most = Bytes{Limit(object, where, {"copyOutMax"}, kMostBytes).value_or(cmd.copy_out_most.count)};
  if (const json* const truncates = Find(object, "copyOutTruncate")) {
    if (!truncates->is_boolean()) Expect(where + ".copyOutTruncate", "true or false");
    cmd.copy_out_truncates = truncates->get<bool>();
  }
  return cmd;
}

Request ParseRequest(const json& object, Streams streams) {
  if (!object.is_object()) throw UserError("expected a JSON object with cmd");
  Request request;
  if (const json* const id = Find(object, "requestId")) request.id = Text(*id, "requestId");
  const json* const cmds = Find(object, "cmd");
  if (cmds == nullptr || !cmds->is_array() || cmds->empty() || cmds->size() > kMostCmds) throw UserError(fmt::format("cmd: expected a list of 1 to {} commands", kMostCmds));
  for (std::size_t i = 0; i < cmds->size(); ++i) request.cmds.push_back(ParseCmd((*cmds)[i], fmt::format("cmd[{}]", i)));
  std::set<std::pair<std::size_t, std::size_t>> taken;
  for (std::size_t i = 0; i < request.cmds.size(); ++i) {
    const std::vector<Source>& files = request.cmds[i].files;
    for (std::size_t fd = 0; fd < files.size(); ++fd) {
      const bool is_input = files[fd].kind == Source::Kind::kStreamIn;
      if (!is_input && files[fd].kind != Source::Kind::kStreamOut) continue;
      const std::string where = fmt::format("cmd[{}].files[{}]", i, fd);
      if (streams == Streams::kRefused) throw UserError(fmt::format("{}: streamIn and streamOut need /stream", where));
      if (is_input != (fd == 0)) Expect(where, fd == 0 ? "streamIn of the two" : "streamOut of the two");
      if (i > kMostStreamedCmd) throw UserError(fmt::format("{}: commands from the 17th on have no streams", where));
      request.streams.push_back({{i, fd}, is_input});
      taken.insert({i, fd});
    }
  }
  const json* const pipes = Find(object, "pipeMapping");
  if (pipes != nullptr && !pipes->is_array()) Expect("pipeMapping", "a list");
  for (std::size_t i = 0; pipes != nullptr && i < pipes->size(); ++i) {
    const std::string where = fmt::format("pipeMapping[{}]", i);
    if (!(*pipes)[i].is_object()) Expect(where, "an object with in and out");
    request.pipes.push_back({ParseEnd((*pipes)[i], "in", where, cmds->size()), ParseEnd((*pipes)[i], "out", where, cmds->size())});
    // One descriptor is one end; so there is a bound to their number, too.
    for (const PipeEnd& end : {request.pipes.back().in, request.pipes.back().out}) {
      if (!taken.insert({end.cmd, end.fd}).second) throw UserError(fmt::format("{}: descriptor {} of command {} is an end of two pipes or streams", where, end.fd, end.cmd));
    }
  }
  return request;
}

}  // namespace tally::serve
