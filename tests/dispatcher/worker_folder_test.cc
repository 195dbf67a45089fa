// Where a worker keeps temporary files, when nobody says: a folder among those of all users.
#include "dispatcher/worker_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

class TemporaryIs {
 public:
  explicit TemporaryIs(const std::string& folder) {
    if (const char* const before = std::getenv("TMPDIR")) before_ = before;
    ::setenv("TMPDIR", folder.c_str(), 1);
  }
  ~TemporaryIs() { before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1); }
  TemporaryIs(const TemporaryIs&) = delete;
  TemporaryIs& operator=(const TemporaryIs&) = delete;

 private:
  std::string before_;
};

std::string Mistake() {
  try {
    const WorkerFolder folder("");
    return "none";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST_CASE("work folder: one that others could change is refused, whoever made it", "[worker]") {
  const ScratchFolder scratch;
  const TemporaryIs temporary(scratch.path());
  const std::string folder = fmt::format("{}/tally-workers-{}", scratch.path(), ::geteuid());
  const std::string refusal = fmt::format("work_folder: {} is not a folder that only we may write to; name another one", folder);
  CHECK(Mistake() == "none");
  ::chmod(folder.c_str(), 0777);
  CHECK(Mistake() == refusal);
  ::chmod(folder.c_str(), 0700);
  CHECK(Mistake() == "none");
  REQUIRE(::rename(folder.c_str(), (folder + ".real").c_str()) == 0);
  REQUIRE(::symlink((folder + ".real").c_str(), folder.c_str()) == 0);
  CHECK(Mistake() == refusal);
  ::unlink(folder.c_str());
  if (::geteuid() != 0) TALLY_SKIP("only root may give a folder to somebody else");
  REQUIRE(::mkdir(folder.c_str(), 0700) == 0);
  REQUIRE(::chown(folder.c_str(), 4321, 4321) == 0);
  CHECK(Mistake() == refusal);
}

}  // namespace
}  // namespace tally
