#include "front_ends/runguard/request.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace tally::runguard {
namespace {

constexpr std::uint32_t kMostProcesses = 1024;  // where any number is allowed

Limits LimitsOf(const Options& options) {
  Limits limits;
  if (options.cpu_time) limits.cpu_time = options.cpu_time->hard;
  if (options.wall_time) limits.wall_time = options.wall_time->hard;
  limits.memory = options.memory;
  limits.file_size = options.file_size;
  limits.processes = std::min(options.processes.value_or(kMostProcesses), kMostProcesses);
  return limits;
}

std::vector<std::string> EnvironmentOf(const Options& options) {
  std::vector<std::string> entries;
  for (char** entry = ::environ; options.full_environment && *entry != nullptr; ++entry) entries.emplace_back(*entry);
  const char* const path = std::getenv("PATH");
  if (!options.full_environment && path != nullptr) entries.push_back("PATH=" + std::string(path));
  for (const std::string& variable : options.environment) {
    const std::string name = variable.substr(0, variable.find('=') + 1);
    std::erase_if(entries, [&name](const std::string& entry) { return entry.starts_with(name); });
    entries.push_back(variable);
  }
  return entries;
}

}  // namespace

RunRequest MakeRequest(const Options& options, const View& view) {
  RunRequest request;
  request.program = view.program;
  request.argv = options.command;
  request.env = EnvironmentOf(options);
  request.work_dir = view.work_dir;
  request.limits = LimitsOf(options);
  request.may_execute = true;
  request.syscalls = SyscallCounting::kOff;
  return request;
}

}  // namespace tally::runguard
