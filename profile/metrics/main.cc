// tally-metrics: the agent that `tally judge --metrics` starts, and the sink that `tally metrics-sink` becomes. An
// executable of its own, dynamic, so that `tally` stays static and pays for none of this. Exit status as of `tally`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "base/error.h"
#include "profile/metrics/agent.h"
#include "profile/metrics/log.h"
#include "profile/metrics/sink.h"

namespace {

constexpr const char* kSinkFooter =
    "Receives what `tally judge --metrics CONFIG.yaml` sends, where CONFIG.yaml says\n"
    "  endpoint: http://127.0.0.1:9465/v1/deliveries\n"
    "http://127.0.0.1:9465/ shows a table; docs/metrics.md describes the database.";

int Main(int argc, char** argv) {
  using namespace tally;
  CLI::App app{"System metrics of judging: the agent (started by tally) and a small receiver", "tally-metrics"};
  app.set_version_flag("--version", "tally-metrics " TALLY_VERSION);
  app.require_subcommand(1);
  AgentArguments agent;
  auto* agent_command = app.add_subcommand("agent", "Started by `tally judge --metrics`");
  agent_command->add_option("config", agent.config_path)->required();
  agent_command->add_option("socket", agent.socket)->required();
  agent_command->add_option("dropped", agent.dropped)->required();
  agent_command->add_option("parent", agent.parent)->required();
  SinkOptions sink;
  std::optional<std::string> show;
  auto* sink_command = app.add_subcommand("sink", "A receiver that stores metrics into an SQLite file");
  sink_command->footer(kSinkFooter);
  sink_command->add_option("--listen", sink.listen, "Address and port (default 127.0.0.1:9465)");
  sink_command->add_option("--database", sink.database, "The file (default tally-metrics.db)");
  sink_command->add_option("--show", show, "Print the table of this file, and receive nothing");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    throw UserError(fmt::format("{} (`tally metrics-sink --help` tells more)", error.what()));
  }
  if (agent_command->parsed()) RunAgent(agent);
  if (!show) return RunSink(sink);
  fmt::print("{}", SummaryText(SinkStore(*show, SinkStore::Access::kRead).Summary(), *show));
  return kExitJobRan;
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_agent = argc > 1 && std::string_view(argv[1]) == "agent";
  const auto say = [is_agent](const char* what, const char* sentence) {
    // The agent's stderr is a log.
    if (is_agent) {
      tally::Log("tally-metrics").Say(fmt::format("{}{}", what, sentence));
    } else {
      fmt::print(stderr, "tally-metrics: {}{}\n", what, sentence);
    }
  };
  try {
    return Main(argc, argv);
  } catch (const tally::UserError& error) {
    say("", error.what());
    return tally::kExitUserError;
  } catch (const std::exception& error) {
    say("failure: ", error.what());
    return tally::kExitSystemError;
  }
}
