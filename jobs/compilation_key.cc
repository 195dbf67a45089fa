#include "jobs/compilation_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/sys.h"
#include "sandboxes/sha256.h"

namespace tally {
namespace {

// What follows one of these begins in no other way, so that two inputs have no key in common.
void Add(Sha256* sum, std::string_view text) {
  sum->Update(fmt::format("{}:", text.size()));
  sum->Update(text);
}

void Add(Sha256* sum, const std::vector<std::string>& words) {
  sum->Update(fmt::format("{} words ", words.size()));
  for (const std::string& word : words) Add(sum, word);
}

}  // namespace

std::string CompilationKey(const std::vector<std::vector<std::string>>& commands, const std::vector<std::string>& environment,
                           const Toolchain& toolchain, const std::string& work) {
  Sha256 sum;
  Add(&sum, TALLY_VERSION);
  for (const std::vector<std::string>& command : commands) Add(&sum, command);
  Add(&sum, environment);
  for (const auto& [name, path] : toolchain.tools) Add(&sum, StampOf(path));
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(work)) {
    if (entry.is_regular_file()) files.push_back(std::filesystem::path(entry.path()).lexically_relative(work));
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) Add(&sum, {file, sys::ReadFile(work + "/" + file)});
  return sum.Finish();
}

}  // namespace tally
