// Counts recorded once and compared again.
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

std::string ReadLine(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

// A folder with two programs, one of which has been recorded with an input.
struct Recorded {
  ScratchFolder folder;
  std::string file = folder.path() + "/counts.jsonl";
  std::string program = folder.path() + "/bin/sum";

  Recorded() {
    std::filesystem::create_directory(folder.path() + "/bin");
    std::filesystem::copy_file(TestProgram("sum_numbers"), program);
    folder.Write("1.in", "1 2 3\n");
    const CliResult result = Tally({"verify-counts", "--record", file, "--stdin", folder.path() + "/1.in", "--", program});
    CHECK(result.status == 0);
    CHECK(result.out.empty());
    CHECK(result.error.empty());
  }
};

TEST_CASE("verify-counts: what was recorded is counted again, by either counter, from anywhere", "[cli][counts]") {
  const Recorded recorded;
  const Json record = Json::parse(ReadLine(recorded.file));
  CHECK(record["exe_file"] == "bin/sum");
  CHECK(record["in_file"] == "1.in");
  CHECK(record["result_code"] == "OK");
  CHECK(record["exectime_used"] > 1000);
  CHECK(record["exe_sha256"].get<std::string>().size() == 64);
  const CliResult second = Tally({"verify-counts", "--record", recorded.file, "--seed", "4", "--cpu", "x86-64-v2", "--",
                                  TestProgram("virtual_machine_dynamic")});
  CHECK(second.status == 0);
  for (const Words& options : {Words{}, Words{"--counter", "step"}}) {
    Words words{"verify-counts", recorded.file};
    words.insert(words.end(), options.begin(), options.end());
    const CliResult result = Tally(words);
    CAPTURE(result.error);
    CHECK(result.status == 0);
    CHECK(result.out == "2 of 2 as recorded\n");
  }
}

TEST_CASE("verify-counts: each difference is a sentence, and the status is 1", "[cli][counts]") {
  const Recorded recorded;
  Json record = Json::parse(ReadLine(recorded.file));
  const std::uint64_t count = record["exectime_used"];
  record["exectime_used"] = 7;
  const std::string wrong = recorded.folder.Write("wrong.jsonl", record.dump() + "\n");
  CliResult result = Tally({"verify-counts", wrong});
  CHECK(result.status == 3);
  CHECK(result.out == "record 1: bin/sum: exectime_used 7 was recorded, now it is " + std::to_string(count) +
                          "\n0 of 1 as recorded\n");
  recorded.folder.Write("1.in", "1 2 3 4\n");
  result = Tally({"verify-counts", recorded.file});
  CHECK(result.status == 3);
  CHECK(result.out.starts_with("record 1: bin/sum: in_sha256 "));
}

TEST_CASE("verify-counts: the archive of a sandbox is a file of the record, too", "[cli][counts]") {
  const ScratchFolder folder;
  const CliOptions options{.environment = {"TALLY_SANDBOXES=" + folder.path(), "TALLY_CACHE=" + folder.path() + "/cache"}};
  const auto make_sandbox = [&](const std::string& file) {
    folder.Write(file, "in the root\n");
    const CliResult sum = Shell("tar -C " + folder.path() + " -cf " + folder.path() + "/root.tar " + file + " && sha256sum < " + folder.path() + "/root.tar");
    folder.Write("pinned.yaml", "title: Pinned\nroot:\n  archive: root.tar\n  sha256: " + sum.out.substr(0, 64) + "\nmounts:\n  - dev: /dev\n");
  };
  const std::string file = folder.path() + "/counts";
  make_sandbox("a");
  CHECK(Tally({"verify-counts", "--record", file, "--sandbox", "pinned", "--", TestProgram("hello")}, options).error.empty());
  CHECK(Tally({"verify-counts", file}, options).out == "1 of 1 as recorded\n");
  make_sandbox("b");
  const CliResult other = Tally({"verify-counts", file}, options);
  CHECK(other.status == 3);
  CHECK(Has(other.out, ": sandbox_sha256 "));
}

TEST_CASE("verify-counts: mistakes are one sentence, and a count that varies is not recorded", "[cli][counts]") {
  const ScratchFolder folder;
  const auto mistake = [](const Words& words) {
    const CliResult result = Tally(words);
    CHECK(result.status == 1);
    CHECK(IsOneSentence(result.error));
    return result.error;
  };
  const std::string file = folder.path() + "/counts";
  CHECK(Has(mistake({"verify-counts", file}), "no such file"));
  CHECK(Has(mistake({"verify-counts", folder.Write("bad", "\n{\n")}), "bad:2"));
  CHECK(Has(mistake({"verify-counts", "--record", file, "--", folder.path() + "/none"}), "no such file"));
  const std::string reads = TestProgram("print_files");
  CHECK(Has(mistake({"verify-counts", "--record", file, "--sandbox", "interpreter-sandbox", "--", reads, "/proc/self/status"}), "opened /proc/self/status"));
  CHECK_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace tally
