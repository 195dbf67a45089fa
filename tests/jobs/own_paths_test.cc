// What is told to strangers of our folders: nothing.
#include "jobs/own_paths.h"

#include <string>

#include "tests/support/catch.h"
#include "tests/support/scoped_variable.h"

namespace tally {
namespace {

TEST_CASE("own paths: names stay, our folders do not") {
  const ScopedVariable temporary("TMPDIR", "/var/lib/tally/instance-1"), store("FILETRACKER_DIR", "/srv/files");
  const auto told = [](const std::string& sentence) { return WithoutOwnPaths(sentence); };
  CHECK(told("open /var/lib/tally/instance-1/tally-job-AbC123/in: No such file or directory") == "open in: No such file or directory");
  CHECK(told("write 5 bytes below /var/lib/tally/instance-1/tally-job-AbC123: No space left on device") == "write 5 bytes below a temporary folder: No space left on device");
  CHECK(told("mkdir /var/lib/tally/instance-1/tally-job-a/x/y, and /var/lib/tally/instance-1/z") == "mkdir x/y, and z");
  CHECK(told("in_file: /srv/files/files/problems/1/in: the zip archive is damaged") == "in_file: /problems/1/in: the zip archive is damaged");
  CHECK(told("/srv/files/lock: Permission denied") == "/lock: Permission denied");
  CHECK(told("exec_time_limit: 0 ms") == "exec_time_limit: 0 ms");
  CHECK(told("").empty());
}

}  // namespace
}  // namespace tally
