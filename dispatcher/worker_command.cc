// `tally worker`: takes requests from RabbitMQ and answers them, until somebody ends it (SIGTERM; twice: at once).
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "dispatcher/commands.h"
#include "dispatcher/worker.h"
#include "profile/metrics/config.h"

namespace tally {
namespace {

struct WorkerArguments {
  std::string config_path;  // "": none
  bool check = false;
};

int RunWorker(const WorkerArguments& arguments) {
  std::optional<YamlMap> yaml;
  if (!arguments.config_path.empty()) yaml = YamlMap::FromFile(arguments.config_path);
  const WorkerConfig config = ReadWorkerConfig(std::move(yaml), FromProcessEnvironment);
  if (arguments.check) {
    if (!config.metrics.empty()) ReadMetricsConfig(YamlMap::FromFile(config.metrics));
    return kExitJobRan;
  }
  try {
    Worker(config).Run();
    return kExitJobRan;
  } catch (const UserError& error) {
    WorkerLog(config.log).Error("worker cannot work", {{"reason", error.what()}});
    return kExitUserError;
  } catch (const std::exception& error) {
    WorkerLog(config.log).Error("worker fails", {{"reason", error.what()}});
    return kExitSystemError;
  }
}

constexpr const char* kFooter =
    "Settings are described in docs/dispatcher.md; variables EVA_DISPATCHER_... are over those of the file. Example:\n"
    "  EVA_DISPATCHER_RABBITMQ_HOST=broker.example tally worker --config worker.yaml";

}  // namespace

void AddWorkerCommand(CommandLine* line) {
  Command command = line->Add("worker", "Take requests from RabbitMQ, and answer them");
  auto arguments = std::make_shared<WorkerArguments>();
  command.Footer(kFooter);
  command.Option("--config", arguments->config_path, "Settings (YAML)");
  command.Flag("--check", arguments->check, "Read the settings, and do nothing more");
  command.Does([arguments] { return RunWorker(*arguments); });
}

}  // namespace tally
