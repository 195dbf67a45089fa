#include "jobs/remote_files.h"

#include <string_view>
#include <vector>

#include "base/command.h"
#include "base/error.h"
#include "base/spawn.h"

namespace tally {
namespace {

// All its tries on a server that hangs; one that moves is waited for.
constexpr Nanoseconds kLongest = std::chrono::minutes(30);

}  // namespace

std::string RemoteFiles::Ask(const std::string& what, const std::string& name, const std::string& file) const {
  std::vector<std::string> words{ExecutableBeside("tally-filetracker"), what, "--url", url_, name};
  if (!file.empty()) words.push_back(file);
  const CommandEnd end = RunCommand(words, {}, kLongest);
  if (end.is_success) return end.said;
  constexpr std::string_view kOurs = "tally-filetracker: ", kFailure = "failure: ";
  std::string_view said = end.said;
  if (said.starts_with(kOurs)) said.remove_prefix(kOurs.size());
  if (!said.starts_with(kFailure)) throw UserError(std::string(said));
  throw SystemError(said.substr(kFailure.size()), 0);
}

std::string RemoteFiles::Fetch(const std::string& name) const { return Ask("get", name, ""); }
std::string RemoteFiles::Put(const std::string& name, const std::string& local_path) const { return Ask("put", name, local_path); }

}  // namespace tally
