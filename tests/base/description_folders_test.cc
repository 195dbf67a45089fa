#include "base/description_folders.h"

#include <cstdlib>
#include <filesystem>

#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

TEST_CASE("descriptions: the first folder with a name wins, templates and other files are not listed",
          "[yaml]") {
  const ScratchFolder scratch;
  const std::string first = scratch.Write("1/a.yaml", "x: 1\n");
  scratch.Write("2/a.yaml", "x: 2\n");
  const std::string b = scratch.Write("2/b.yaml", "x: 2\n");
  for (const char* other : {"1/template.yaml", "1/.hidden.yaml", "1/README.md", "1/b.yaml~", "1/b c.yaml"}) {
    scratch.Write(other, "");
  }
  const DescriptionFolders folders({scratch.path() + "/1", scratch.path() + "/none", scratch.path() + "/2"});
  CHECK(folders.Find("a") == first);
  CHECK(folders.Find("b") == b);
  CHECK_FALSE(folders.Find("c").has_value());
  CHECK_FALSE(folders.Find("template").has_value());
  const auto list = folders.List();
  REQUIRE(list.size() == 2);
  CHECK(list[0].path == first);
  CHECK(list[1].name == "b");
  CHECK(folders.Searched() ==
        scratch.path() + "/1, " + scratch.path() + "/none (no such folder), " + scratch.path() + "/2");
}

TEST_CASE("descriptions: a name cannot leave its folder", "[yaml]") {
  const ScratchFolder scratch;
  scratch.Write("secret.yaml", "x: 1\n");
  scratch.Write("in/a.yaml", "x: 1\n");
  const DescriptionFolders folders({scratch.path() + "/in"});
  CHECK(folders.Find("a").has_value());
  for (const char* name : {"../secret", "/etc/passwd", "", ".", "..", "a/../a", "a b", "a\n"}) {
    CAPTURE(name);
    CHECK_FALSE(folders.Find(name).has_value());
  }
}

TEST_CASE("descriptions: the environment variable comes first, then the user's, then the shipped ones",
          "[yaml]") {
  ::setenv("TALLY_TEST_FOLDERS", "/x::/y/z:", 1);
  ::setenv("XDG_CONFIG_HOME", "/home/someone/conf", 1);
  const DescriptionFolders folders("TALLY_TEST_FOLDERS", "sandboxes");
  ::unsetenv("TALLY_TEST_FOLDERS");
  ::unsetenv("XDG_CONFIG_HOME");
  REQUIRE(folders.folders().size() == 4);
  CHECK(folders.folders()[0] == "/x");
  CHECK(folders.folders()[1] == "/y/z");
  CHECK(folders.folders()[2] == "/home/someone/conf/tally/sandboxes");
  // This test runs from the build folder, so it uses the source's own.
  CHECK(folders.folders()[3] == std::string(TALLY_SOURCE_DIR) + "/sandboxes");
}

TEST_CASE("descriptions: the operator's in /etc/tally come before the installed ones", "[yaml]") {
  const auto folders = FoldersOfExecutable("/opt/judge/bin/tally", "compilers");
  REQUIRE(folders.size() == 3);
  CHECK(folders[0] == "/etc/tally/compilers");
  CHECK(folders[1] == "/opt/judge/share/tally/compilers");
  CHECK(folders[2].ends_with("/share/tally/compilers"));
}

TEST_CASE("descriptions: what is being built reads nothing of the machine's", "[yaml]") {
  CHECK(FoldersOfExecutable(TALLY_BUILD_DIR "/bin/tally", "stacks") ==
        std::vector<std::string>{TALLY_SOURCE_DIR "/stacks"});
}

}  // namespace
}  // namespace tally
