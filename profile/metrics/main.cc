// tally-metrics: the agent that `tally judge --metrics` starts, and the sink that `tally metrics-sink` becomes. An
// executable of its own, dynamic, so that `tally` stays static and pays for none of this. Exit status as of `tally`.
#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/command_line.h"
#include "base/error.h"
#include "base/sys.h"
#include "profile/metrics/agent.h"
#include "profile/metrics/log.h"
#include "profile/metrics/sink.h"

namespace tally {
namespace {

constexpr const char* kSinkFooter =
    "Receives what `tally judge --metrics CONFIG.yaml` sends, where CONFIG.yaml says\n"
    "  endpoint: http://127.0.0.1:9465/v1/deliveries\n"
    "http://127.0.0.1:9465/ shows a table; docs/metrics.md describes the database. Examples:\n"
    "  tally metrics-sink --database figures.db\n"
    "  tally metrics-sink --show figures.db";

int Show(const std::string& database) {
  fmt::print("{}", SummaryText(SinkStore(database, SinkStore::Access::kRead).Summary(), database));
  return kExitJobRan;
}

int Main(int argc, char** argv) {
  CommandLine line("System metrics of judging: the agent (started by tally) and a small receiver", "tally", argc, argv);
  line.Version("tally-metrics " TALLY_VERSION);
  AgentArguments agent;
  Command agent_command = line.Add("agent", "Started by `tally judge --metrics`");
  agent_command.Option("config", agent.config_path).Required();
  agent_command.Option("socket", agent.socket).Required();
  agent_command.Option("dropped", agent.dropped).Required();
  agent_command.Option("parent", agent.parent).Required();
  agent_command.Hide();
  agent_command.Does([&agent]() -> int { RunAgent(agent); });
  SinkOptions sink;
  std::optional<std::string> show;
  Command sink_command = line.Add("metrics-sink", "Receive metrics into an SQLite file, and show them");
  sink_command.Footer(kSinkFooter);
  sink_command.Option("--listen", sink.listen, "Address and port (default 127.0.0.1:9465)");
  sink_command.Option("--database", sink.database, "The file (default tally-metrics.db)");
  sink_command.Option("--show", show, "Print the table of this file, and receive nothing");
  sink_command.Does([&sink, &show] { return show ? Show(*show) : RunSink(sink); });
  return line.Run("tally");
}

}  // namespace
}  // namespace tally

int main(int argc, char** argv) {
  tally::sys::ReapOwnChildren();
  const bool is_agent = argc > 1 && std::string_view(argv[1]) == "agent";
  const auto say = [is_agent](const char* what, const char* sentence) {
    // The agent's stderr is a log.
    if (is_agent) {
      tally::Log("tally-metrics").Say(fmt::format("{}{}", what, sentence));
    } else {
      tally::Complain(fmt::format("tally: {}{}", what, sentence));  // who receives came here from `tally metrics-sink`
    }
  };
  try {
    return tally::Main(argc, argv);
  } catch (const tally::UserError& error) {
    say("", error.what());
    return tally::kExitUserError;
  } catch (const std::exception& error) {
    say("failure: ", error.what());
    return tally::kExitSystemError;
  }
}
