// The page as a browser shows it, asked through its DOM; the pictures stay in BUILD/html.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/profile/sample_page.h"
#include "tests/profile/shown_page.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

using nlohmann::json;

std::string Fact(Browser& browser, const std::string& section, const std::string& fact) {
  return browser.Ask("document.getElementById('" + section + "').dataset." + fact + " ?? ''").get<std::string>();
}

TEST_CASE("page in a browser: everything of a series is drawn, and nothing is loaded", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  Browser& browser = Shown("report", SamplePage(), {1200, 900});
  CheckQuiet(browser);
  CHECK(Fact(browser, "growth", "points") == "6");
  CHECK(Fact(browser, "growth", "model") == "n log n");
  CHECK(Fact(browser, "growth", "failed") == "2");
  CHECK(Fact(browser, "growth", "curve") == "121");
  CHECK(Fact(browser, "memory", "points") == "7");
  CHECK(Fact(browser, "sizes", "rows") == "8");
  CHECK(Fact(browser, "sizes", "failed") == "2");
  CHECK(Fact(browser, "functions", "functions") == "6");
  CHECK(Fact(browser, "source", "hottest") == "13");
  CHECK(Fact(browser, "timeline", "threads") == "3");
  CHECK(Fact(browser, "timeline", "events") == "25");
  CHECK(Fact(browser, "metrics", "charts") == "4");
  CHECK(Fact(browser, "metrics", "samples") == "90");
  CHECK(browser.Ask("document.documentElement.dataset.theme") == "light");
  CHECK(browser.Ask("document.querySelectorAll('main section:not([hidden])').length") == 8);
  browser.Picture(Artefact("light.png"), "html");
  for (const char* section : {"growth", "memory", "functions", "source", "timeline", "metrics"}) {
    browser.Picture(Artefact(std::string(section) + ".png"), std::string("#") + section);
  }
}

TEST_CASE("page in a browser: the fitted curve passes through what was counted", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  Browser& browser = Shown("report", SamplePage(), {1200, 900});
  const json off = browser.Ask(
      "tally.data.series.flatMap((one) => one.report.input_sizes.map((n, at) => [n, one.report.instructions[at]])"
      ".filter(([n, count]) => n >= 2 && count).map(([n, count]) => Math.abs(tally.fitted(one)(n) / count - 1)))");
  REQUIRE(off.size() == 4);
  CHECK(*std::max_element(off.begin(), off.end()) < 0.01);
}

TEST_CASE("page in a browser: the fitted curve is drawn from the first to the last size that it was fitted to", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  const std::pair<HtmlInput, json> pages[] = {{SamplePage(), {{1'000, 100'000}}}, {SampleComparison(), {{1'000, 500'000}, {1'000, 50'000}}}};
  for (const auto& [input, expected] : pages) {
    Browser& browser = Shown("report", input, kDesk);
    CHECK(browser.Ask("Chart.getChart(document.querySelector('#growth canvas')).data.datasets.filter((set) => set.isCurve).map(({ data }) => [data[0], data[data.length - 1]].map(({ x }) => Math.round(x)))") ==
          expected);
  }
}

TEST_CASE("page in a browser: each figure says whether its run was native or translated, and what the report does not say is said to be so", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  const std::pair<json, const char*> counters[] = {{"translator", "translated run"}, {"perf", "native run"}, {nullptr, "run not said in the report"}};
  for (const auto& [counter, run] : counters) {
    CAPTURE(run);
    HtmlInput input = SamplePage();
    if (counter.is_null()) input.series[0].report.erase("counter_used");
    else input.series[0].report["counter_used"] = counter;
    Browser& browser = Shown("runs", input, kDesk);
    CHECK(browser.Ask("[...document.querySelectorAll('#sizes th .run')].map((one) => one.textContent)") == json{run, run, "native run", "native run"});
    CHECK(browser.Ask("document.querySelector('#growth .legend li').textContent") == std::string("instructions (") + run + ")");
    CHECK(browser.Ask("document.querySelector('#memory .legend li').textContent") == "peak memory (native run, control group)");
    CHECK(browser.Ask("document.querySelector('#functions .note').textContent").get<std::string>().find(run) != std::string::npos);
    CHECK(browser.Ask("document.querySelector('.means dd').textContent").get<std::string>().rfind(run, 0) == 0);
    browser.Ask("document.querySelector('#growth [data-value=cpu]').click()");
    CHECK(browser.Ask("document.querySelector('#growth .legend li').textContent") == "CPU ms (native run)");
  }
}

