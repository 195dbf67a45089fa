// The readers of package formats, each for what lies in one file or folder. Private to packages/.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
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
enum class Answers : std::uint8_t { kMustBe, kMayMiss };
// Tests of this layout, in no order. UserError where an input has no answer, unless that is another layout's.
std::vector<PackageTest> TestsIn(const std::filesystem::path& directory, const TestFolders& folders, Answers answers);

// The tests of all layouts of folders, by name. UserError where there are none.
void ReadTestFolders(Package* package, Answers answers = Answers::kMustBe);

// Each reads its file, which is there, and what goes with it. tally.yml's and Kattis' find the package's tests read; the others read them.
void ReadTallyFile(Package* package);       // tally.yml
void ReadSinolPackage(Package* package);    // config.yml
void ReadKattisPackage(Package* package);   // problem.yaml, which may be missing
void ReadPolygonPackage(Package* package);  // problem.xml
void ReadCmsPackage(Package* package);      // task.yaml
void ReadDmojPackage(Package* package);     // init.yml

// testdata.yaml and test_group.yaml of a folder with tests, where they say anything. UserError where one is no regular file.
std::vector<std::filesystem::path> KattisGroupFiles(const std::filesystem::path& folder);
// Without points: that they have no keys that nobody knows.
void CheckKattisGroups(Package* package, const std::filesystem::path& data);
// Groups of a problem with points: a folder with tests is one. After the tests are known.
void ReadKattisGroups(Package* package, const std::filesystem::path& data);
// submissions/, with the verdicts that folders, submissions.yaml and the sources themselves promise.
void ReadKattisSubmissions(Package* package);

// A key that this reader does not know is a mistake, or by the user's choice a warning.
void FinishReading(const YamlMap& yaml, Package* package);

// A file that a package names, as an absolute path. `where` fails with a sentence where it lies outside of a package of a stranger's.
enum class FileKind : std::uint8_t { kFile, kFileOrFolder };
std::string PackageFile(const Package& package, const std::string& name, const std::function<void(const std::string& why)>& fail, FileKind kind = FileKind::kFile);
// A name that a program may open in its folder: no path, and no option or pattern to anybody.
bool IsPlainFileName(std::string_view name);
// The index of the group called `name`.
std::optional<std::size_t> GroupNamed(const std::vector<TestGroup>& groups, const std::string& name);

// Why a folder or a file could not be read: the package's fault is a UserError, ours or the host's (no descriptor is left) a SystemError.
[[noreturn]] void FailReading(const std::string& path, const std::error_code& error);

// Files of the package that look like tests or settings and were not read, by their paths below it.
std::vector<std::string> NotRead(const Package& package);

// Programs in source, in a folder, by name.
std::vector<std::filesystem::path> SourcesIn(const std::filesystem::path& folder);
// FOLDER/NAME.*; of several the first by name.
std::optional<std::filesystem::path> SourceNamed(const std::filesystem::path& folder, const std::string& name);
// NAME.EXTENSION in the folder, one for each language, with the headers there: what solutions are compiled with.
std::vector<Grader> GradersIn(const std::filesystem::path& folder, const std::string& name, const std::string& solution);
// The time that tools write beside problem.yaml, where that has none.
void ReadKattisTimes(Package* package);
// A number of seconds above 0, like 1.5.
std::optional<Nanoseconds> OptionalSeconds(YamlMap* yaml, std::string_view key);
// By name: nothing is asked of the file system.
bool IsBelow(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace tally
