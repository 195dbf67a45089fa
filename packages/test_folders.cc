// Tests as pairs of files, an input and its answer.
#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"
#include "packages/formats.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// One folder's. `group` is its path below the layout's, "" or "g1/".
void AddTests(const fs::path& inputs, const fs::path& answers, const TestFolders& folders, Answers needed, const std::string& group, std::vector<PackageTest>* tests) {
  std::error_code error;
  const fs::directory_iterator entries(inputs, error);
  if (error && error.value() != ENOENT && error.value() != ENOTDIR) FailReading(inputs, error);
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename();
    if (folders.has_groups && entry.is_directory() && !entry.is_symlink() && !name.starts_with('.')) {
      AddTests(entry.path(), answers / name, folders, needed, group + name + "/", tests);
    }
    if (entry.path().extension() != ".in" || !entry.is_regular_file()) continue;
    const std::string stem = entry.path().stem();
    const fs::path answer = answers / (stem + folders.answer_extension);
    if (!fs::exists(answer)) {
      const fs::path other = fs::path(answer).replace_extension(answer.extension() == ".out" ? ".ans" : ".out");
      if (fs::exists(other)) continue;  // another layout's
      if (needed == Answers::kMayMiss) {
        tests->push_back({.name = folders.prefix + group + stem, .input = fs::absolute(entry.path()), .answer = kNoAnswer});
        continue;
      }
      throw UserError(fmt::format("{}: its answer {} is missing", entry.path().string(), answer.string()));
    }
    if (!fs::is_regular_file(answer)) throw UserError(fmt::format("{}: expected a regular file", answer.string()));
    tests->push_back({.name = folders.prefix + group + stem, .input = fs::absolute(entry.path()), .answer = fs::absolute(answer)});
  }
}

}  // namespace

std::vector<PackageTest> TestsIn(const fs::path& directory, const TestFolders& folders, Answers answers) {
  std::vector<PackageTest> tests;
  AddTests(directory / folders.inputs, directory / folders.answers, folders, answers, "", &tests);
  return tests;
}

}  // namespace tally
