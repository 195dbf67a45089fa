// Settings of packages: tally.yml, sinol's config.yml, Kattis' problem.yaml and Polygon's problem.xml from arbitrary bytes.
#include <filesystem>

#include "packages/package.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/scratch_folder.h"

namespace {

using namespace tally;

void ReadAs(const std::string& name, std::string_view text) {
  static const ScratchFolder folder;
  static const bool has_tests = !folder.Write("1.in", "").empty() && !folder.Write("1.out", "").empty();
  fuzz::Require(has_tests);
  const std::string file = folder.Write(name, text);
  fuzz::MayRefuse([&] {
    const Package package = ReadPackage(folder.path());
    fuzz::Require(package.limits_from == name || package.limits_from == "defaults");
    fuzz::Require(!package.tests.empty());
    fuzz::Require(!package.time || package.time->count() > 0);
    fuzz::Require(!package.memory || package.memory->count > 0);
    fuzz::Require(package.processes > 0);
  });
  std::filesystem::remove(file);
}

}  // namespace

TALLY_FUZZ_TARGET(package) {
  for (const char* name : {"tally.yml", "config.yml", "problem.yaml", "problem.xml"}) ReadAs(name, input);
}
