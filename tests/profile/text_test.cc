// The report as people see it. The golden files are what docs/profile.md shows the like of.
#include "profile/text.h"

#include <limits>

#include "base/columns.h"
#include "base/lines.h"
#include "tests/profile/sample_report.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

namespace tally {
namespace {

TEST_CASE("profile text: a report is the golden one", "[text]") {
  CheckGolden("profile/golden/report.txt", FormatReport(SampleReport(), {.colour = false, .unicode = true}));
}

TEST_CASE("profile text: without inclusive costs there is no column of them, but the reason, and functions are compared by their own", "[text]") {
  ProfileReport report = SampleReport();
  CHECK(FormatReport(report, {}).find("self inclusive") != std::string::npos);
  report.hotspots->functions.push_back({"only_calls", "a.cpp", 0, 4'250'000, {}});
  LeaveOutInclusive(&*report.hotspots, "who called what is not known");
  const std::string text = FormatReport(report, {});
  CHECK(text.find("self inclusive") == std::string::npos);
  CHECK(text.find("none inclusive: who called what is not known\n") != std::string::npos);
  CHECK(text.find("only_calls") == std::string::npos);
  CHECK(text.find("     29.4 %          1,250,000  main\n") != std::string::npos);
  const std::string both = FormatComparison("a.cpp", SampleReport(), "b.java", report, {});
  CHECK(both.find("self, 1") != std::string::npos);
  CHECK(both.find("1,250,000          1,250,000     1.00  main\n") != std::string::npos);
}

TEST_CASE("profile text: in a narrow terminal a function's name is cut to fit into its line", "[text]") {
  ProfileReport report = SampleReport();
  report.hotspots->functions[0].name = "java.util.regex.Pattern.compile(java.lang.String,int,boolean)";
  const std::string text = FormatReport(report, {.terminal = 40});
  const std::vector<std::string> lines = LinesOf(text.substr(text.find("  hotspots")));
  CHECK(std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return line == "      java.util.regex.Pattern..."; }));
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

TEST_CASE("profile text: the tables are no wider than the terminal, and lose virtual time first", "[text]") {
  for (const std::size_t terminal : {40, 50, 70, 100}) {
    const std::string report = FormatReport(SampleReport(), {.terminal = terminal});
    CAPTURE(terminal, report);
    for (const std::string& line : LinesOf(report.substr(0, report.find("\n\n")))) CHECK(CharactersIn(line) <= terminal);
    CHECK((report.find("virtual time") != std::string::npos) == (terminal > 70));
    CHECK((report.find("   memory\n") != std::string::npos || report.find("      memory ") != std::string::npos) == (terminal > 50));
    const std::string other = FormatComparison("a.cpp", SampleReport(), "b.cpp", SampleReport(), {.terminal = terminal});
    CHECK((other.find("CPU time, 1") != std::string::npos) == (terminal > 70));
  }
}

TEST_CASE("profile text: time is CPU time, which is exact, and not the part of it that the clock's ticks call user time", "[text]") {
  ProfileReport report = SampleReport();
  report.sizes[0].runtime_ms = 0.125;
  report.sizes[0].cpu_ms = 3.5;
  const std::string text = FormatReport(report, {});
  CHECK(text.find("3.50 ms") != std::string::npos);
  CHECK(text.find("0.125 ms") == std::string::npos);
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
