// `tally evaluate` as its user sees it: an evaluation without a broker.
#include <string>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

// A stack that needs no tools but a shell, and prepares something.
ScratchFolder& Stacks() {
  static ScratchFolder folder;
  folder.Write("stacks/slow.yaml",
               "title: Slow\nversion: 1.0.0\nextensions: [txt]\n"
               "compile:\n  tools: [sh]\n  package: dash\n  commands: [[\"{sh}\", -c, echo compiled]]\n"
               "tests:\n  tools: [sh]\n  package: dash\n  prepare: [[\"{sh}\", -c, echo made > made]]\n  cases: test_files\n"
               "  run: [\"{sh}\", -c, cat /prepared/made]\n");
  folder.Write("a.txt", "a\n");
  folder.Write("a_test.txt", "a\n");
  return folder;
}

const std::string kEvaluate = "/bin/tally evaluate --stack slow --solution a.txt --tests a_test.txt";

Words Environment() { return {"TALLY_STACKS=" + Stacks().path() + "/stacks"}; }

TEST_CASE("evaluate: a terminal shows what is done now, and no trace of it is left", "[cli]") {
  const ScratchFolder cache;
  Words environment = Environment();
  environment.push_back("TALLY_CACHE=" + cache.path());
  const CliResult result = ShellOnTerminal(BuildFolder() + kEvaluate, {.directory = Stacks().path(), .environment = environment});
  INFO(result.out);
  CHECK(result.status == 0);
  std::size_t at = 0;
  for (const char* step : {"\r\x1b[Kpreparing slow, once on this machine ...", "\r\x1b[Kcompiling ...", "\r\x1b[Ktesting ...", "\r\x1b[K"}) {
    CAPTURE(step);
    at = result.out.find(step, at);
    REQUIRE(at != std::string::npos);
    ++at;
  }
  CHECK(result.out.find(" ...", at) == std::string::npos);

  const CliResult again = ShellOnTerminal(BuildFolder() + kEvaluate, {.directory = Stacks().path(), .environment = environment});
  CHECK_FALSE(Has(again.out, "preparing"));
}

TEST_CASE("evaluate: without a terminal nothing but the result is said", "[cli]") {
  const CliResult result = Shell(BuildFolder() + kEvaluate, {.directory = Stacks().path(), .environment = Environment()});
  CHECK(result.status == 0);
  CHECK(result.error.empty());
  CHECK(Has(result.out, "a_test"));
}

TEST_CASE("evaluate: a stack that is nowhere is status 1 and one sentence, and the answer to a request in JSON is printed all the same", "[cli]") {
  const CliOptions there{.directory = Stacks().path(), .environment = Environment()};
  const CliResult made = Shell(BuildFolder() + "/bin/tally evaluate --stack nosuch --solution a.txt", there);
  CHECK(made.status == 1);
  CHECK(made.out.empty());
  CHECK(made.error.starts_with("tally: --stack: \"nosuch\": no such stack; this worker has: "));
  Stacks().Write("request.json", R"({"api_version": 1, "stack_ref": "nosuch", "solution": {"files": []}})");
  const CliResult answered = Shell(BuildFolder() + "/bin/tally evaluate request.json", there);
  CHECK(answered.status == 1);
  CHECK(answered.json()["success"] == false);
  CHECK(answered.error == "tally: " + answered.json()["message"].get<std::string>() + "\n");
}

TEST_CASE("evaluate: a terminal that wants no colours gets none", "[cli]") {
  for (const char* wish : {"NO_COLOR=1", "TERM=dumb"}) {
    Words environment = Environment();
    environment.push_back(wish);
    CHECK_FALSE(Has(ShellOnTerminal(BuildFolder() + kEvaluate, {.directory = Stacks().path(), .environment = environment}).out, "\x1b[1"));
  }
}

}  // namespace
}  // namespace tally
