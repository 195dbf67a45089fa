#include "jobs/hotspot_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/executable_path.h"
#include "base/sys.h"
#include "jobs/files.h"
#include "profile/hotspots/block_profile.h"
#include "profile/hotspots/costs.h"

namespace tally {
namespace {

constexpr const char* kReader = "tally-debug-info";

// It lies beside whatever runs this: both are built and installed together.
std::string ReaderPath() {
  const std::filesystem::path path = std::filesystem::path(ExecutablePath()).parent_path() / kReader;
  return ::access(path.c_str(), X_OK) == 0 ? path.string() : "";
}

ExecOptions ReaderOptions() {
  ExecOptions options;
  options.sandbox = "exec-sandbox";
  options.counter = Counter::kNone;
  options.limits = DefaultLimits(ExecKind::kExec, std::chrono::seconds(10));
  options.limits.memory = Bytes::MiB(1024);
  options.limits.output = Bytes::MiB(256);
  return options;
}

// What the reader, an untrusted program like any other, makes of an untrusted file.
SourceMap ReadSourceMap(const std::string& executable, std::string* why_not) {
  const std::string reader = ReaderPath();
  if (reader.empty()) {
    *why_not = fmt::format("{} is not installed beside this program", kReader);
    return {};
  }
  const TemporaryDirectory directory;
  const std::string output = directory.File("source-map");
  const Fd in = sys::Open(executable, O_RDONLY);
  const Fd out = sys::Open(output, O_RDWR | O_CREAT | O_APPEND, 0600);
  const RunResult result = Program(kReader, reader, {}, ReaderOptions()).Run(in.get(), out.get(), -1);
  if (result.code != ResultCode::kOk) {
    *why_not = fmt::format("its debug information cannot be read: {}", result.sentence);
    return {};
  }
  const Mapping text = sys::MapFile(out.get(), output);
  SourceMap map;
  try {
    map = SourceMap::Parse(text.text());
  } catch (const UserError& mistake) {
    *why_not = mistake.what();
  }
  return map;
}

constexpr std::string_view kJava = "java";

// Since Java 16 the machine leaves a map of what it compiled. What it drops before its end is in no map, so it is to keep all.
const std::vector<std::string> kLeaveMap{"-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UnlockDiagnosticVMOptions", "-XX:+DumpPerfMapAtExit", "-XX:SweeperThreshold=100"};

// Its calls go through its interpreter and its stubs, whether there is a map or not.
constexpr const char* kNoInclusiveOfJava = "the Java machine goes from method to method by its interpreter and stubs, and who called what cannot be told from outside";

}  // namespace

HotspotRun RunForHotspots(const std::string& key, const std::string& path, const ExecInfo& info, ExecOptions options,
                          int stdin_fd, int stdout_fd) {
  options.counter = Counter::kTranslator;
  HotspotRun out;
  SourceMap source;
  const bool is_java = info.mode == kJava;
  if (info.mode == "executable") {
    source = ReadSourceMap(path, &out.why_no_lines);
  } else {
    out.why_no_lines = fmt::format("{} runs the program, and these functions are its own; lines are known of programs in machine code with debug "
                                   "information and of Python 3", is_java ? "the Java machine" : "an interpreter");
  }
  Program program(key, path, info, options);
  CodeMap map(program.path_inside(), std::move(source));
  if (is_java && options.isolation == Isolation::kFull) {  // elsewhere the map would stay on the machine
    program.TellRuntime(kLeaveMap);
    map.LeavesPerfMap();
  }
  BlockProfile profile(&map);
  program.TellOf(&profile);
  out.run = program.Run(stdin_fd, stdout_fd, -1);
  profile.Finish();
  const bool has_methods = map.ReadPerfMap();
  out.hotspots = CostsOf(profile, &map);
  if (is_java) LeaveOutInclusive(&out.hotspots, kNoInclusiveOfJava);
  if (has_methods) {
    out.why_no_lines = "the Java machine names the methods that it compiled, and not their lines";
    out.hotspots.measured = "in a run of its own, whose count is another: the Java machine compiles at other moments, and writes down what it compiled";
  }
  if (out.hotspots.lines.empty() && out.why_no_lines.empty()) {
    out.why_no_lines = "the executable has no debug information; compile it with -g";
  }
  return out;
}

}  // namespace tally
