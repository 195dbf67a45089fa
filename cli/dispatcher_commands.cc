// `tally worker` and `tally submit`: `tally-dispatcher` with the same words.
#include <utility>

#include "cli/exec_helper.h"

namespace tally {

void AddDispatcherCommands(CommandLine* line) {
  constexpr std::pair<const char*, const char*> kCommands[] = {
      {"worker", "Take requests from RabbitMQ, and answer them"},
      {"sio-worker", "Take jobs from a sioworkersd, and answer them"},
      {"submit", "Send requests to workers, and print their answers"}};
  for (const auto& [name, description] : kCommands) {
    AddCommandOfAnother(line, name, description, "tally-dispatcher", {name});
  }
}

void AddServeCommand(CommandLine* line) { AddCommandOfAnother(line, "serve", "A resident judge over HTTP", "tally-serve", {}); }

}  // namespace tally
