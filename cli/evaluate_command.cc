// `tally evaluate`: one evaluation here, without a broker: what a worker would answer, for who writes a stack or tests, or
// looks for a mistake in one. A request as JSON in and its answer as JSON out, or files in and a text out.
#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "base/json_output.h"
#include "base/terminal.h"
#include "base/units.h"
#include "base/wrapped_text.h"
#include "cli/commands.h"
#include "evaluation/answer_text.h"
#include "evaluation/evaluator.h"
#include "evaluation/request_files.h"
#include "evaluation/request_options.h"
#include "evaluation/request_parts.h"
#include "evaluation/stack_overview.h"
#include "evaluation/stack_store.h"

namespace tally {
namespace {

constexpr Bytes kMostRequest = Bytes::MiB(32);

struct EvaluateArguments {
  std::string path;
  RequestParts parts;
  std::string json;
  bool stacks = false;
};

int ListStacks() {
  fmt::print("{}", StackOverview(StackStore().All(), TerminalColumns(STDOUT_FILENO)));
  return kExitJobRan;
}

// One that is made from files is read by people, who would rather not read JSON.
int EvaluateOnce(const EvaluateArguments& a) {
  const JsonOutput json(a.json);
  const bool made = CheckRequestParts(a.parts, a.path);
  const std::string request = made ? BuildRequest(a.parts, kMostRequest) : ReadTextFile(a.path, kMostRequest);
  StatusLine status;
  std::exception_ptr failure;
  const std::string answer =
      Evaluator(EvaluationSettings(), [&](std::string_view step) { status.Show(fmt::format("{} ...", step)); }).Evaluate(request, &failure);
  status.Clear();
  const std::string readable = nlohmann::json::parse(answer).dump(2) + "\n";
  json.Write(readable);
  const bool is_told = made && failure;  // by its sentence alone
  if (!json.to_stdout() && !is_told) fmt::print("{}", made ? WrappedText(AnswerText(answer, WantsColour(STDOUT_FILENO)), TerminalColumns(STDOUT_FILENO)) : readable);
  if (!failure) return kExitJobRan;
  try {
    std::rethrow_exception(failure);
  } catch (const UserError& mistake) {
    const std::string_view sentence = mistake.what();
    constexpr std::string_view kKey = "stack_ref: ";
    throw UserError(made && sentence.starts_with(kKey) ? fmt::format("--stack: {}", sentence.substr(kKey.size())) : std::string(sentence));
  }
}

constexpr const char* kFooter =
    "Exit status 1: the request is mistaken, or there is no such stack; 2: our or the host's failure. The answer is printed all the same.\n"
    "The request and the answer are described in docs/dispatcher.md. Examples:\n"
    "  tally evaluate --stack cpp-catch2 --solution roman.cpp --tests roman_test.cpp\n"
    "  tally evaluate request.json\n"
    "  tally evaluate --stacks";

}  // namespace

void AddEvaluateCommand(CommandLine* line) {
  Command command = line->Add("evaluate", "Evaluate one request here, and print the answer as JSON");
  auto a = std::make_shared<EvaluateArguments>();
  command.Footer(kFooter);
  command.Option("request", a->path, "An EvalRequest as JSON; - is stdin");
  AddRequestParts(&command, &a->parts);
  command.JsonOption(a->json, "The answer");
  command.Flag("--stacks", a->stacks, "Which stacks this machine has, and what is absent");
  command.Does([a] { return a->stacks ? ListStacks() : EvaluateOnce(*a); });
}

}  // namespace tally
