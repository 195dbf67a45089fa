// Checkers and other programs of a package are compiled once: what is made of them is kept by what it follows from.
#include <fcntl.h>

#include <filesystem>

#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> Kept(const ScratchFolder& folder) {
  std::vector<fs::path> out;
  if (!fs::exists(folder.path() + "/cache/tools")) return out;
  for (const auto& entry : fs::directory_iterator(folder.path() + "/cache/tools")) out.push_back(entry.path());
  return out;
}

class JudgedPackage {
 public:
  JudgedPackage() {
    folder_.Write("p/in/1.in", "1\n");
    folder_.Write("p/out/1.out", "1\n");
    folder_.Write("p/tally.yml", "title: x\nchecker: check.c\nchecker_protocol: testlib\n");
    folder_.Write("p/check.c", "#include \"answer.h\"\nint main(void) { return ANSWER; }\n");
    folder_.Write("p/answer.h", "#define ANSWER 0\n");
    folder_.Write("one.c", "#include <stdio.h>\nint main(void) { puts(\"1\"); return 0; }\n");
  }
  [[nodiscard]] const ScratchFolder& folder() const { return folder_; }
  [[nodiscard]] std::string Code(const Words& more = {}) const {
    Words words{"judge", "--json", "p", "one.c"};
    words.insert(words.end(), more.begin(), more.end());
    const CliResult result = Tally(words, {.directory = folder_.path(), .environment = {"TALLY_CACHE=" + folder_.path() + "/cache"}});
    INFO(result.out << result.error);
    return result.json()["solutions"][0]["tests"][0]["result_code"].get<std::string>();
  }

 private:
  ScratchFolder folder_;
};

}  // namespace

TEST_CASE("tools: a checker is compiled once, and anew when a header or the source has changed", "[cli][tools]") {
  const JudgedPackage judged;
  CHECK(judged.Code() == "OK");
  REQUIRE(Kept(judged.folder()).size() == 1);
  CHECK(judged.Code() == "OK");
  CHECK(judged.Code({"--isolation", "reduced"}) == "OK");
  CHECK(Kept(judged.folder()).size() == 1);
  judged.folder().Write("p/answer.h", "#define ANSWER 1\n");
  CHECK(judged.Code() == "WA");
  CHECK(Kept(judged.folder()).size() == 2);
  judged.folder().Write("p/check.c", "int main(void) { return 0; }\n");
  CHECK(judged.Code() == "OK");
  CHECK(Kept(judged.folder()).size() == 3);
}

TEST_CASE("tools: what was kept is what runs, and nothing that others may write to", "[cli][tools]") {
  const JudgedPackage judged;
  CHECK(judged.Code() == "OK");
  REQUIRE(Kept(judged.folder()).size() == 1);
  const fs::path kept = Kept(judged.folder()).front();
  const std::string wrong = sys::ReadFile("/bin/false");
  {
    const Fd file = sys::Open(kept, O_WRONLY | O_TRUNC);
    sys::WriteAll(file.get(), wrong, kept.string());
  }
  CHECK(judged.Code() == "WA");
  fs::permissions(kept, fs::perms::others_write, fs::perm_options::add);
  CHECK(judged.Code() == "OK");
}

TEST_CASE("tools: a checker that does not compile is not kept, and told each time", "[cli][tools]") {
  const JudgedPackage judged;
  judged.folder().Write("p/check.c", "int main(void) { return nothing; }\n");
  for (int i = 0; i < 2; ++i) {
    const CliResult result = Tally({"judge", "p", "one.c"}, {.directory = judged.folder().path(), .environment = {"TALLY_CACHE=" + judged.folder().path() + "/cache"}});
    CHECK(result.status == 1);
    CHECK(Has(result.error, "check.c: compilation failed"));
    CHECK(Has(result.error, "nothing"));
  }
  CHECK(Kept(judged.folder()).empty());
}

}  // namespace tally
