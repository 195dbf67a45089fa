// What has a stream's name is no file to be replaced, wherever it leads.
#include "base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("atomic file: a stream's name that leads to a file stays a link, and the file is written to", "[atomic_file]") {
  const ScratchFolder folder;
  const std::string path = folder.Write("log", "before\n");
  const Fd file = sys::Open(path, O_WRONLY | O_APPEND);
  const std::string name = "/proc/self/fd/" + std::to_string(file.get());
  CHECK_THROWS_AS(WriteFileAtomically(name, "x", "--out"), UserError);
  WriteFileOrStream(name, "after\n", "--out");
  CHECK(TextOf(path) == "before\nafter\n");
  CHECK(std::filesystem::is_symlink(name));
}

TEST_CASE("atomic file: a file in /dev/shm is one, and appears whole", "[atomic_file]") {
  const std::string path = "/dev/shm/tally-test-" + std::to_string(::getpid());
  WriteFileOrStream(path, "one", "--out");
  WriteFileOrStream(path, "two", "--out");
  CHECK(TextOf(path) == "two");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace tally
