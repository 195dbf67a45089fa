// Files that could be made again: who may use them, and which go.
#include "base/file_cache.h"

#include <chrono>
#include <filesystem>
#include <vector>

#include "base/cache_folder.h"
#include "base/error.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::size_t FilesIn(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("file cache: beyond the limit the files go that were not used for longest", "[cache]") {
  const ScratchFolder folder;
  const FileCache store(folder.path() + "/kept", Bytes{1000});
  REQUIRE(store.IsOpen());
  const std::vector<std::uint8_t> bytes(300, 7);
  const auto age = [&](const std::string& name, int hours) {
    fs::last_write_time(folder.path() + "/kept/" + name,
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  store.Write("first", bytes), age("first", 10);
  store.Write("second", bytes), age("second", 20);
  store.Write("third", bytes), age("third", 5);
  CHECK(FilesIn(folder.path() + "/kept") == 3);
  CHECK(store.Read("second"));  // is used now
  store.Write("fourth", bytes);
  CHECK_FALSE(store.Read("first"));
  CHECK_FALSE(store.Read("third"));
  CHECK(store.Read("second"));
  CHECK(store.Read("fourth"));
  store.Write("too large", std::vector<std::uint8_t>(1001));
  CHECK_FALSE(store.Read("too large"));
}

TEST_CASE("file cache: a folder or a file that is open to others is not used", "[cache]") {
  const ScratchFolder folder;
  const std::vector<std::uint8_t> bytes(3, 7);
  const FileCache store(folder.path() + "/kept");
  store.Write("file", bytes);
  REQUIRE(store.Read("file"));
  fs::permissions(folder.path() + "/kept/file", fs::perms::group_write, fs::perm_options::add);
  CHECK_FALSE(store.Read("file"));
  fs::permissions(folder.path() + "/kept", fs::perms::others_read, fs::perm_options::add);
  CHECK_FALSE(FileCache(folder.path() + "/kept").IsOpen());
  CHECK_FALSE(FileCache("").IsOpen());
}

}  // namespace tally
