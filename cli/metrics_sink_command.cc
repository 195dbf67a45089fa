// `tally metrics-sink`: becomes `tally-metrics sink`, which lies beside us and brings libraries that we do without.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/commands.h"
#include "profile/metrics/channel.h"

namespace tally {
namespace {

[[noreturn]] void BecomeSink(std::vector<std::string> words) {
  const std::string executable = MetricsExecutable();
  words.insert(words.begin(), {executable, "sink"});
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  throw SystemError("start " + executable, errno);
}

}  // namespace

void AddMetricsSinkCommand(CLI::App* app, Action* action) {
  auto* command = app->add_subcommand("metrics-sink", "Receive metrics into an SQLite file, and show them");
  // All of it is for the other executable, --help included.
  command->set_help_flag();
  command->prefix_command();
  command->callback([command, action] { *action = [words = command->remaining()]() -> int { BecomeSink(words); }; });
}

}  // namespace tally
