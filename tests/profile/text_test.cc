// The report as people see it. The golden files are what docs/profile.md shows the like of.
#include "profile/text.h"

#include <limits>

#include "tests/profile/sample_report.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

namespace tally {
namespace {

TEST_CASE("profile text: a report is the golden one", "[text]") {
  CheckGolden("profile/golden/report.txt", FormatReport(SampleReport(), {.colour = false, .unicode = true}));
}

TEST_CASE("profile text: a size whose inputs cost differently says how far they lie apart", "[text]") {
  ProfileReport report = SampleReport();
  report.sizes[2].others = {{1, 187'000, 9}, {2, 179'000, 9}};
  CHECK(FormatReport(report, {}).find("  +-2.2 %\n") != std::string::npos);
}

TEST_CASE("profile text: a comparison is the golden one", "[text]") {
  ProfileReport other = SampleReport();
  for (SizeReport& size : other.sizes) {
    if (size.instructions.has_value()) size.instructions = size.instructions.value() * 3 / 2;
  }
  other.hotspots->functions.push_back({"other_only", "b.cpp", 7, 7});
  CheckGolden("profile/golden/comparison.txt", FormatComparison("a.cpp", SampleReport(), "b.cpp", other, {}));
}

TEST_CASE("profile text: without colour there is no escape, with it what failed is red", "[text]") {
  CHECK(FormatReport(SampleReport(), {}).find('\x1b') == std::string::npos);
  const std::string painted = FormatReport(SampleReport(), {.colour = true});
  CHECK(painted.find("\x1b[1;31mSIGSEGV\x1b[0m") != std::string::npos);
  CHECK(painted.find("\x1b[1;32mmet\x1b[0m") != std::string::npos);
}

TEST_CASE("profile text: a sparkline goes from 0 to the largest, and shows what is infinite or absent", "[text]") {
  const std::vector<Measured<double>> figures = {0.0, 1.0, 2.0, 4.0, 8.0, std::numeric_limits<double>::infinity(),
                                                 Measured<double>::Absent("why")};
  CHECK(Sparkline(figures, true) == "▁▂▃▅█! ");
  CHECK(Sparkline(figures, false) == "_.:=#! ");
  CHECK(Sparkline({0.0, 0.0}, false) == "__");
  CHECK(Sparkline({}, true).empty());
}

TEST_CASE("profile text: a series that did not compile is the compiler's words", "[text]") {
  ProfileReport report;
  report.error = SeriesError{"compile", "compilation failed", "a.cpp:1:1: error: no\nsecond line"};
  CHECK(FormatReport(report, {}) == "  CE  compilation failed\n    a.cpp:1:1: error: no\n    second line\n");
}

}  // namespace
}  // namespace tally
