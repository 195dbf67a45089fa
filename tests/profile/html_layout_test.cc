// Where things lie on the page, on each screen and on paper, asked through the DOM; the pictures stay in BUILD/html.
#include "tests/profile/sample_page.h"
#include "tests/profile/shown_page.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

using nlohmann::json;

const std::pair<const char*, HtmlInput> kReports[] = {{"report", SamplePage()}, {"comparison", SampleComparison()}};
// All pages that are made here; the judge's is tests/cli/judge_page_test.cc's.
const std::pair<const char*, std::string> kPages[] = {
    {"report", HtmlReport(SamplePage())}, {"comparison", HtmlReport(SampleComparison())}, {"error", HtmlReport(SampleError())}, {"trace", SampleTrace()}};

// Where a line of a name ends, and not at a place where a name may be broken: "std::ve|ctor".
constexpr const char* kOddBreaks =
    "[...document.querySelectorAll('td .name, td .file, h1, h3, .who, .whose, .legend li')].flatMap((one) => { const out = [], range = document.createRange(); let last = null, before = '';"
    " const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT); for (let node; (node = walker.nextNode());) for (let i = 0; i < node.length; ++i) { range.setStart(node, i); range.setEnd(node, i + 1);"
    " const box = range.getClientRects()[0]; if (!box) continue; if (last && box.top > last.top + 4 && !/(::|[\\/, \\u202f-])$/.test(before) && node.data[i] !== '(') out.push(`${before}|${node.data.slice(i)}`); last = box; before += node.data[i]; }"
    " return out; })";

void CheckLaidOut(Browser& browser) {
  for (const char* wrong : {kOutOfTheWindow, kCut, kOverlaps, kOddCanvases}) CHECK(browser.Ask(wrong) == json::array());
}

TEST_CASE("page layout: nothing overlaps, is cut or out of the window, in light and dark, on a phone, a desk and a wide screen", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  const std::pair<const char*, Screen> screens[] = {{"phone", kPhone}, {"desk", kDesk}, {"wide", kWide}};
  for (const auto& [page, markup] : kPages) {
    for (const auto& [name, screen] : screens) {
      for (const bool dark : {false, true}) {
        const std::string picture = std::string(page) + "-" + name + (dark ? "-dark" : "-light");
        CAPTURE(picture);
        Screen shown = screen;
        shown.dark = dark;
        Browser& browser = Shown(page, markup, shown);
        CHECK(browser.Ask("document.documentElement.scrollWidth") == screen.width);
        CheckLaidOut(browser);
        CheckQuiet(browser);
        browser.Picture(Artefact(picture + ".png"), "html");
      }
    }
  }
}

TEST_CASE("page layout: a table that is wider than the screen says that it scrolls, and keys scroll it; others say nothing", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  for (const Screen& screen : {kPhone, kDesk}) {
    for (const auto& [page, input] : kReports) {
      CAPTURE(page, screen.width);
      Browser& browser = Shown(page, input, screen);
      CHECK(browser.Ask(kUntoldScrolls) == json::array());
      CHECK(browser.Ask("(one => one.scrollWidth > one.clientWidth)(document.querySelector('#sizes .scroller'))") == (screen.width == kPhone.width));
    }
  }
  Browser& browser = Shown("report", SamplePage(), kPhone);
  browser.Ask("document.querySelector('#sizes .scroller').focus()");
  browser.Press("ArrowRight");
  browser.Ask("new Promise((done) => setTimeout(done, 300))");
  CHECK(browser.Ask("document.querySelector('#sizes .scroller').scrollLeft > 0") == true);
  CHECK(browser.Ask("(([head, box]) => Math.abs(head.left - box.left) < 1)(['#sizes tbody td', '#sizes .scroller'].map((one) => document.querySelector(one).getBoundingClientRect()))") == true);
}

TEST_CASE("page layout: long names are broken after ::, a slash, a comma or a space, or before parameters", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  HtmlInput input = SampleComparison();
  input.series[0].name = "solutions/accepted/with-a-folder/that-goes-on/merge_sort.cpp";
  for (const Screen& screen : {kPhone, kDesk, kWide}) {
    CAPTURE(screen.width);
    Browser& browser = Shown("long-names", input, screen);
    for (const bool whole : {false, true}) {
      CAPTURE(whole);
      if (whole) browser.Ask("document.querySelectorAll('td .name[aria-expanded=false]').forEach((one) => one.click())");
      CHECK(browser.Ask("document.querySelectorAll('td .name[aria-expanded=true]').length > 0") == whole);
      CHECK(browser.Ask(kOddBreaks) == json::array());
      CheckLaidOut(browser);
    }
    browser.Picture(Artefact("long-names-" + std::to_string(screen.width) + ".png"), "html");
  }
}

TEST_CASE("page layout: a wide screen is used: the charts stand side by side", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  for (const auto& [page, input] : kReports) {
    CAPTURE(page);
    Browser& browser = Shown(page, input, kWide);
    CHECK(browser.Ask("document.querySelector('main').getBoundingClientRect().width").get<double>() >= 1800);
    const json charts = browser.Ask("['#growth canvas', '#memory canvas'].map((one) => document.querySelector(one).getBoundingClientRect()).map(({ left, right }) => [left, right])");
    CHECK(charts[0][1] < charts[1][0]);
    for (const json& chart : charts) CHECK(chart[1].get<double>() - chart[0].get<double>() >= 1000);
    CHECK(browser.Ask("(([a, b]) => a.top === b.top && a.bottom === b.bottom)(['growth', 'memory'].map((one) => document.getElementById(one).getBoundingClientRect()))") == true);
  }
}

TEST_CASE("page layout: on paper the charts are as wide as the text and not squeezed, from whatever window they are printed", "[browser]") {
  if (!HasBrowser()) TALLY_SKIP(kNoChromium);
  for (const auto& [page, markup] : kPages) {
    for (const Screen& screen : {kWide, Screen{800, 600, true}, kPhone}) {
      const std::string picture = std::string(page) + "-printed-from-" + std::to_string(screen.width);
      CAPTURE(picture);
      Browser& browser = Shown(page, markup, screen);
      browser.Pdf(Artefact(picture + ".pdf"));
      Shown(page, markup, screen);
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
