#include "compilers/compiler_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "base/description_folders.h"
#include "base/did_you_mean.h"
#include "compilers/placeholders.h"

namespace tally {
namespace {

constexpr Nanoseconds kDefaultTime = std::chrono::seconds(30);
constexpr Nanoseconds kLongestTime = std::chrono::hours(24);
constexpr Bytes kDefaultMemory = Bytes::MiB(512);
constexpr Bytes kDefaultOutput = Bytes::MiB(1);
constexpr Bytes kDefaultFileSize = Bytes::MiB(256);
constexpr std::uint32_t kDefaultProcesses = 32;
constexpr std::uint32_t kMostProcesses = 10'000;

using Words = std::vector<std::string>;

std::vector<std::string> ReadNames(YamlMap& yaml, std::string_view key, bool required) {
  std::vector<std::string> names = yaml.TextList(key);
  if (required && names.empty()) yaml.Fail(key, "missing; expected a list with at least one name");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!DescriptionFolders::IsName(names[i])) {
      yaml.Fail(key, fmt::format("found \"{}\"; expected letters, digits and . _ + -", names[i]), i);
    }
  }
  return names;
}

std::vector<std::string> ReadExtensions(YamlMap& yaml) {
  std::vector<std::string> extensions = ReadNames(yaml, "extensions", true);
  for (std::string& extension : extensions) {
    for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return extensions;
}

// A tool is a name to look for on this machine, or the full path of something installed elsewhere.
std::vector<std::string> ReadTools(YamlMap& yaml) {
  std::vector<std::string> tools = yaml.TextList("tools");
  if (tools.empty()) yaml.Fail("tools", "missing; expected a list of programs, like [gcc]");
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const bool path = !tools[i].empty() && tools[i].front() == '/';
    if (!DescriptionFolders::IsName(ToolName(tools[i])) ||
        (!path && tools[i].find('/') != std::string::npos)) {
      yaml.Fail("tools", fmt::format("found \"{}\"; expected a program's name or its full path", tools[i]),
                i);
    }
  }
  return tools;
}

Words ToolNames(const CompilerSpec& spec) {
  Words names;
  for (const std::string& tool : spec.tools) names.push_back(ToolName(tool));
  return names;
}

bool Mentions(const CommandTemplate& command, std::string_view placeholder) {
  return std::any_of(command.begin(), command.end(),
                     [&](const std::string& word) { return word.find(placeholder) != std::string::npos; });
}

// `shape` says which element of a list of commands is meant, for the message's place.
void CheckCommand(YamlMap& yaml, std::string_view key, const CommandTemplate& command, const Words& known,
                  const Words& programs, std::optional<std::size_t> item) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    for (const std::string& name : PlaceholdersIn(command[i])) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      yaml.Fail(key,
                fmt::format("found {{{}}}{}; expected one of: {{{}}}", name, DidYouMean(name, known),
                            fmt::join(known, "}, {")),
                item.value_or(i));
    }
  }
  const std::string& first = command.front();
  const bool is_program = std::any_of(programs.begin(), programs.end(),
                                      [&](const std::string& name) { return first == "{" + name + "}"; });
  if (!is_program && (first.empty() || first.front() != '/')) {
    yaml.Fail(key,
              fmt::format("the command starts with \"{}\"; expected one of: {{{}}}", first,
                          fmt::join(programs, "}, {")),
              item.value_or(0));
  }
}

Words With(Words tools, std::initializer_list<const char*> more) {
  tools.insert(tools.end(), more.begin(), more.end());
  return tools;
}

MemoryBy ReadMemoryBy(YamlMap& yaml) {
  const std::string word =
      yaml.OptionalWord("memory_by", {"auto", "cgroup", "address_space", "resident"}).value_or("auto");
  if (word == "cgroup") return MemoryBy::kCgroup;
  if (word == "address_space") return MemoryBy::kAddressSpace;
  if (word == "resident") return MemoryBy::kResident;
  return MemoryBy::kAuto;
}

Nanoseconds ReadTime(YamlMap& yaml, std::string_view key, Nanoseconds fallback) {
  const Nanoseconds time = yaml.OptionalDuration(key).value_or(fallback);
  if (time <= Nanoseconds(0) || time > kLongestTime) yaml.Fail(key, "expected more than 0 and at most 24h");
  return time;
}

Bytes ReadSize(YamlMap& yaml, std::string_view key, Bytes fallback) {
  const Bytes size = yaml.OptionalSize(key).value_or(fallback);
  if (size.count == 0) yaml.Fail(key, "found 0; expected a size above 0, like 64M");
  return size;
}

std::string ReadSandboxName(YamlMap& yaml, const std::string& fallback) {
  std::string name = yaml.OptionalText("sandbox").value_or(fallback);
  if (!name.empty() && !DescriptionFolders::IsName(name)) {
    yaml.Fail("sandbox", fmt::format("found \"{}\"; expected a sandbox's name, like exec-sandbox", name));
  }
  return name;
}

void ReadLimits(YamlMap& yaml, CompilerSpec* spec) {
  std::optional<YamlMap> found = yaml.OptionalMap("limits");
  YamlMap limits = found ? std::move(*found) : YamlMap::FromText("{}", yaml.file());
  // A compiler's time is all its CPU time: reading an endless file is system time.
  spec->limits.cpu_time = ReadTime(limits, "time", kDefaultTime);
  spec->limits.wall_time = ReadTime(limits, "wall", 2 * *spec->limits.cpu_time);
  spec->limits.memory = ReadSize(limits, "memory", kDefaultMemory);
  spec->limits.output = ReadSize(limits, "output", kDefaultOutput);
  spec->limits.file_size = ReadSize(limits, "file_size", kDefaultFileSize);
  spec->limits.processes = static_cast<std::uint32_t>(
      limits.OptionalCount("processes", 1, kMostProcesses).value_or(kDefaultProcesses));
  spec->memory_by = ReadMemoryBy(limits);
  limits.Finish();
}

