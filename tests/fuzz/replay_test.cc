// Every file of the corpus goes through its target once, so that what fuzzing has found stays mended where
// there is no fuzzer.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/fuzz_target.h"
#include "tests/support/catch.h"

namespace tally::fuzz {

std::map<std::string, Target>& Targets() {
  static std::map<std::string, Target> targets;
  return targets;
}

namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = TALLY_SOURCE_DIR "/tests/fuzz/corpus";

std::string Contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("fuzz corpus: every target keeps its promises for every file", "[fuzz]") {
  for (const auto& [name, target] : Targets()) {
    CAPTURE(name);
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(kCorpus / name)) {
      const std::string input = Contents(entry.path());
      CAPTURE(entry.path().filename());
      CHECK_NOTHROW(target(input));
      ++files;
    }
    CHECK(files >= 3);
  }
}

TEST_CASE("fuzz corpus: the beginnings of every file keep them too", "[fuzz]") {
  for (const auto& [name, target] : Targets()) {
    CAPTURE(name);
    for (const auto& entry : fs::directory_iterator(kCorpus / name)) {
      const std::string input = Contents(entry.path());
      const std::size_t step = input.size() / 64 + 1;
      CAPTURE(entry.path().filename());
      for (std::size_t size = 0; size < input.size(); size += step) {
        CAPTURE(size);
        CHECK_NOTHROW(target(input.substr(0, size)));
      }
    }
  }
}

TEST_CASE("fuzz corpus: every folder has its target", "[fuzz]") {
  for (const auto& entry : fs::directory_iterator(kCorpus)) {
    CAPTURE(entry.path().filename());
    CHECK(Targets().count(entry.path().filename()) == 1);
  }
}

}  // namespace
}  // namespace tally::fuzz
