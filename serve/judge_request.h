// go-judge's POST /run, as it is written: commands that run at one time, what they read, and what is to come back (docs/serve.md).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace tally::serve {

// What a stream or a file is made of.
struct Source {
  enum class Kind : std::uint8_t { kNone, kContent, kHostFile, kStored, kCollector, kLink, kStreamIn, kStreamOut };
  Kind kind = Kind::kNone;
  std::string text;   // the content, a path of this machine, an id of the store, the collector's name, where the link leads
  Bytes most;         // of a collector
};

// "a?" in copyOut: no failure where it is missing.
struct WantedFile {
  std::string name;
  bool is_optional = false;
};

struct Cmd {
  std::vector<std::string> args, env;
  std::vector<Source> files;  // stdin, stdout, stderr
  std::optional<Nanoseconds> cpu_limit, clock_limit;
  std::optional<Bytes> memory_limit, stack_limit;
  std::uint32_t processes = 1;
  std::map<std::string, Source> copy_in;
  std::vector<WantedFile> copy_out, copy_out_stored;
  Bytes copy_out_most = Bytes::MiB(64);
  bool copy_out_truncates = false;
};

struct PipeEnd {
  std::size_t cmd = 0;
  std::size_t fd = 0;
};
// What `in` writes `out` reads.
struct PipeMapping {
  PipeEnd in, out;
};

// What the caller writes while the command runs, or reads.
struct LiveStream {
  PipeEnd end;
  bool is_input = false;
};

struct Request {
  std::string id;
  std::vector<Cmd> cmds;
  std::vector<PipeMapping> pipes;
  std::vector<LiveStream> streams;
};

// What came, as JSON. UserError; `source` is how it calls the text.
nlohmann::json ParseText(std::string_view text, const char* source);

enum class Streams : std::uint8_t { kRefused, kAllowed };
// UserError names the key: "cmd[0].files[1].max: ...".
Request ParseRequest(const nlohmann::json& json, Streams streams = Streams::kRefused);
Cmd ParseCmd(const nlohmann::json& json, const std::string& where);

}  // namespace tally::serve
