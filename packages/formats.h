// The readers of package formats, each for what lies in one file or folder. Private to packages/.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml_fields.h"
#include "packages/package.h"

namespace tally {

// Where the tests of a layout lie. Test names carry `prefix`, and where folders are groups the folder's name below `inputs`.
struct TestFolders {
  const char* inputs;
  const char* answers;
  const char* answer_extension;
  const char* prefix;
  bool has_groups;
};
// Tests of this layout, in no order. UserError where an input has no answer, unless that is another layout's.
std::vector<PackageTest> TestsIn(const std::filesystem::path& directory, const TestFolders& folders);

// Each reads its settings into the package, and notes which file they were in; false: there is none.
bool ReadTallyFile(Package* package);     // tally.yml
bool ReadSinolConfig(Package* package);   // config.yml
bool ReadPolygonPackage(Package* package);  // problem.xml, its tests too
void ReadKattisPackage(Package* package);   // problem.yaml, if it is there, and what goes with it; after the tests are known

// Files of the package that look like tests or settings and were not read, by their paths below it.
std::vector<std::string> NotRead(const Package& package);

// Programs in source, in a folder, by name.
std::vector<std::filesystem::path> SourcesIn(const std::filesystem::path& folder);
// A number of seconds above 0, like 1.5.
std::optional<Nanoseconds> OptionalSeconds(YamlMap* yaml, std::string_view key);
// By name: nothing is asked of the file system.
bool IsBelow(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace tally
