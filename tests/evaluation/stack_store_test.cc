// Stacks: their descriptions, and which one a reference means.
#include "evaluation/stack_store.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "evaluation/stack_overview.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

constexpr const char* kMinimal = "title: T\nversion: 1.0.0\nextensions: [c]\n";

std::string FaultOf(const std::string& yaml) {
  try {
    ReadStackSpec(YamlMap::FromText(yaml, "c.yaml"), "c");
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

std::string Resolved(const StackStore& store, const std::string& ref) {
  try {
    const StackSpec& spec = store.Resolve(ref);
    return spec.name + " " + spec.version;
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST_CASE("what a stack is for stands beside its name, on a narrow terminal below it") {
  StackSpec stack = ReadStackSpec(YamlMap::FromText("title: C with a framework\nversion: 1.0.0\nextensions: [c]\naliases: [c, frame]\n", "c.yaml"), "c-frame");
  stack.input_output = true;
  const std::string absent = "absent: style: this stack has none\n", more = "absent: coverage: this stack has none\n";
  CHECK(StackOverview({stack}) == "stack    version  for\nc-frame  1.0.0    C with a framework (also: c, frame)\n" + std::string(18, ' ') + absent + std::string(18, ' ') + more);
  CHECK(StackOverview({stack}, 80) == StackOverview({stack}));
  CHECK(StackOverview({stack}, 45) == "c-frame 1.0.0\n    C with a framework (also: c, frame)\n    " + absent + "    " + more);
}

TEST_CASE("a stack is found by name, alias and version; of those that fit, the highest counts") {
  const ScratchFolder folder;
  folder.Write("c.yaml", "title: T\nversion: 1.9.0\naliases: [plain]\nextensions: [c]\n");
  folder.Write("c-new.yaml", "name: c\ntitle: T\nversion: 1.10.0\nextensions: [c]\n");
  folder.Write("c-old.yaml", "name: c\ntitle: T\nversion: 0.3.1\nextensions: [c]\n");
  folder.Write("java.yaml", "title: T\nversion: 2.0.0\nextensions: [java]\n");
  const StackStore store(DescriptionFolders({folder.path()}));
  CHECK(Resolved(store, "c") == "c 1.10.0");
  CHECK(Resolved(store, "c:latest") == "c 1.10.0");
  CHECK(Resolved(store, "c:1") == "c 1.10.0");
  CHECK(Resolved(store, "c:1.9") == "c 1.9.0");
  CHECK(Resolved(store, "c:0") == "c 0.3.1");
  CHECK(Resolved(store, "plain") == "c 1.9.0");
  CHECK(Resolved(store, "c:3") == "stack_ref: \"c:3\": this worker has c in version 1.9.0, 1.10.0, 0.3.1 only");
  CHECK(Resolved(store, "jaba") == "stack_ref: \"jaba\": no such stack (did you mean \"java\"?); this worker has: c, java");
}

TEST_CASE("one alias for two stacks is a mistake, and both files are named") {
  const ScratchFolder folder;
  folder.Write("a.yaml", std::string(kMinimal) + "aliases: [x]\n");
  folder.Write("b.yaml", std::string(kMinimal) + "aliases: [x]\n");
  try {
    const StackStore store(DescriptionFolders({folder.path()}));
    FAIL("no mistake was found");
  } catch (const UserError& error) {
    CHECK(std::string(error.what()).find("x is claimed by ") != std::string::npos);
  }
}

TEST_CASE("every shipped stack can be read") {
  const StackStore store;
  CHECK(store.Resolve("io").input_output);
}

TEST_CASE("a tool that is not here makes its capability absent, with what to install") {
  const StackSpec spec = ReadStackSpec(YamlMap::FromText(std::string(kMinimal) + R"(
tests: {tools: [no-such-runner], package: some-tests, run: ["{no-such-runner}"]}
style:
  - {name: a, tools: [no-such-style], package: styles, command: ["{no-such-style}"], version: ["{no-such-style}"], format: lines}
  - {name: b, files: [/no/such.jar], package: more-styles, command: [/bin/true], version: [/bin/true], format: lines}
)", "c.yaml"), "c");
  CHECK(AbsentCapabilities(spec) == std::vector<std::string>{
                                        "test: no-such-runner is not installed (package some-tests)",
                                        "style: no-such-style is not installed (package styles); /no/such.jar is not installed "
                                        "(package more-styles)",
                                        "coverage: this stack has none"});
}

TEST_CASE("a mistake in a description has its file, line and key") {
  CHECK(FaultOf(kMinimal) == "");
  CHECK(FaultOf("version: 1\nextensions: [c]\n").find("c.yaml:1:1: title: ") == 0);
  CHECK(FaultOf(std::string(kMinimal) + "compile:\n  tools: [gcc]\n") == "c.yaml:5:3: compile.package: missing; expected what to install where a tool is not here");
  CHECK(FaultOf(std::string(kMinimal) + "compile:\n  tools: [gcc]\n  package: gcc\n  commands: [[\"{gc}\", x]]\n").find(
            "compile.commands: found {gc} (did you mean \"gcc\"?)") != std::string::npos);
  CHECK(FaultOf(std::string(kMinimal) + "compile:\n  commands: [[gcc, x]]\n").find("the command starts with \"gcc\"") != std::string::npos);
  CHECK(FaultOf(std::string(kMinimal) + "tests:\n  cases: lines\n  run: [/x]\n").find("tests.list: missing") != std::string::npos);
  CHECK(FaultOf(std::string(kMinimal) + "tests:\n  run: [/x]\n  show: [etc]\n").find(
            "tests.show: found \"etc\"; expected one of: solution, include, tests, out") != std::string::npos);
  CHECK(FaultOf(std::string(kMinimal) + "tests:\n  cases: test_files\n  run: [/x]\n  split:\n    solution: [/y]\n").find("tests.split.run: missing") !=
        std::string::npos);
  CHECK(FaultOf(std::string(kMinimal) + "tests:\n  run: [/x]\n  split:\n    solution: [/y]\n    process: run\n").find("tests.split.process: ") !=
        std::string::npos);
  CHECK(FaultOf(std::string(kMinimal) + "compile:\n  commands: [[/x, \"-L{solution}\"]]\n").find(
            "found \"-L{solution}\"; {solution} stands for many words and must be one of its own") != std::string::npos);
  CHECK(FaultOf("title: T\nversion: 1\nkind: input_output\nextensions: [c]\n").find("extensions: unknown key") != std::string::npos);
}

}  // namespace
}  // namespace tally
