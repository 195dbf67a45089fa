#include "evaluation/stack_spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/description_folders.h"
#include "base/did_you_mean.h"
#include "compilers/compiler_spec.h"
#include "compilers/placeholders.h"
#include "evaluation/coverage_report.h"
#include "evaluation/style_report.h"

namespace tally {
namespace {

using Words = std::vector<std::string>;

// What commands may name beside the tools (command_words.h).
const Words kLists = {"solution", "include", "tests"};  // a word each
const Words kPlaceholders = {"solution", "include", "tests", "test", "test_name", "case", "jars"};
const Words kFolders = {"solution", "include", "tests", "out"};

void CheckNames(YamlMap& yaml, std::string_view key, const Words& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!DescriptionFolders::IsName(names[i])) {
      yaml.Fail(key, fmt::format("found \"{}\"; expected letters, digits and . _ + -", names[i]), i);
    }
  }
}

StackTools ReadTools(YamlMap& yaml) {
  StackTools tools{yaml.TextList("tools"), yaml.TextList("files"), yaml.OptionalText("package").value_or("")};
  for (std::size_t i = 0; i < tools.programs.size(); ++i) {
    if (!DescriptionFolders::IsName(ToolName(tools.programs[i]))) {
      yaml.Fail("tools", fmt::format("found \"{}\"; expected a program's name or its full path", tools.programs[i]), i);
    }
  }
  for (std::size_t i = 0; i < tools.files.size(); ++i) {
    if (tools.files[i].empty() || tools.files[i].front() != '/') {
      yaml.Fail("files", fmt::format("found \"{}\"; expected a full path", tools.files[i]), i);
    }
  }
  if ((!tools.programs.empty() || !tools.files.empty()) && tools.package.empty()) {
    yaml.Fail("package", "missing; expected what to install where a tool is not here");
  }
  return tools;
}

// The command starts with a tool of this part or an earlier one, or with something that was built.
void CheckCommand(YamlMap& yaml, std::string_view key, const CommandWords& command, const Words& tools) {
  Words known = kPlaceholders;
  for (const std::string& tool : tools) known.push_back(ToolName(tool));
  for (const std::string& word : command) {
    for (const std::string& name : PlaceholdersIn(word)) {
      const bool is_list = std::find(kLists.begin(), kLists.end(), name) != kLists.end();
      if (is_list && word != fmt::format("{{{}}}", name)) {
        yaml.Fail(key, fmt::format("found \"{}\"; {{{}}} stands for many words and must be one of its own", word, name));
      }
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      yaml.Fail(key, fmt::format("found {{{}}}{}; expected one of: {{{}}}", name, DidYouMean(name, known), fmt::join(known, "}, {")));
    }
  }
  const std::string& first = command.front();
  if (first.rfind("{", 0) != 0 && first.rfind("/", 0) != 0) {
    yaml.Fail(key, fmt::format("the command starts with \"{}\"; expected a tool like {{{}}}, or a full path", first,
                               tools.empty() ? "gcc" : ToolName(tools.front())));
  }
}

std::vector<CommandWords> ReadCommands(YamlMap& yaml, std::string_view key, const Words& tools) {
  std::vector<CommandWords> commands = yaml.Commands(key);
  for (const CommandWords& command : commands) CheckCommand(yaml, key, command, tools);
  return commands;
}

CommandWords ReadCommand(YamlMap& yaml, std::string_view key, const Words& tools, bool required) {
  std::vector<CommandWords> commands = ReadCommands(yaml, key, tools);
  if (commands.size() > 1) yaml.Fail(key, "found several commands; expected one");
  if (commands.empty() && required) yaml.Fail(key, "missing; expected a command, like [\"{python3}\", \"/tally/runner.py\"]");
  return commands.empty() ? CommandWords() : commands.front();
}

Words FoldersIn(YamlMap& yaml, std::string_view key) {
  Words folders = yaml.TextList(key);
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const std::string top = folders[i].substr(0, folders[i].find('/'));
    if (std::find(kFolders.begin(), kFolders.end(), top) == kFolders.end()) {
      yaml.Fail(key, fmt::format("found \"{}\"; expected one of: {}", folders[i], fmt::join(kFolders, ", ")), i);
    }
  }
  return folders;
}

CaseList ReadCases(YamlMap& yaml) {
  const std::string word = yaml.OptionalWord("cases", {"runner", "lines", "test_files"}).value_or("runner");
  if (word == "lines") return CaseList::kLines;
  return word == "test_files" ? CaseList::kTestFiles : CaseList::kRunner;
}

MemoryBy ReadMemoryBy(YamlMap& yaml) {
  const std::string word = yaml.OptionalWord("memory_by", {"auto", "cgroup", "address_space", "resident"}).value_or("auto");
  if (word == "cgroup") return MemoryBy::kCgroup;
  if (word == "address_space") return MemoryBy::kAddressSpace;
  return word == "resident" ? MemoryBy::kResident : MemoryBy::kAuto;
}

// Tools of one part may be used by the ones behind it.
Words With(Words tools, const StackTools& more) {
  tools.insert(tools.end(), more.programs.begin(), more.programs.end());
  return tools;
}

