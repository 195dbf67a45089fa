// Folders that cannot be removed by who goes down into them.
#include "base/folder_tree.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/fd.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// So many folders, each in the one before, with a file and a link in each; names of `length` letters.
void MakeDeep(const std::string& top, int levels, std::size_t length) {
  Fd folder(::open(top.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::string name(length, 'd');
  for (int i = 0; i < levels; ++i) {
    REQUIRE(::mkdirat(folder.get(), name.c_str(), 0700) == 0);
    folder = Fd(::openat(folder.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    Fd(::openat(folder.get(), "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    REQUIRE(::symlinkat("..", folder.get(), "up") == 0);
  }
}

TEST_CASE("folder tree: however deep, wide or closed, it goes, and nothing beside it", "[folder_tree]") {
  const ScratchFolder folder;
  const std::string top = folder.path() + "/top", beside = folder.path() + "/beside";
  std::ofstream(beside) << "stays";
  fs::create_directory(top);
  MakeDeep(top, 3000, 30);
  for (int i = 0; i < 2000; ++i) std::ofstream(top + "/wide" + std::to_string(i));
  fs::create_directories(top + "/closed/inside/more");
  fs::create_symlink(beside, top + "/closed/link");
  ::chmod((top + "/closed/inside").c_str(), 0);
  ::chmod((top + "/closed").c_str(), 0);
  ::mkfifo((top + "/fifo").c_str(), 0600);
  std::ofstream(top + "/tally-up-1");  // a name of ours
  fs::create_directories(top + "/tally-up-2/a/b");
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{64, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  RemoveFolder(top);
  ::setrlimit(RLIMIT_NOFILE, &before);
  CHECK_FALSE(fs::exists(fs::symlink_status(top)));
  CHECK(fs::exists(beside));
  RemoveFolder(top);  // none is no mistake
}

TEST_CASE("folder tree: a link is removed and not what it leads to; emptying keeps the folder", "[folder_tree]") {
  const ScratchFolder folder;
  const std::string real = folder.path() + "/real", link = folder.path() + "/link";
  fs::create_directories(real + "/a/b/c");
  fs::create_symlink(real, link);
  RemoveFolder(link);
  CHECK_FALSE(fs::exists(fs::symlink_status(link)));
  CHECK(fs::exists(real + "/a/b/c"));
  EmptyFolder(real);
  CHECK(fs::is_empty(real));
}

}  // namespace
}  // namespace tally
