// What looks like tests or settings and was not read: a package is not judged by half in silence.
#include <algorithm>
#include <set>
#include <string_view>
#include <system_error>

#include "packages/formats.h"
#include "packages/natural_order.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 100'000;

bool LooksLikeATest(const fs::path& path) {
  const std::string extension = path.extension(), folder = path.parent_path();
  if (extension == ".txt") return folder == "input" || folder == "output";  // as CMS has them
  return extension == ".in" || extension == ".out" || extension == ".ans" || extension == ".a";
}

// A slip of the name of a file that would have been read.
bool LooksLikeSettings(const fs::path& path) {
  constexpr std::string_view kNames[] = {"tally.yml", "tally.yaml", "config.yml", "config.yaml", "problem.yaml", "problem.yml", "problem.xml",
                                         "task.yaml", "init.yml"};
  return std::find(std::begin(kNames), std::end(kNames), path.filename().string()) != std::end(kNames);
}

// Folders in which other files of those names are kept on purpose.
bool IsKeptAside(const std::string& folder) {
  constexpr std::string_view kFolders[] = {"submissions", "solutions", "prog", "input_validators", "input_format_validators", "output_validators", "output_validator",
                                           "generators", "statement", "problem_statement", "doc", "attachments", "invalid_input",
                                           "invalid_output", "checker-tests", "validator-tests", "invalid_inputs", "invalid_outputs", "cache"};
  return folder.starts_with('.') || std::find(std::begin(kFolders), std::end(kFolders), folder) != std::end(kFolders);
}

}  // namespace

std::vector<std::string> NotRead(const Package& package) {
  std::set<std::string> read;
  for (const std::string& name : package.settings) read.insert((fs::absolute(package.directory) / name).lexically_normal());
  for (const PackageTest& test : package.tests) {
    read.insert(fs::path(test.input).lexically_normal());
    read.insert(fs::path(test.answer).lexically_normal());
  }
  for (const std::string& input : package.broken_inputs) read.insert(fs::path(input).lexically_normal());
  std::vector<std::string> out;
  std::error_code ignored;
  std::size_t entries = 0;
  for (auto entry = fs::recursive_directory_iterator(package.directory, fs::directory_options::skip_permission_denied, ignored);
       entry != fs::recursive_directory_iterator() && entries < kMostEntries; entry.increment(ignored), ++entries) {
    const std::string name = entry->path().filename();
    if (entry->is_directory(ignored)) {
      if (IsKeptAside(name) || entry.depth() > 8) entry.disable_recursion_pending();
      continue;
    }
    const fs::path below = entry->path().lexically_relative(package.directory);
    const bool looks_like_it = LooksLikeATest(below) || (entry.depth() == 0 && LooksLikeSettings(below));
    if (looks_like_it && !read.contains(fs::absolute(entry->path()).lexically_normal())) out.push_back(below);
  }
  std::sort(out.begin(), out.end(), NaturallyBefore);
  return out;
}

}  // namespace tally
