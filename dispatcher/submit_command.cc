// `tally submit`: requests to the workers behind a broker, and their answers back: one request, a folder of them, one
// that is made from files, or a load of many.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "dispatcher/commands.h"
#include "evaluation/request_options.h"
#include "evaluation/request_files.h"
#include "evaluation/request_parts.h"
#include "dispatcher/submit_run.h"
#include "dispatcher/worker_config.h"

namespace tally {
namespace {

constexpr Bytes kMostAnswer = Bytes::MiB(256);  // more than any worker may be set to

struct SubmitArguments {
  std::string path, out, host, config;
  RequestParts parts;
  std::string json;
  bool watch = false, job = false;
  std::optional<std::uint64_t> api_version;
  std::size_t window = 100, bench = 0, rounds = 1;
  std::optional<std::string> timeout, most_request;
};

template <typename Parse>
auto Parsed(const char* option, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", option, error.what()));
  }
}

// The worker's file and variables, so that one of each serves both.
WorkerConfig ConfigOf(const SubmitArguments& a) {
  std::optional<YamlMap> yaml;
  if (!a.config.empty()) yaml = YamlMap::FromFile(a.config);
  WorkerConfig config = ReadWorkerConfig(std::move(yaml), FromProcessEnvironment);
  if (!config.password_file.empty()) config.broker.password = PasswordIn(config.password_file);
  if (!a.host.empty()) config.broker.host = a.host;
  config.broker.name = "tally submit";
  config.broker.most_body = kMostAnswer.count;
  return config;
}

SubmitRun RunOf(const SubmitArguments& a) {
  const WorkerConfig config = ConfigOf(a);
  SubmitRun run;
  run.options.broker = config.broker;
  run.kind = a.job ? AnswerKind::kJob : AnswerKind::kEvaluation;
  run.api_version = a.api_version.value_or(config.api_version);
  run.options.routing_key = !a.job          ? fmt::format("eva.v{}.request", run.api_version)
                            : a.api_version ? fmt::format("tally.v{}.job", run.api_version)
                                            : config.job_queue;
  run.most_request = config.max_request_size;
  run.options.window = a.window;
  if (a.timeout) run.options.timeout = Parsed("--timeout", *a.timeout, ParseDuration);
  if (a.most_request) run.most_request = Parsed("--max-request", *a.most_request, ParseBytes);
  run.watch = a.watch;
  return run;
}

// What cannot be together, in one place.
void CheckArguments(const SubmitArguments& a) {
  const bool built = CheckRequestParts(a.parts, a.path);
  if (built && a.job) throw UserError("--stack makes an evaluation, and --job wants an environ");
  const bool folder = !built && a.path != "-" && std::filesystem::is_directory(a.path);
  if (folder && a.bench > 0) throw UserError("--bench sends one request often, and cannot do so with a folder");
  if (folder && !a.json.empty()) throw UserError("--json: each request of a folder has an answer of its own, in a file beside it");
  if (!folder && !a.out.empty()) throw UserError("--out is for the answers to a folder of requests");
}

int Submit(const SubmitArguments& a) {
  CheckArguments(a);
  const JsonOutput json(a.json);
  const SubmitRun run = RunOf(a);
  const bool built = !a.parts.stack.empty();
  if (!built && a.path != "-" && std::filesystem::is_directory(a.path)) return SubmitFolder(run, a.path, a.out);
  const std::string body = built ? BuildRequest(a.parts, run.most_request) : ReadTextFile(a.path, run.most_request);
  if (a.bench > 0) return SubmitBench(run, body, a.bench, a.rounds, json);
  return SubmitOne(run, {built ? a.parts.solution.front() : a.path, body}, built, json);
}

constexpr const char* kFooter =
    "A request is an EvalRequest as JSON, with --job an SIO environ (docs/dispatcher.md). The broker is that of the "
    "worker:\n"
    "--host, EVA_DISPATCHER_RABBITMQ_HOST and its kin, or --config. Exit status: 0 all is answered, whatever the "
    "verdict;\n"
    "1 your mistake; 2 the broker failed, or something is unanswered. Examples:\n"
    "  tally submit request.json                            the answer as JSON\n"
    "  tally submit requests/ --out answers/ --watch        answers/NAME.answer.json for each requests/NAME.json\n"
    "  tally submit --stack cpp-catch2 --solution sum.cpp --tests sum_test.cpp\n"
    "  tally submit --bench 1000 --rounds 5 request.json    answers per second and latencies";

void AddRequestOptions(Command* command, SubmitArguments* a) {
  command->Option("request", a->path, "A request, or a folder with NAME.json; - is stdin");
  AddRequestParts(command, &a->parts);
  command->Flag("--job", a->job, "The request is an SIO environ, and a job is run");
  command->Option("--max-request", a->most_request, "A larger request is refused (default: max_request_size, 32M)");
}

void AddAnswerOptions(Command* command, SubmitArguments* a) {
  command->Option("--out", a->out, "A folder for the answers to a folder (default: beside the requests)");
  command->JsonOption(a->json, "The answer, or with --bench the figures,");
  command->Flag("--watch", a->watch, "Show how far it is; without a terminal in a line now and then");
  command->Option("--bench", a->bench, "Send the request so many times, and print rates and latencies").Within(std::size_t(1), std::size_t(100'000'000));
  command->Option("--rounds", a->rounds, "Repeat the load so often (default 1)").Within(std::size_t(1), std::size_t(1000));
  command->Option("--window", a->window, "Requests in flight at one time (default 100)").Within(std::size_t(1), std::size_t(100'000));
  command->Option("--timeout", a->timeout,
                      "Wait no longer than this for all answers (30s, 10m; default: for ever)");
}

void AddBrokerOptions(Command* command, SubmitArguments* a) {
  command->Option("--host", a->host, "The broker's host, over the configuration and the environment");
  command->Option("--config", a->config, "The worker's configuration, for the broker in it");
  command->Option("--api-version", a->api_version, "Of the request (default 1)").Within(0u, 1'000'000u);
}

}  // namespace

void AddSubmitCommand(CommandLine* line) {
  Command command = line->Add("submit", "Send requests to the workers behind a broker, and take their answers");
  auto a = std::make_shared<SubmitArguments>();
  command.Footer(kFooter);
  AddRequestOptions(&command, a.get());
  AddAnswerOptions(&command, a.get());
  AddBrokerOptions(&command, a.get());
  command.Does([a] { return Submit(*a); });
}

}  // namespace tally
