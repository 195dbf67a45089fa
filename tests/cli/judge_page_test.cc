// The page of `tally judge --html` as a browser lays it out; the pictures stay in BUILD/html.
#include <filesystem>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/page_browser.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Forty tests, two of which a solution with a long path gets wrong.
std::string JudgedPage() {
  const ScratchFolder folder;
  for (int test = 10; test < 50; ++test) {
    folder.Write("p/" + std::to_string(test) + ".in", "1 2\n");
    folder.Write("p/" + std::to_string(test) + ".out", test % 17 == 0 ? "4\n" : "3\nEND\n");
  }
  folder.Write("p/tally.yml", "title: Sums\ngroups:\n- {name: small, tests: \"1*\", points: 40}\n- {name: large, tests: \"[234]*\", points: 60}\n");
  const std::string deep = "solutions/accepted/of-the-first-contest/with-a-long-name/sum";
  for (const std::string& name : {std::string("sum"), deep}) {
    fs::create_directories(fs::path(folder.path() + "/" + name).parent_path());
    fs::copy(TestProgram("sum_numbers"), folder.path() + "/" + name);
  }
  const std::string page = Artefact("judge.html");
  const CliResult result = Tally({"judge", "p", "sum", deep, "--html", page}, {.directory = folder.path()});
  INFO(result.error);
  CHECK(Has(result.out, "report: "));
  return page;
}

void CheckLaidOut(Browser& browser) {
  for (const char* wrong : {kOutOfTheWindow, kCut, kOverlaps}) CHECK(browser.Ask(wrong) == json::array());
  CheckQuiet(browser);
}

TEST_CASE("judge: the page overlaps, cuts and hides nothing on a phone, a desk, a wide screen and paper, and says what scrolls", "[cli][judge][browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  const std::string page = JudgedPage();
  Browser& browser = TheBrowser();
  const std::pair<const char*, Screen> screens[] = {{"phone", kPhone}, {"desk", kDesk}, {"wide", kWide}};
  for (const auto& [name, screen] : screens) {
    for (const bool dark : {false, true}) {
      const std::string picture = std::string("judge-") + name + (dark ? "-dark" : "-light");
      CAPTURE(picture);
      Screen shown = screen;
      shown.dark = dark;
      browser.Open(page, shown, "document.readyState === 'complete'");
      CHECK(browser.Ask("document.documentElement.scrollWidth") == screen.width);
      CHECK(browser.Ask("getComputedStyle(document.body).backgroundColor") == (dark ? "rgb(20, 23, 26)" : "rgb(251, 251, 249)"));
      CHECK(browser.Ask(kUntoldScrolls) == json::array());
      CheckLaidOut(browser);
      browser.Picture(Artefact(picture + ".png"), "html");
    }
  }
  CHECK(browser.Ask("document.querySelector('main').getBoundingClientRect().width").get<double>() >= 1800);
  browser.Open(page, kPhone, "document.readyState === 'complete'");
  CHECK(browser.Ask("(one => one.scrollWidth > one.clientWidth)(document.querySelector('#matrix .scroller'))") == true);
  browser.Ask("document.querySelector('#matrix .scroller').scrollLeft = 300");
  CHECK(browser.Ask("(([head, box]) => Math.abs(head.left - box.left) < 1)(['.matrix td', '#matrix .scroller'].map((one) => document.querySelector(one).getBoundingClientRect()))") == true);
  browser.Open(page, kWide, "document.readyState === 'complete'");
  browser.Pdf(Artefact("judge-printed.pdf"));
  browser.StyleForPaper(kPaperWidth);
  CheckLaidOut(browser);
  CHECK(browser.Ask("getComputedStyle(document.querySelector('.matrix td.cell'), '::before').content") == "\"10 \"");
  browser.Picture(Artefact("judge-printed.png"), "html");
}

}  // namespace
}  // namespace tally