ResultKind ReadResult(YamlMap& yaml) {
  const std::string word =
      yaml.OptionalWord("result", {"executable", "jar", "script"}).value_or("executable");
  if (word == "jar") return ResultKind::kJar;
  if (word == "script") return ResultKind::kScript;
  return ResultKind::kExecutable;
}

void ReadFileNames(YamlMap& yaml, CompilerSpec* spec) {
  spec->source_name = yaml.OptionalText("source").value_or("a." + spec->extensions.front());
  const std::string plain = FillIn(spec->source_name, {{"main_class", "Main"}});
  if (!DescriptionFolders::IsName(plain)) {
    yaml.Fail("source", fmt::format("found \"{}\"; expected a file name, like a.cpp or {{main_class}}.java",
                                    spec->source_name));
  }
  spec->result = ReadResult(yaml);
  spec->output_name = spec->result == ResultKind::kScript ? spec->source_name
                      : spec->result == ResultKind::kJar  ? "a.jar"
                                                          : "a.out";
}

void ReadCompile(YamlMap& yaml, CompilerSpec* spec) {
  spec->compile = yaml.Commands("compile");
  if (spec->compile.empty())
    yaml.Fail("compile", "missing; expected a command, like [\"{gcc}\", \"{source}\"]");
  const Words tools = ToolNames(*spec);
  const Words known = With(tools, {"source", "sources", "output", "extra_args", "main_class"});
  bool reads_source = false;
  bool writes_output = spec->result == ResultKind::kScript;
  for (std::size_t i = 0; i < spec->compile.size(); ++i) {
    const CommandTemplate& command = spec->compile[i];
    CheckCommand(yaml, "compile", command, known, tools,
                 spec->compile.size() > 1 ? std::optional(i) : std::nullopt);
    reads_source = reads_source || Mentions(command, "{source}");
    writes_output = writes_output || Mentions(command, "{output}");
  }
  if (!reads_source) yaml.Fail("compile", "no command reads {source}; expected it in one of them");
  if (!writes_output) yaml.Fail("compile", "no command writes {output}; expected it in one of them");
}

constexpr Bytes kMostOwnMemory = Bytes::MiB(1024);

void ReadRun(YamlMap& yaml, CompilerSpec* spec) {
  std::optional<YamlMap> run = yaml.OptionalMap("run");
  spec->run.command = {"{program}"};
  if (!run) {
    if (spec->result != ResultKind::kExecutable) yaml.Fail("run", "missing; expected run: {command: [...]}");
    return;
  }
  if (run->Has("command")) {
    const std::vector<CommandTemplate> commands = run->Commands("command");
    if (commands.size() != 1) run->Fail("command", "found several commands; expected one");
    const Words tools = ToolNames(*spec);
    CheckCommand(*run, "command", commands.front(), With(tools, {"program", "memory_mb", "main_class"}),
                 With(tools, {"program"}), {});
    if (!Mentions(commands.front(), "{program}"))
      run->Fail("command", "{program} is missing; expected it once");
    spec->run.command = commands.front();
  } else if (spec->result != ResultKind::kExecutable) {
    run->Fail("command", "missing; expected a command, like [\"{python3}\", \"{program}\"]");
  }
  spec->run.sandbox = ReadSandboxName(*run, "");
  spec->run.processes =
      static_cast<std::uint32_t>(run->OptionalCount("processes", 1, kMostProcesses).value_or(1));
  spec->run.memory_by = ReadMemoryBy(*run);
  run->ReadSize("own_memory", Bytes{0}, kMostOwnMemory, &spec->run.own_memory);
  if (const auto status = run->OptionalCount("memory_exit", 1, 255)) spec->run.memory_exit = static_cast<int>(*status);
  spec->run.env = run->Environment("environment");
  run->Finish();
}

void ReadVersion(YamlMap& yaml, CompilerSpec* spec) {
  const std::vector<CommandTemplate> commands = yaml.Commands("version");
  if (commands.empty()) return;
  if (commands.size() != 1) yaml.Fail("version", "found several commands; expected one");
  const Words tools = ToolNames(*spec);
  CheckCommand(yaml, "version", commands.front(), tools, tools, {});
  spec->version = commands.front();
}

}  // namespace

std::string ToolName(std::string_view tool) { return std::string(tool.substr(tool.rfind('/') + 1)); }

CompilerSpec ReadCompilerSpec(YamlMap yaml, const std::string& name) {
  CompilerSpec spec;
  spec.name = name;
  spec.file = yaml.file();
  spec.title = yaml.Text("title");
  spec.language = yaml.Text("language");
  spec.extensions = ReadExtensions(yaml);
  spec.is_default = yaml.Bool("default", false);
  spec.aliases = ReadNames(yaml, "aliases", false);
  spec.tools = ReadTools(yaml);
  spec.package = yaml.OptionalText("package").value_or("");
  ReadFileNames(yaml, &spec);
  ReadCompile(yaml, &spec);
  spec.env = yaml.Environment("environment");
  ReadLimits(yaml, &spec);
  spec.sandbox = ReadSandboxName(yaml, "compiler-default");
  ReadRun(yaml, &spec);
  ReadVersion(yaml, &spec);
  yaml.Finish();
  return spec;
}

}  // namespace tally