SplitSpec ReadSplit(YamlMap yaml, const Words& tools, CaseList cases) {
  SplitSpec spec;
  spec.solution = ReadCommand(yaml, "solution", tools, true);
  spec.build = ReadCommands(yaml, "build", tools);
  spec.cover = ReadCommands(yaml, "cover", tools);
  spec.run = ReadCommand(yaml, "run", tools, cases != CaseList::kRunner);
  spec.list = ReadCommand(yaml, "list", tools, cases == CaseList::kLines);
  spec.show = FoldersIn(yaml, "show");
  if (spec.show.empty()) spec.show = {"solution"};
  spec.show_tests = FoldersIn(yaml, "show_tests");
  spec.send = FoldersIn(yaml, "send");
  spec.covered = yaml.Bool("covered", true);
  spec.for_all_cases = yaml.OptionalWord("process", {"case", "tests"}) == "tests";
  spec.always = yaml.Bool("always", false);
  yaml.Finish();
  return spec;
}

TestsSpec ReadTests(YamlMap yaml, const Words& earlier) {
  TestsSpec spec;
  spec.tools = ReadTools(yaml);
  const Words tools = With(earlier, spec.tools);
  spec.prepare = ReadCommands(yaml, "prepare", tools);
  spec.build = ReadCommands(yaml, "build", tools);
  spec.cases = ReadCases(yaml);
  spec.list = ReadCommand(yaml, "list", tools, spec.cases == CaseList::kLines);
  spec.run = ReadCommand(yaml, "run", tools, true);
  spec.show = FoldersIn(yaml, "show");
  spec.send = FoldersIn(yaml, "send");
  spec.environment = yaml.Environment("environment");
  spec.sandbox = yaml.OptionalText("sandbox").value_or(spec.sandbox);
  spec.case_time = yaml.OptionalDuration("case_time").value_or(spec.case_time);
  if (spec.case_time <= Nanoseconds(0)) yaml.Fail("case_time", "expected more than 0");
  spec.processes = static_cast<std::uint32_t>(yaml.OptionalCount("processes", 1, 10'000).value_or(spec.processes));
  spec.process_calls = yaml.TextList("process_calls");
  spec.memory_by = ReadMemoryBy(yaml);
  if (std::optional<YamlMap> split = yaml.OptionalMap("split")) spec.split = ReadSplit(std::move(*split), tools, spec.cases);
  yaml.Finish();
  return spec;
}

StyleSpec ReadStyle(YamlMap yaml, const Words& earlier) {
  StyleSpec spec;
  spec.name = yaml.Text("name");
  spec.tools = ReadTools(yaml);
  const Words tools = With(earlier, spec.tools);
  spec.command = ReadCommand(yaml, "command", tools, true);
  spec.version = ReadCommand(yaml, "version", tools, true);
  spec.format = yaml.Text("format");
  if (!IsStyleFormat(spec.format)) yaml.Fail("format", fmt::format("found \"{}\"; expected lines, cppcheck or checkstyle", spec.format));
  yaml.Finish();
  return spec;
}

CoverageSpec ReadCoverage(YamlMap yaml, const Words& earlier) {
  CoverageSpec spec;
  spec.name = yaml.Text("name");
  spec.tools = ReadTools(yaml);
  const Words tools = With(earlier, spec.tools);
  spec.build = ReadCommands(yaml, "build", tools);
  spec.run = ReadCommand(yaml, "run", tools, false);
  spec.show = FoldersIn(yaml, "show");
  spec.environment = yaml.Environment("environment");
  spec.collect = ReadCommands(yaml, "collect", tools);
  if (spec.collect.empty()) yaml.Fail("collect", "missing; expected the command that prints the report");
  spec.format = yaml.Text("format");
  if (!IsCoverageFormat(spec.format)) yaml.Fail("format", fmt::format("found \"{}\"; expected gcov, cobertura or jacoco", spec.format));
  spec.behind_tests = yaml.Bool("behind_tests", false);
  yaml.Finish();
  return spec;
}

}  // namespace

StackSpec ReadStackSpec(YamlMap yaml, const std::string& name) {
  StackSpec spec;
  spec.file = yaml.file();
  spec.name = yaml.OptionalText("name").value_or(name);
  CheckNames(yaml, "name", {spec.name});
  spec.title = yaml.Text("title");
  spec.version = yaml.Text("version");
  spec.aliases = yaml.TextList("aliases");
  CheckNames(yaml, "aliases", spec.aliases);
  spec.input_output = yaml.OptionalWord("kind", {"framework", "input_output"}) == "input_output";
  if (spec.input_output) {
    yaml.Finish();
    return spec;
  }
  spec.extensions = yaml.TextList("extensions");
  if (spec.extensions.empty()) yaml.Fail("extensions", "missing; expected a list like [c]");
  spec.build_sandbox = yaml.OptionalText("build_sandbox").value_or(spec.build_sandbox);
  spec.environment = yaml.Environment("environment");
  Words tools;
  if (std::optional<YamlMap> compile = yaml.OptionalMap("compile")) {
    spec.compile.tools = ReadTools(*compile);
    tools = With(tools, spec.compile.tools);
    spec.compile.commands = ReadCommands(*compile, "commands", tools);
    compile->Finish();
  }
  for (YamlMap& style : yaml.MapList("style")) spec.style.push_back(ReadStyle(std::move(style), tools));
  if (std::optional<YamlMap> tests = yaml.OptionalMap("tests")) {
    spec.tests = ReadTests(std::move(*tests), tools);
    tools = With(tools, spec.tests->tools);
  }
  if (std::optional<YamlMap> coverage = yaml.OptionalMap("coverage")) spec.coverage = ReadCoverage(std::move(*coverage), tools);
  yaml.Finish();
  return spec;
}

}  // namespace tally
