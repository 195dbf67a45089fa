#include "compilers/compiler_spec.h"

#include "base/error.h"
#include "compilers/command_line.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

CompilerSpec Read(const std::string& text) {
  return ReadCompilerSpec(YamlMap::FromText(text, "c.yaml"), "c");
}

// The least a description can be.
const std::string kLeast =
    "title: T\nlanguage: c\nextensions: [c]\ntools: [gcc]\ncompile: [\"{gcc}\", \"{source}\", -o, "
    "\"{output}\"]\n";

TEST_CASE("compiler: what a description leaves out has the documented default", "[compilers]") {
  const CompilerSpec spec = Read(kLeast);
  CHECK(spec.name == "c");
  CHECK(spec.file == "c.yaml");
  CHECK(spec.source_name == "a.c");
  CHECK(spec.output_name == "a.out");
  CHECK(spec.result == ResultKind::kExecutable);
  CHECK(spec.sandbox == "compiler-default");
  CHECK_FALSE(spec.is_default);
  CHECK(spec.limits.cpu_time == std::chrono::seconds(30));
  CHECK(spec.limits.wall_time == std::chrono::seconds(60));
  CHECK(spec.limits.memory == Bytes::MiB(512));
  CHECK(spec.limits.output == Bytes::MiB(1));
  CHECK(spec.limits.file_size == Bytes::MiB(256));
  CHECK(spec.limits.processes == 32);
  CHECK(spec.run.command == CommandTemplate{"{program}"});
  CHECK(spec.run.sandbox.empty());
  CHECK(spec.run.processes == 1);
  CHECK(spec.version.empty());
}

TEST_CASE("compiler: every key is read", "[compilers]") {
  const CompilerSpec spec = Read(
      "title: T\nlanguage: py\nextensions: [PY, pyw]\ndefault: yes\naliases: [snake]\n"
      "tools: [python3, /opt/x/bin/tool-1]\npackage: python3\nsource: a.py\nresult: script\n"
      "compile: [\"{python3}\", \"{source}\", \"{tool-1}\"]\nversion: [\"{python3}\", -V]\n"
      "environment: {A: b}\nlimits: {time: 5s, wall: 6s, memory: 1G, memory_by: resident, output: 5k, "
      "file_size: 1M, "
      "processes: 4}\nsandbox: compiler-py\n"
      "run: {command: [\"{python3}\", \"{program}\"], sandbox: interpreter-sandbox, processes: 2, memory_by: "
      "cgroup, "
      "environment: {C: d}}\n");
  CHECK(spec.extensions == std::vector<std::string>{"py", "pyw"});
  CHECK(spec.is_default);
  CHECK(spec.aliases == std::vector<std::string>{"snake"});
  CHECK(spec.output_name == "a.py");
  CHECK(spec.result == ResultKind::kScript);
  CHECK(spec.env == std::vector<std::string>{"A=b"});
  CHECK(spec.limits.cpu_time == std::chrono::seconds(5));
  CHECK(spec.limits.wall_time == std::chrono::seconds(6));
  CHECK(spec.limits.memory == Bytes::MiB(1024));
  CHECK(spec.limits.output == Bytes::KiB(5));
  CHECK(spec.limits.file_size == Bytes::MiB(1));
  CHECK(spec.limits.processes == 4);
  CHECK(spec.memory_by == MemoryBy::kResident);
  CHECK(spec.sandbox == "compiler-py");
  CHECK(spec.run.sandbox == "interpreter-sandbox");
  CHECK(spec.run.processes == 2);
  CHECK(spec.run.memory_by == MemoryBy::kCgroup);
  CHECK(spec.run.env == std::vector<std::string>{"C=d"});
  CHECK(spec.version == CommandTemplate{"{python3}", "-V"});
}