TEST_CASE("page in a browser: it is dark where the reader's system is, and the switch changes it", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  Browser& browser = Shown("report", SamplePage(), {1200, 900, true});
  CHECK(browser.Ask("document.documentElement.dataset.theme") == "dark");
  browser.Picture(Artefact("dark.png"), "html");
  browser.Ask("document.getElementById('theme').click()");
  CHECK(browser.Ask("document.documentElement.dataset.theme") == "light");
  browser.Ask("localStorage.clear()");
  CheckQuiet(browser);
}

TEST_CASE("page in a browser: on a phone nothing is wider than the screen", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  for (const auto& [name, input] : {std::pair{"phone", SamplePage()}, std::pair{"phone-comparison", SampleComparison()}}) {
    CAPTURE(name);
    Browser& browser = Shown(name, input, {390, 844, false, true});
    CHECK(browser.Ask("innerWidth") == 390);
    CHECK(browser.Ask("document.documentElement.scrollWidth") == 390);
    CheckQuiet(browser);
    browser.Picture(Artefact(std::string(name) + ".png"), "html");
  }
}

TEST_CASE("page in a browser: two series share the charts and stand side by side", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  Browser& browser = Shown("comparison", SampleComparison(), {1200, 900});
  CheckQuiet(browser);
  CHECK(Fact(browser, "growth", "model") == "n log n; n^2");
  CHECK(Fact(browser, "growth", "failed") == "2");
  CHECK(browser.Ask("document.querySelectorAll('#source .code').length") == 2);
  CHECK(browser.Ask("(([a, b]) => a.top === b.top && a.right < b.left)([...document.querySelectorAll('#source .sides > div')]"
                    ".map((side) => side.getBoundingClientRect()))") == true);
  CHECK(browser.Ask("document.querySelector('.compared').textContent").get<std::string>().find("bubble_sort.cpp executes 79") !=
        std::string::npos);
  browser.Picture(Artefact("comparison.png"), "html");
}

TEST_CASE("page in a browser: the chart shows other figures when asked, and CPU time has no curve", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  Browser& browser = Shown("report", SamplePage(), {1200, 900});
  browser.Ask("document.querySelector('#growth [data-value=virtual]').click()");
  CHECK(Fact(browser, "growth", "figure") == "virtual");
  CHECK(Fact(browser, "growth", "curve") == "121");
  browser.Ask("document.querySelector('#growth [data-value=cpu]').click()");
  CHECK(Fact(browser, "growth", "points") == "7");
  CHECK(Fact(browser, "growth", "curve") == "0");
}

TEST_CASE("page in a browser: keys reach the controls, sort the functions and zoom the timeline", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  Browser& browser = Shown("report", SamplePage(), {1200, 900});
  browser.Press("Tab");
  CHECK(browser.Ask("document.activeElement.className") == "skip");
  browser.Press("Tab");
  CHECK(browser.Ask("document.activeElement.id") == "theme");
  CHECK(browser.Ask("document.querySelector('#functions tbody .name').textContent") == "MergeSort(…)");
  browser.Ask("document.querySelectorAll('#functions th button')[1].focus()");
  browser.Press("Enter");
  CHECK(browser.Ask("document.querySelector('#functions tbody .name').textContent") == "main");
  browser.Press("Enter");
  browser.Ask("document.querySelectorAll('#functions th button')[2].click()");
  browser.Ask("document.querySelector('#functions tbody .name').click()");
  CHECK(browser.Ask("document.querySelector('#functions tbody .name').textContent").get<std::string>().find("std::allocator") !=
        std::string::npos);
  browser.Ask("document.querySelector('.lanes').focus()");
  browser.Press("+");
  CHECK(browser.Ask("document.querySelector('.lanes').dataset.from") == "12050000");
  CHECK(browser.Ask("document.querySelector('.lanes').dataset.to") == "36150000");
}

