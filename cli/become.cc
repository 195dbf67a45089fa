#include "cli/become.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>

#include "base/error.h"
#include "base/spawn.h"

namespace tally {
namespace {

[[noreturn]] void Become(const std::string& name, std::vector<std::string> words) {
  const std::string executable = ExecutableBeside(name);
  words.insert(words.begin(), executable);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  throw SystemError("start " + executable, errno);
}

}  // namespace

void AddCommandOfAnother(CLI::App* app, Action* action, const std::string& name, const std::string& description,
                         const std::string& executable, const std::vector<std::string>& words) {
  auto* command = app->add_subcommand(name, description);
  command->set_help_flag();
  command->prefix_command();
  command->callback([command, action, executable, words] {
    *action = [all = words, rest = command->remaining(), executable]() mutable -> int {
      all.insert(all.end(), rest.begin(), rest.end());
      Become(executable, all);
    };
  });
}

}  // namespace tally
