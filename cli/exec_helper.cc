#include "cli/exec_helper.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error.h"
#include "base/spawn.h"

namespace tally {
namespace {

[[noreturn]] void ExecHelper(const std::string& name, std::vector<std::string> words) {
  const std::string executable = ExecutableBeside(name);
  words.insert(words.begin(), executable);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  throw SystemError("start " + executable, errno);
}

}  // namespace

void AddCommandOfAnother(CommandLine* line, const std::string& name, const std::string& description,
                         const std::string& executable, const std::vector<std::string>& words) {
  line->AddForwarded(name, description, [words, executable](const std::vector<std::string>& rest) -> int {
    std::vector<std::string> all = words;
    all.insert(all.end(), rest.begin(), rest.end());
    ExecHelper(executable, std::move(all));
  });
}

}  // namespace tally
