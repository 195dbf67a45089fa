#include "evaluation/request_options.h"


#include "base/error.h"

namespace tally {

void AddRequestParts(Command* command, RequestParts* parts) {
  command->Option("--stack", parts->stack, "Make a request of this stack, from the files below").OneOf("STACK");
  command->Option("--solution", parts->solution, "Files or folders to evaluate");
  command->Option("--tests", parts->tests, "Files or folders with tests");
  command->Option("--include", parts->include, "Files or folders that solution and tests include");
  command->Option("--root", parts->root,
                      "Paths in the request are relative to this folder (default: names alone)");
  command->Flag("--compile", parts->compile, "Compile, and run no tests that --test does not ask for (default: both)");
  command->Flag("--test", parts->test, "Run the tests (default, where there are some)");
  command->Flag("--style", parts->style, "Check the style, too; without --tests nothing but that");
  command->Option("--param", parts->params, "A parameter of the stack, KEY=VALUE");
}

bool CheckRequestParts(const RequestParts& parts, const std::string& path) {
  const bool made = !parts.stack.empty();
  if (made == !path.empty()) throw UserError("expected a request, or --stack with --solution (`--help` tells more)");
  if (made && parts.solution.empty()) throw UserError("--stack: needs --solution FILE, which is what to evaluate");
  if (!made && !(parts.solution.empty() && parts.tests.empty() && parts.include.empty() && parts.params.empty())) {
    throw UserError("--solution, --tests, --include and --param make a request, and need --stack");
  }
  return made;
}

}  // namespace tally
