// `tally evaluate REQUEST.json`: one evaluation here, without a broker: an EvalRequest in, its EvalResponse on stdout. What
// a worker would answer, for who writes a stack or looks for a mistake in one.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "base/sys.h"
#include "dispatcher/commands.h"
#include "evaluation/evaluator.h"
#include "evaluation/stack_overview.h"
#include "evaluation/stack_store.h"

namespace tally {
namespace {

std::string ReadRequest(const std::string& path) {
  if (path == "-") return sys::ReadAll(STDIN_FILENO, "stdin");
  try {
    return sys::ReadFile(path);
  } catch (const SystemError& error) {
    throw UserError(fmt::format("{}: {}", path, ErrnoText(error.error())));
  }
}

int EvaluateOnce(const std::string& path) {
  const std::string answer = Evaluator(EvaluationSettings()).Evaluate(ReadRequest(path));
  fmt::print("{}\n", nlohmann::json::parse(answer).dump(2));
  return kExitJobRan;
}

int ListStacks() {
  fmt::print("{}", StackOverview(StackStore().All()));
  return kExitJobRan;
}

constexpr const char* kFooter =
    "The request and the answer are described in docs/dispatcher.md. Example:\n"
    "  tally evaluate examples/evaluation/c-sum.json\n"
    "  tally evaluate --stacks";

}  // namespace

void AddEvaluateCommand(CLI::App* app, Action* action) {
  auto* command = app->add_subcommand("evaluate", "Evaluate one request here, and print the answer as JSON");
  auto path = std::make_shared<std::string>();
  command->footer(kFooter);
  const auto stacks = std::make_shared<bool>(false);
  CLI::Option* list = command->add_flag("--stacks", *stacks, "Which stacks this machine has, and what is absent");
  command->add_option("request", *path, "An EvalRequest as JSON; - is stdin")->excludes(list);
  command->callback([path, stacks, action] {
    if (!*stacks && path->empty()) throw CLI::RequiredError("request");
    *action = [path, stacks] { return *stacks ? ListStacks() : EvaluateOnce(*path); };
  });
}

}  // namespace tally