TEST_CASE("page in a browser: long names lose template arguments and parameters, and operators stay what they are", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  Browser& browser = Shown("report", SamplePage(), {1200, 900});
  const std::pair<const char*, const char*> names[] = {
      {"short(int)", "short(int)"},
      {"std::vector<std::pair<int, long>, std::allocator<int> >::push_back(int&&)", "std::vector<…>::push_back(…)"},
      {"std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)", "std::ostream& std::operator<< <…>(…)"},
      {"bool std::operator< <int>(std::pair<int, int> const&)", "bool std::operator< <…>(…)"},
      {"std::function<void (int)>::operator()(int) const", "std::function<…>::operator()(…) const"},
      {"void (anonymous namespace)::Sort<std::less<void> >()", "void (anonymous namespace)::Sort<…>()"},
      {"std::unique_ptr<int, std::default_delete<int> >::operator->() const", "std::unique_ptr<…>::operator->() const"},
      {"no brackets that match here <<<<<", "no brackets that match here <<<<<"}};
  for (const auto& [name, expected] : names) {
    CHECK(browser.Ask("tally.shortName(" + json(name).dump() + ")") == expected);
  }
}

TEST_CASE("page in a browser: on paper it is light, whole and without controls", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  Browser& browser = Shown("report", SamplePage(), {1200, 900, true});
  browser.Ask("window.printed = ''; addEventListener('beforeprint', () => { printed = document.documentElement.dataset.theme; })");
  browser.Pdf(Artefact("printed.pdf"));
  CHECK(browser.Ask("printed") == "light");
  CHECK(browser.Ask("document.documentElement.dataset.theme") == "dark");
  CHECK(std::filesystem::file_size(Artefact("printed.pdf")) > 20'000);
  Shown("report", SamplePage(), {1200, 900});
  browser.StyleForPaper(kPaperWidth);
  CHECK(browser.Ask("[...document.querySelectorAll('button:not(.name, th button)')].every((one) => !one.getClientRects().length)") == true);
  CHECK(browser.Ask("(box => box.scrollHeight <= box.clientHeight + 1)(document.querySelector('.code'))") == true);
}

TEST_CASE("page in a browser: one run's timeline stands alone, and its lanes are to scale", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  // 200 writes of 100 ns in 10 ms: 0.2 % of the lane.
  nlohmann::json timeline{{"real_time_ns", 10'000'000}, {"calls", 200}, {"event_count", 200}, {"time_ns", {{"cpu", 9'980'000}, {"file", 20'000}}},
                          {"kinds", {{{"event", "file.write"}, {"resource", "file"}}}},
                          {"threads", {{{"thread", 0}, {"tid", 1}, {"name", "solution"}, {"begin_ns", 0}, {"end_ns", 10'000'000}}}},
                          {"files", nlohmann::json::array()}, {"sockets", nlohmann::json::array()}, {"events", nlohmann::json::array()}};
  for (int i = 0; i < 200; ++i) timeline["events"].push_back({{"event", "file.write"}, {"thread", 0}, {"begin_ns", i * 50'000}, {"end_ns", i * 50'000 + 100}});
  const std::string path = Artefact("trace.html");
  std::ofstream(path, std::ios::binary) << HtmlTimeline("solution", timeline);
  TheBrowser().Open(path, {1200, 700}, kReady);
  Browser& browser = TheBrowser();
  CheckQuiet(browser);
  CHECK(browser.Ask("document.querySelectorAll('main section:not([hidden])').length") == 1);
  CHECK(browser.Ask("document.title") == "solution: Tally trace");
  const double share = browser
                           .Ask("(() => { const canvas = document.querySelector('canvas.lanes'), { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);"
                                " let file = 0, cpu = 0; for (let at = 0; at < data.length; at += 4) {"
                                " if (data[at] === 0xc9 && data[at + 1] === 0x6a) ++file; if (data[at] === 0 && data[at + 1] === 0x67) ++cpu; } return file / (file + cpu); })()")
                           .get<double>();
  CHECK(share > 0.001);
  CHECK(share < 0.02);
}

TEST_CASE("page in a browser: hostile data is shown as it is and does not run", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  HtmlInput input = SamplePage();
  const std::string hostile = "</script><img src=https://example.org/x onerror=window.ran=1><script>window.ran=1</script>\xff";
  input.series[0].name = hostile;
  input.series[0].sources[0].text = hostile;
  input.series[0].report["task_id"] = hostile;
  input.series[0].report["failures"][0]["cause"] = hostile;
  input.series[0].report["hotspot_details"]["functions"][0]["name"] = hostile;
  input.metrics["batches"]["0"] = hostile;
  Browser& browser = Shown("hostile", input, {1200, 900});
  CheckQuiet(browser);
  CHECK(browser.Ask("window.ran === undefined") == true);
  CHECK(browser.Ask("document.querySelectorAll('img').length") == 0);
  CHECK(browser.Ask("document.getElementById('task').textContent").get<std::string>().rfind("</script><img", 0) == 0);
}

TEST_CASE("page in a browser: what there is not is told in a sentence, or left out where nobody asked", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  ProfileReport report = SamplePageReport(14, 60, "a.cpp");
  report.sizes.resize(3);
  report.hotspots.reset();
  report.hotspots_absent = "the program was not counted";
  JudgeGrowth(std::nullopt, &report);
  HtmlInput input;
  input.series.push_back(SeriesOf(report, "a.cpp", {{"a.cpp", "int main() {}\n"}}));
  Browser& browser = Shown("absent", input, {1200, 900});
  CheckQuiet(browser);
  CHECK(Fact(browser, "growth", "curve") == "0");
  CHECK(browser.Ask("document.getElementById('growth').textContent").get<std::string>().find("not enough sizes") != std::string::npos);
  CHECK(browser.Ask("document.getElementById('functions').textContent").get<std::string>().find("the program was not counted") !=
        std::string::npos);
  CHECK(browser.Ask("document.getElementById('timeline').hidden") == true);
  CHECK(browser.Ask("document.getElementById('metrics').hidden") == true);
}

TEST_CASE("page in a browser: costs without those of what was called have one column, and the reason", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  ProfileReport report = SamplePageReport(14, 60, "a.cpp");
  report.hotspots->lines.clear();
  report.hotspots->measured = "in a run of its own";
  report.hotspots->no_inclusive = "who called what is not known";
  HtmlInput input;
  input.series.push_back(SeriesOf(report, "a.cpp", {{"a.cpp", "int main() {}\n"}}));
  Browser& browser = Shown("no-inclusive", input, kDesk);
  CheckQuiet(browser);
  CHECK(browser.Ask("[...document.querySelectorAll('#functions th')].map((one) => one.textContent)") == json{"function", "its own"});
  CHECK(browser.Ask("document.querySelectorAll('#functions tbody tr:first-child td').length") == 2);
  const auto text = browser.Ask("document.getElementById('functions').textContent").get<std::string>();
  CHECK(text.find("absent: who called what is not known.") != std::string::npos);
  CHECK(text.find("Those of a.cpp are measured in a run of its own.") != std::string::npos);
}

TEST_CASE("page in a browser: a source that does not compile shows the compiler's words and no chart", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  Browser& browser = Shown("error", SampleError(), {1200, 900});
  CheckQuiet(browser);
  CHECK(browser.Ask("document.querySelector('#error pre').textContent") == "x.cpp:1:1: error: expected <b>;</b>");
  CHECK(browser.Ask("document.getElementById('growth').hidden") == true);
  browser.Picture(Artefact("error.png"), "html");
}

}  // namespace
}  // namespace tally
