// The programs of examples/profile grow as their first lines say, in C, C++ and Python. A suite of its own: compiling
// them takes the time of all the others.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "jobs/profile_series.h"
#include "tests/support/catch.h"
#include "tests/support/job_sources.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;
using Sizes = std::vector<std::uint64_t>;

std::string Folder() { return SourceFolder() + "/examples/profile"; }

struct Example {
  Shape shape;
  Sizes sizes;  // small enough for a test, and telling
};

const std::map<std::string, Example> kExamples = {
    {"constant.c", {Shape::kNumber, {1'000, 5'000, 10'000, 50'000, 100'000}}},
    {"binary_search.cpp", {Shape::kNumber, {1'000, 5'000, 10'000, 50'000, 100'000}}},
    {"divisors.c", {Shape::kNumber, {10'000, 20'000, 50'000, 100'000, 200'000}}},
    {"sum.py", {Shape::kArray, {1'000, 2'000, 4'000, 8'000}}},
    {"breadth_first.cpp", {Shape::kGraph, {500, 1'000, 2'000, 4'000, 8'000}}},
    {"merge_sort.cpp", {Shape::kArray, {500, 1'000, 2'000, 4'000, 8'000}}},
    {"heap_sort.py", {Shape::kArray, {500, 1'000, 2'000, 4'000, 8'000}}},
    {"blocks.c", {Shape::kNumber, {1'000, 4'000, 9'000, 16'000, 25'000}}},
    {"pairs.c", {Shape::kArray, {100, 200, 400, 800}}},
    {"sorted_rows.cpp", {Shape::kNumber, {25, 50, 100, 200, 400, 800}}},
    {"matrix.cpp", {Shape::kNumber, {20, 40, 60, 80}}},
    {"subsets.py", {Shape::kNumber, {6, 8, 10, 12, 14}}},
    {"subset_sums.c", {Shape::kNumber, {8, 10, 12, 14, 16}}},
};

// "Growth n log n: ..." in the first line.
std::string Promise(const std::string& file) {
  std::ifstream in(Folder() + "/" + file);
  std::string line;
  std::getline(in, line);
  const std::size_t start = line.find("Growth ") + 7;
  return line.substr(start, line.find(':') - start);
}

std::string Found(const std::string& file, const Example& example) {
  CodeMessage message;
  message.program.file = Folder() + "/" + file;
  message.shape = example.shape;
  message.sizes.scales = example.sizes;
  message.timeout = Milliseconds(6'000);  // thrice the default: what is tested is the growth, and machines are shared
  const auto start = std::chrono::steady_clock::now();
  const ProfileReport report =
      RunSeries(message, Isolation::kFull, {[](std::size_t, std::size_t, const std::string&) {}, [](LogLevel, const std::string&) {}});
  CHECK(std::chrono::steady_clock::now() - start < message.timeout * InputSizes(message.sizes).size());
  if (report.error) return report.error->sentence + report.error->text;
  if (!report.failures.empty()) return report.failures.front().sentence;
  if (!report.growth.has_value()) return report.growth.reason();
  INFO(file << ": " << report.growth.value().Sum() << ", off by " << report.growth.value().error);
  CHECK(report.growth.value().error < 0.03);
  return report.growth.value().Name();
}

TEST_CASE("profile examples: each grows as its first line says", "[examples]") {
  for (const char* compiler : {"c17", "cpp20", "python3"}) {
    if (const auto why = WhyAbsent(compiler)) TALLY_SKIP(*why);
  }
  for (const auto& [file, example] : kExamples) CHECK(file + ": " + Found(file, example) == file + ": " + Promise(file));
}

TEST_CASE("profile examples: all files of the folder are tested, and every model has one", "[examples]") {
  if (!fs::exists(Folder())) TALLY_SKIP("the source tree is not here");
  std::set<std::string> models;
  for (const auto& entry : fs::directory_iterator(Folder())) {
    const std::string name = entry.path().filename();
    if (name == "README.md") continue;
    CAPTURE(name);
    CHECK(kExamples.contains(name));
    models.insert(Promise(name));
  }
  CHECK(models.size() == kGrowthModels);
}

}  // namespace
}  // namespace tally
