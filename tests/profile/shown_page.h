// A report's page as the browser shows it.
#pragma once

#include <fstream>
#include <string>

#include "profile/html/html_report.h"
#include "tests/support/page_browser.h"

namespace tally {

inline constexpr const char* kReady = "document.documentElement?.dataset.ready === 'yes'";

inline Browser& Shown(const std::string& name, const std::string& page, const Screen& screen) {
  const std::string path = Artefact(name + ".html");
  std::ofstream(path, std::ios::binary) << page;
  TheBrowser().Open(path, screen, kReady);
  return TheBrowser();
}
inline Browser& Shown(const std::string& name, const HtmlInput& input, const Screen& screen) { return Shown(name, HtmlReport(input), screen); }

}  // namespace tally
