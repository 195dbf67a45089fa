// What a solution in C or C++ finds, and can leave behind, where it is compiled and run once more for its coverage. What it
// does there is told by the lines that are covered, as a solution would tell it.
#include <string>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"

namespace tally {
namespace {

using nlohmann::json;

json Covered(const std::string& solution) {
  const json answer = Evaluated({.stack = "c-assert",
                                 .solution = {{"one.c", solution}},
                                 .tests = {{"t.c", "#include <assert.h>\nint one(void);\nint main(void) { assert(one() == 1); return 0; }\n"}}});
  INFO(answer.dump(1));
  CHECK(StatusOf(answer, "t") == "passed");
  REQUIRE(answer["result"]["test"]["coverage"].is_object());
  return answer["result"]["test"]["coverage"]["files"][0];
}

TEST_CASE("C: tests are in no folder when a solution is compiled for coverage, nor when it is run for it") {
  const json file = Covered(R"(#include <unistd.h>
int one(void) {
#if __has_include("/box/tests/t.c")
  static volatile int compiled_beside_the_tests;
  compiled_beside_the_tests = 1;
#endif
  if (access("/box/tests/t.c", F_OK) == 0 || access("/box/out/1.gcno", F_OK) == 0)
    return 1;
  return 1;
}
)");
  CHECK(file["missed_lines"] == json{8});
  CHECK(file["lines"]["total"] == 4);  // 2, 7, 8, 9
}

TEST_CASE("C: what a solution writes when it is run for coverage is bounded, in bytes and in files") {
  const json file = Covered(R"(#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static char block[1 << 20];
static int MiBWritten(const char *path) {
  int fd = open(path, O_WRONLY | O_CREAT, 0600), count = 0;
  while (fd >= 0 && count < 200 && write(fd, block, sizeof block) == sizeof block) ++count;
  close(fd);
  return count;
}
int one(void) {
  char path[64];
  int counters = 0, files = 0;
  int out = MiBWritten("/box/out/x") + MiBWritten("/box/out/run/x") + MiBWritten("/box/include/x");
  for (int i = 0; i < 5; ++i) {
    snprintf(path, sizeof path, "/box/counters/x%d", i);
    counters += MiBWritten(path);
  }
  for (int i = 0; i < 5; ++i) {
    snprintf(path, sizeof path, "/box/counters/x%d", i);
    unlink(path);
  }
  for (files = 0; files < 100000; ++files) {
    snprintf(path, sizeof path, "/box/counters/y%d", files);
    if (symlink("x", path) != 0) break;
  }
  for (int i = 0; i < files; ++i) {
    snprintf(path, sizeof path, "/box/counters/y%d", i);
    unlink(path);
  }
  if (out > 0)
    return 1;
  if (counters > 128)
    return 1;
  if (files == 100000)
    return 1;
  return 1;
}
)");
  CHECK(file["missed_lines"] == json{32, 34, 36});
}

}  // namespace
}  // namespace tally
