// The report's lists, verdict and JSON. The golden file is what the next program reads: it changes only together with
// docs/profile.md.
#include "profile/report.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/profile/sample_report.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

namespace tally {
namespace {

using Json = nlohmann::json;

TEST_CASE("report: the JSON is the golden one", "[report]") {
  CheckGolden("profile/golden/report.json", ReportObject(SampleReport()).dump(2) + "\n");
}

TEST_CASE("report: all lists have one length, whatever failed", "[report]") {
  const Json object = ReportObject(SampleReport());
  for (const char* list : {"runtime_ms", "cpu_ms", "wall_ms", "peak_memory_mb", "instructions", "virtual_ms"}) {
    CAPTURE(list);
    CHECK(object[list].size() == object["input_sizes"].size());
  }
}

TEST_CASE("report: every null has an entry in failures, and infinite is null", "[report]") {
  const ProfileReport report = SampleReport();
  const Json object = ReportObject(report);
  for (std::size_t i = 0; i < report.sizes.size(); ++i) {
    for (const char* list : {"runtime_ms", "cpu_ms", "wall_ms", "peak_memory_mb", "instructions", "virtual_ms"}) {
      if (!object[list][i].is_null()) continue;
      CAPTURE(list, i);
      CHECK(std::any_of(report.failures.begin(), report.failures.end(),
                        [&](const Failure& failure) { return failure.size == report.sizes[i].n; }));
    }
  }
  CHECK(object["runtime_ms"][3].is_null());
  CHECK(report.sizes[3].runtime_ms.value() == std::numeric_limits<double>::infinity());
}

TEST_CASE("report: the first crash is named in hotspots, and there only if there was one", "[report]") {
  ProfileReport report = SampleReport();
  CHECK(ReportObject(report)["hotspots"]["_crash"] == "SIGSEGV");
  report.failures.clear();
  CHECK_FALSE(ReportObject(report)["hotspots"].contains("_crash"));
}

TEST_CASE("report: without debug hotspots are an empty object", "[report]") {
  CHECK(ReportObject(ProfileReport{})["hotspots"] == Json::object());
}

TEST_CASE("report: hotspots are texts, the inclusive share of each line by its number, or by its file where that is not the source", "[report]") {
  const Json hotspots = ReportObject(SampleReport())["hotspots"];
  CHECK(hotspots == Json{{"_crash", "SIGSEGV"}, {"7", "70.59"}, {"12", "94.12"}, {"/usr/include/c++/12/bits/stl_vector.h:733", "5.88"}});
  ProfileReport report = SampleReport();
  report.hotspots->lines.clear();
  report.hotspots_absent = "no -g";
  CHECK(ReportObject(report)["hotspots"] == Json{{"_crash", "SIGSEGV"}, {"_absent", "no -g"}});
}

TEST_CASE("report: where nothing has an inclusive cost it is absent with the reason, and no 0", "[report]") {
  ProfileReport report = SampleReport();
  CHECK(ReportObject(report)["hotspot_details"]["functions"][0].contains("inclusive"));
  CHECK_FALSE(ReportObject(report)["hotspot_details"].contains("no_inclusive"));
  report.hotspots->no_inclusive = "who called what is not known";
  report.hotspots->functions[0].functions = {{"part", "a.cpp", 7, 0, {}}};
  report.hotspots->lines.clear();
  const Json details = ReportObject(report)["hotspot_details"];
  CHECK(details["no_inclusive"] == "who called what is not known");
  CHECK(details["functions"][0]["self"] == 3'000'000);
  CHECK(details.dump().find("\"inclusive\"") == std::string::npos);
}

TEST_CASE("report: its verdict is the first failure's that says something of the program", "[report]") {
  ProfileReport report;
  CHECK(report.Code() == ResultCode::kOk);
  report.failures.push_back({10, Stage::kMeasure, "TLE", ""});
  CHECK(report.Code() == ResultCode::kOk);
  const auto with = [](Stage stage, const char* cause) {
    ProfileReport one;
    one.failures.push_back({10, stage, cause, ""});
    return one.Code();
  };
  CHECK(with(Stage::kRun, "SIGSEGV") == ResultCode::kRe);
  CHECK(with(Stage::kRun, "exit code 3") == ResultCode::kRe);
  CHECK(with(Stage::kRun, "TLE") == ResultCode::kTle);
  CHECK(with(Stage::kCheck, "WA") == ResultCode::kWa);
  CHECK(with(Stage::kCheck, "SE") == ResultCode::kSe);
  CHECK(with(Stage::kInput, "SE") == ResultCode::kSe);
  report.error = SeriesError{"compile", "compilation failed", "x.cpp:1: error"};
  CHECK(report.Code() == ResultCode::kCe);
}

TEST_CASE("report: an expectation that is not excluded is met, and the sentence says that it is no more", "[report]") {
  ProfileReport report = SampleReport();
  report.sizes = {};
  for (const std::uint64_t n : {1'000u, 1'100u, 1'200u, 1'300u}) {
    SizeReport size;
    size.n = n;
    size.instructions = 100'000 + 90 * n + (n * n) % 7'919;
    report.sizes.push_back(size);
  }
  JudgeGrowth(GrowthModel::kN, &report);
  CHECK(report.expect->met);
  CHECK(report.expect->sentence.starts_with("expected n at most, which is not excluded, found all from "));
  CHECK(ReportObject(report)["growth"]["model"].is_null());
  CHECK(ReportObject(report)["growth"]["candidates"].size() > 1);
}

TEST_CASE("report: counts with other seeds stand beside the first one's, a list for each size", "[report]") {
  ProfileReport report = SampleReport();
  CHECK_FALSE(ReportObject(report).contains("other_seeds"));
  report.sizes[2].others = {{1, 184'000, 9}, {2, 181'000, 9}};
  const Json object = ReportObject(report);
  CHECK(object["other_seeds"].size() == object["input_sizes"].size());
  CHECK(object["other_seeds"][2][1] == Json{{"seed", 2}, {"instructions", 181'000}});
  CHECK(object["instructions"][2] == 183'000);
}

TEST_CASE("report: growth that is slower than expected is as good, a faster one or none is not", "[report]") {
  const auto met = [](GrowthModel expected) {
    ProfileReport report = SampleReport();
    report.sizes.back().instructions = std::uint64_t{8'400'000};
    JudgeGrowth(expected, &report);
    return report.expect->met;
  };
  CHECK(met(GrowthModel::kN));
  CHECK(met(GrowthModel::kN2));
  CHECK_FALSE(met(GrowthModel::kLog));
  ProfileReport report = SampleReport();
  report.sizes.resize(3);
  JudgeGrowth(GrowthModel::kN3, &report);
  CHECK_FALSE(report.expect->met);
  CHECK(report.expect->sentence ==
        "expected n^3 at most, but the growth is not known: not enough sizes: 1 of 2 or more was counted, a fit needs 4");
}

}  // namespace
}  // namespace tally