TEST_CASE("compiler: mistakes name place, key, what was found and what was expected", "[compilers]") {
  struct Example {
    const char* addition;
    const char* message;
  };
  const Example examples[] = {
      {"optimise: yes\n",
       "c.yaml:6:1: optimise: unknown key; expected one of: title, language, extensions, default, aliases, "
       "tools, "
       "package, source, result, compile, environment, limits, sandbox, run, version"},
      {"alias: [x]\n",
       "c.yaml:6:1: alias: unknown key (did you mean \"aliases\"?); expected one of: title, language, "
       "extensions, "
       "default, aliases, tools, package, source, result, compile, environment, limits, sandbox, run, "
       "version"},
      {"default: maybe\n", "c.yaml:6:10: default: found \"maybe\"; expected yes or no"},
      {"aliases: [a, b/c]\n", "c.yaml:6:14: aliases: found \"b/c\"; expected letters, digits and . _ + -"},
      {"source: ../a.c\n",
       "c.yaml:6:9: source: found \"../a.c\"; expected a file name, like a.cpp or {main_class}.java"},
      {"result: binary\n", "c.yaml:6:9: result: found \"binary\"; expected one of: executable, jar, script"},
      {"result: jar\n", "c.yaml:1:1: run: missing; expected run: {command: [...]}"},
      {"limits: {tme: 1s}\n",
       "c.yaml:6:10: limits.tme: unknown key (did you mean \"time\"?); expected one of: time, wall, memory, "
       "output, "
       "file_size, processes, memory_by"},
      {"limits: {time: 0}\n", "c.yaml:6:16: limits.time: expected more than 0 and at most 24h"},
      {"limits: {time: 25h}\n", "c.yaml:6:16: limits.time: expected more than 0 and at most 24h"},
      {"limits: {memory: 0}\n", "c.yaml:6:18: limits.memory: found 0; expected a size above 0, like 64M"},
      {"limits: {processes: 0}\n",
       "c.yaml:6:21: limits.processes: found \"0\"; expected a whole number from 1 to 10000"},
      {"sandbox: a/b\n", "c.yaml:6:10: sandbox: found \"a/b\"; expected a sandbox's name, like exec-sandbox"},
      {"run: {command: [\"{programme}\"]}\n",
       "c.yaml:6:17: run.command: found {programme} (did you mean \"program\"?); expected one of: {gcc}, "
       "{program}, "
       "{memory_mb}, {main_class}"},
      {"run: {command: [\"{gcc}\"]}\n", "c.yaml:6:16: run.command: {program} is missing; expected it once"},
      {"run: {command: [python3, \"{program}\"]}\n",
       "c.yaml:6:17: run.command: the command starts with \"python3\"; expected one of: {gcc}, {program}"},
      {"version: [gcc, -v]\n",
       "c.yaml:6:11: version: the command starts with \"gcc\"; expected one of: {gcc}"},
      {"version: [[\"{gcc}\"], [\"{gcc}\"]]\n", "c.yaml:6:10: version: found several commands; expected one"},
  };
  for (const Example& example : examples) {
    CAPTURE(example.addition);
    CHECK_THROWS_WITH(Read(kLeast + example.addition), example.message);
  }
}

TEST_CASE("compiler: a compile command must be a list, read the source and write the result", "[compilers]") {
  const std::string head = "title: T\nlanguage: c\nextensions: [c]\ntools: [gcc]\n";
  CHECK_THROWS_WITH(Read(head),
                    "c.yaml:1:1: compile: missing; expected a command, like [\"{gcc}\", \"{source}\"]");
  CHECK_THROWS_WITH(
      Read(head + "compile: gcc a.c\n"),
      "c.yaml:5:10: compile: found \"gcc a.c\"; expected a command as a list, like [program, argument]");
  CHECK_THROWS_WITH(
      Read(head + "compile: []\n"),
      "c.yaml:5:10: compile: found an empty list; expected a command as a list, like [program, argument]");
  // An unquoted {gcc} is a map in YAML.
  CHECK_THROWS_WITH(Read(head + "compile: [{gcc}, a]\n"),
                    "c.yaml:5:11: compile: found keys with values; expected text in this list");
  CHECK_THROWS_WITH(Read(head + "compile: [gcc, \"{source}\", \"{output}\"]\n"),
                    "c.yaml:5:11: compile: the command starts with \"gcc\"; expected one of: {gcc}");
  CHECK_THROWS_WITH(
      Read(head + "compile: [\"{gcc}\", \"{sorce}\", \"{output}\"]\n"),
      "c.yaml:5:20: compile: found {sorce} (did you mean \"source\"?); expected one of: {gcc}, {source}, "
      "{sources}, {output}, {extra_args}, {main_class}");
  CHECK_THROWS_WITH(Read(head + "compile: [\"{gcc}\", \"{output}\"]\n"),
                    "c.yaml:5:10: compile: no command reads {source}; expected it in one of them");
  CHECK_THROWS_WITH(Read(head + "compile: [\"{gcc}\", \"{source}\"]\n"),
                    "c.yaml:5:10: compile: no command writes {output}; expected it in one of them");
  CHECK_THROWS_WITH(Read(head + "compile:\n  - [\"{gcc}\", \"{source}\"]\n  - [\"{gc}\", \"{output}\"]\n"),
                    Catch::Matchers::StartsWith("c.yaml:7:5: compile: found {gc} (did you mean \"gcc\"?)"));
  CHECK_THROWS_WITH(Read("title: T\nlanguage: c\nextensions: [c]\ntools: [bin/gcc]\n"),
                    "c.yaml:4:9: tools: found \"bin/gcc\"; expected a program's name or its full path");
  CHECK_THROWS_WITH(Read("title: T\nlanguage: c\nextensions: []\n"),
                    "c.yaml:3:13: extensions: missing; expected a list with at least one name");
}

}  // namespace
}  // namespace tally
