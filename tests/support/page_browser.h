// One browser for all tests of a suite, for it takes a second to start; its pictures stay in BUILD/html. And questions about where things lie on
// a page, as JavaScript: each answers with a list of what is wrong, which is empty.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/browser.h"
#include "tests/support/catch.h"

namespace tally {

inline constexpr const char* kNoChromium = "Chromium is not here: apt-get install chromium";
inline constexpr int kPaperWidth = 688;  // of A4 within margins of 14 mm, in CSS pixels
inline constexpr Screen kPhone{390, 844, false, true}, kDesk{1200, 900}, kWide{2560, 1300};

inline bool HasBrowser() { return !Browser::Executable().empty(); }

inline Browser& TheBrowser() {
  static Browser browser;
  return browser;
}

inline std::string Artefact(const std::string& name) {
  const char* const build = std::getenv("TALLY_TEST_BUILD");  // as scripts/as-ordinary-user has it
  const std::filesystem::path folder = std::filesystem::path(build != nullptr ? build : TALLY_BUILD_DIR) / "html";
  std::filesystem::create_directories(folder);
  return folder / name;
}

// Also what a policy would have stopped.
inline void CheckQuiet(const Browser& browser) {
  CHECK(browser.loads().empty());
  CHECK(browser.complaints().empty());
}

// Elements that reach out of the window, but for those in a box that scrolls, which itself must not.
inline constexpr const char* kOutOfTheWindow =
    "[...document.querySelectorAll('body *')].filter((one) => !one.closest('.skip') && one.getClientRects().length && one.getBoundingClientRect().right > innerWidth + 1 &&"
    " (one.matches('.scroller') || !one.closest('.scroller'))).map((one) => `${one.tagName}.${one.className} ends at ${one.getBoundingClientRect().right}`)";

// Boxes whose content is cut: wider than they are, and nobody can scroll to the rest.
inline constexpr const char* kCut =
    "[...document.querySelectorAll('body *')].filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1 && !one.matches('.scroller, .skip') && getComputedStyle(one).display !== 'inline')"
    ".map((one) => `${one.tagName}.${one.className} holds ${one.scrollWidth} in ${one.clientWidth}`)";

// Pairs of neighbours in the flow that lie on each other.
inline constexpr const char* kOverlaps =
    "[...document.querySelectorAll('body, body *:not(li, .code, svg, .mark, span)')].flatMap((parent) => { const boxes = [...parent.children].filter((one) => one.getClientRects().length &&"
    " !['absolute', 'fixed', 'sticky'].includes(getComputedStyle(one).position) && getComputedStyle(one).display !== 'inline').map((one) => [one, one.getBoundingClientRect()]);"
    " return boxes.flatMap(([a, x], at) => boxes.slice(at + 1).filter(([b, y]) => Math.min(x.right, y.right) - Math.max(x.left, y.left) > 1 && Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 1)"
    ".map(([b]) => `${a.tagName}.${a.className} lies on ${b.tagName}.${b.className}`)); })";

// Tables that scroll without a word of it or out of reach of keys, and tables that say that they scroll and do not.
inline constexpr const char* kUntoldScrolls =
    "[...document.querySelectorAll('.scroller:not(.code)')].filter((one) => { const told = getComputedStyle(one, '::before'), seen = told.display !== 'none' && parseFloat(told.height) > 10 && told.content.includes('scrolls');"
    " return seen !== one.scrollWidth > one.clientWidth + 1 || one.tabIndex !== 0; }).map((one) => one.getAttribute('aria-label'))";

// Canvases that are not as wide as what they stand in, or whose picture is squeezed, or that reach out of it.
inline constexpr const char* kOddCanvases =
    "[...document.querySelectorAll('canvas')].flatMap((one) => { const box = one.getBoundingClientRect(), room = one.parentElement.getBoundingClientRect(), style = getComputedStyle(one.parentElement);"
    " const wide = room.width - ['paddingLeft', 'paddingRight', 'borderLeftWidth', 'borderRightWidth'].reduce((sum, side) => sum + parseFloat(style[side]), 0), out = [];"
    " if (Math.abs(box.width - wide) > 1.5) out.push(`${one.getAttribute('aria-label')}: ${box.width} wide in ${wide}`);"
    " if (box.bottom > room.bottom + 1) out.push(`${one.getAttribute('aria-label')}: its end is ${box.bottom - room.bottom} below its box`);"
    " if (Math.abs(one.width / one.height / (one.clientWidth / one.clientHeight) - 1) > 0.02) out.push(`${one.getAttribute('aria-label')}: squeezed`); return out; })";

}  // namespace tally
