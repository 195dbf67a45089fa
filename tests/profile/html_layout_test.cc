// Where things lie on the page, on each screen and on paper, asked through the DOM; the pictures stay in BUILD/html.
#include "tests/profile/sample_page.h"
#include "tests/profile/shown_page.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

using nlohmann::json;

const std::pair<const char*, HtmlInput> kPages[] = {{"report", SamplePage()}, {"comparison", SampleComparison()}};

void CheckLaidOut(Browser& browser) {
  for (const char* wrong : {kOutOfTheWindow, kCut, kOverlaps, kOddCanvases}) CHECK(browser.Ask(wrong) == json::array());
}

TEST_CASE("page layout: nothing overlaps, is cut or out of the window, in light and dark, on a phone, a desk and a wide screen", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  const std::pair<const char*, Screen> screens[] = {{"phone", kPhone}, {"desk", kDesk}, {"wide", kWide}};
  for (const auto& [page, input] : kPages) {
    for (const auto& [name, screen] : screens) {
      for (const bool dark : {false, true}) {
        const std::string picture = std::string(page) + "-" + name + (dark ? "-dark" : "-light");
        CAPTURE(picture);
        Screen shown = screen;
        shown.dark = dark;
        Browser& browser = Shown(page, input, shown);
        CHECK(browser.Ask("document.documentElement.scrollWidth") == screen.width);
        CheckLaidOut(browser);
        CheckQuiet(browser);
        browser.Picture(Artefact(picture + ".png"), "html");
      }
    }
  }
}

TEST_CASE("page layout: on paper the charts are as wide as the text and not squeezed, from whatever window they are printed", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  for (const auto& [page, input] : kPages) {
    for (const Screen& screen : {kWide, Screen{800, 600, true}, kPhone}) {
      const std::string picture = std::string(page) + "-printed-from-" + std::to_string(screen.width);
      CAPTURE(picture);
      Browser& browser = Shown(page, input, screen);
      browser.Pdf(Artefact(picture + ".pdf"));
      Shown(page, input, screen);
      browser.StyleForPaper(kPaperWidth);
      CheckLaidOut(browser);
      CHECK(browser.Ask("document.documentElement.dataset.theme") == "light");
      browser.Picture(Artefact(picture + ".png"), "html");
    }
  }
}

TEST_CASE("page layout: after printing the charts fill the window again", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  Browser& browser = Shown("report", SamplePage(), kDesk);
  const json before = browser.Ask("[...document.querySelectorAll('canvas')].map((one) => [one.width, one.height, one.clientWidth])");
  browser.Pdf(Artefact("printed.pdf"));
  browser.Ask("new Promise((done) => setTimeout(done, 200))");
  CHECK(browser.Ask("[...document.querySelectorAll('canvas')].map((one) => [one.width, one.height, one.clientWidth])") == before);
}

}  // namespace
}  // namespace tally
