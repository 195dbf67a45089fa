// The fit on counts of real programs of known growth (bench/growth): what is named is right, or cannot be told. The
// whole benchmark is bench/growth.cc's; here are some seeds of it.
#include "bench/growth_counts.h"

#include <filesystem>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

const std::string kFolder = std::string(TALLY_SOURCE_DIR) + "/bench/growth";

bool IsHere() { return std::filesystem::exists(kFolder + "/counts.txt"); }

std::vector<GrowthRecord> Records() { return ReadGrowthRecords(kFolder + "/counts.txt"); }

TEST_CASE("growth counts: what is named is right, and no expectation that a program meets is missed", "[growth]") {
  if (!IsHere()) TALLY_SKIP("the source tree is not here");
  std::size_t trials = 0, told = 0;
  for (const GrowthRecord& record : Records()) {
    const bool random = record.counts.front().size() > 1;
    for (const std::size_t sizes : {4, 6, 8}) {
      for (const std::uint64_t seed : {0, 5}) {
        if (!random && seed > 0) continue;
        const Growth growth = FitGrowth(TrialPoints(record, sizes, seed, 3)).value();
        CAPTURE(record.program, record.growth, sizes, seed, growth.Sentence());
        const GrowthAnswer answer = AnswerOf(record, growth);
        CHECK(answer != GrowthAnswer::kWrong);
        CHECK_FALSE(growth.IsWorseThan(ParseGrowthModel("growth", record.bound)));
        if (sizes == 8) ++trials;
        if (sizes == 8 && answer != GrowthAnswer::kCannotTell) ++told;
      }
    }
  }
  CHECK(static_cast<double>(told) > 0.7 * static_cast<double>(trials));
}

TEST_CASE("growth counts: insertion sort over four sizes is never told to be worse than n^2", "[growth]") {
  if (!IsHere()) TALLY_SKIP("the source tree is not here");
  for (const GrowthRecord& record : Records()) {
    if (record.program != "insertion_sort.c") continue;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const Growth growth = FitGrowth(TrialPoints(record, 4, seed, 3)).value();
      CAPTURE(seed, growth.Sentence());
      CHECK_FALSE(growth.IsWorseThan(GrowthModel::kN2));
    }
  }
}

TEST_CASE("growth counts: the programs and what was counted of them agree", "[growth]") {
  if (!IsHere()) TALLY_SKIP("the source tree is not here");
  std::set<std::string> recorded, there;
  for (const GrowthRecord& record : Records()) {
    CAPTURE(record.program);
    recorded.insert(record.program);
    CHECK(record.counts.size() == record.sizes.size());
  }
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".txt") there.insert(entry.path().filename());
  }
  CHECK(recorded == there);
  CHECK(recorded.size() >= 60);
}

}  // namespace
}  // namespace tally
