// What a worker's instance remembers of stacks and sandboxes (image_cache_seconds). How a sandbox ages by the clock is in
// tests/sandboxes/kept_sandboxes_test.cc.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "evaluation/evaluator.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/scoped_variable.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

// A stack and its sandbox, which their owner edits while an evaluator lives. What was compiled says which it had.
class EditedStack {
 public:
  // `name` is nobody else's, for what an earlier test left remembered is remembered still.
  EditedStack(std::string name, std::int64_t seconds) : name_(std::move(name)), evaluator_(Settings(seconds)) {}

  void WriteStack(const std::string& word) const {
    folder_.Write("stacks/" + name_ + ".yaml",
                  fmt::format("title: T\nversion: 1.0.0\nextensions: [c]\nbuild_sandbox: {}\ncompile:\n  tools: [sh]\n"
                              "  package: dash\n  commands: [[\"{{sh}}\", -c, \"echo {} $SANDBOX\"]]\n",
                              name_, word));
  }
  void WriteSandbox(const std::string& word) const {
    folder_.Write("sandboxes/" + name_ + ".yaml",
                  fmt::format("title: T\nmounts: [host: /usr, host: /bin, host: /lib, host: /lib64]\n"
                              "environment: {{SANDBOX: {}}}\npermissions: [processes]\n",
                              word));
  }
  void DamageSandbox() const { folder_.Write("sandboxes/" + name_ + ".yaml", "title: T\nmonts: []\n"); }

  std::string Compiled() {
    const ScopedVariable stacks("TALLY_STACKS", folder_.path() + "/stacks"), sandboxes("TALLY_SANDBOXES", folder_.path() + "/sandboxes");
    const Json answer = Json::parse(evaluator_.Evaluate(
        Json{{"stack_ref", name_}, {"solution_files", {{{"path", "a.c"}, {"content", ""}}}}, {"capability", {{"compile", true}}}}.dump()));
    return answer["success"] ? answer["result"]["compilation"]["output"] : answer["message"];
  }
  // A job of SIO's in the same sandbox: nothing of an evaluation is on its way.
  [[nodiscard]] Json RunJobThere() const {
    const ScopedVariable sandboxes("TALLY_SANDBOXES", folder_.path() + "/sandboxes");
    return Exec("hello", {{"sandbox", name_}});
  }

 private:
  static EvaluationSettings Settings(std::int64_t seconds) {
    EvaluationSettings settings;
    settings.image_cache_seconds = seconds;
    return settings;
  }

  std::string name_;
  ScratchFolder folder_;
  Evaluator evaluator_;
};

TEST_CASE("cache time 0: the next evaluation, and the next job, sees an edited stack and an edited sandbox") {
  EditedStack edited("cache-off", 0);
  edited.WriteStack("old");
  edited.WriteSandbox("old");
  CHECK(edited.Compiled() == "old old\n");
  edited.WriteSandbox("new");
  CHECK(edited.Compiled() == "old new\n");
  edited.WriteStack("new");
  CHECK(edited.Compiled() == "new new\n");
  CHECK(CodeOf(edited.RunJobThere()) == "OK");
  edited.DamageSandbox();
  CHECK(Mentions(edited.Compiled(), "cache-off.yaml:2:1: monts: unknown key"));
  CHECK(Mentions(MistakeIn([&] { return CodeOf(edited.RunJobThere()); }), "cache-off.yaml:2:1: monts: unknown key"));
}

TEST_CASE("cache time of an hour, or for ever: what was read once is what all evaluations and jobs have") {
  for (const std::int64_t seconds : {3600, -1}) {
    CAPTURE(seconds);
    EditedStack edited(fmt::format("cache-{}", seconds), seconds);
    edited.WriteStack("old");
    edited.WriteSandbox("old");
    CHECK(edited.Compiled() == "old old\n");
    edited.WriteStack("new");
    edited.WriteSandbox("new");
    CHECK(edited.Compiled() == "old old\n");
    edited.DamageSandbox();
    CHECK(edited.Compiled() == "old old\n");
    CHECK(CodeOf(edited.RunJobThere()) == "OK");
  }
}

}  // namespace
}  // namespace tally
