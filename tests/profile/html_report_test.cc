// The page's text: what hostile data becomes, that nothing is loaded, and that only what was built in may run.
#include "profile/html/html_report.h"

#include <regex>

#include "tests/profile/sample_page.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

using nlohmann::json;

std::string DataOf(const std::string& page) {
  const std::string open = "id=\"data\">";
  const std::size_t from = page.find(open) + open.size();
  return page.substr(from, page.find("</script>", from) - from);
}

std::size_t Occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST_CASE("page: what could end or open an element is escaped in the JSON, and reads the same", "[html]") {
  for (const char* text : {"</script><script>alert(1)</script>", "<!--<script>", "]]>", "&lt;", "\xe2\x80\xa8\xe2\x80\xa9", "{{data}}",
                           "a\\\"b\n\t", "\x01\x7f"}) {
    CAPTURE(text);
    const std::string embedded = EmbeddedJson(json(text));
    CHECK(embedded.find_first_of("<>&") == std::string::npos);
    CHECK(std::all_of(embedded.begin(), embedded.end(), [](char c) { return c >= ' ' && c < 0x7f; }));
    CHECK(json::parse(embedded) == text);
  }
}

TEST_CASE("page: bytes that are no UTF-8 become U+FFFD, also inside a name", "[html]") {
  CHECK(json::parse(EmbeddedJson(json("a\xff\xfe" "b\xc3"))) == "a\uFFFD\uFFFDb\uFFFD");
  CHECK(json::parse(EmbeddedJson(json{{"k\xff", 1}})).contains("k\uFFFD"));
}

TEST_CASE("page: a hostile source, name or compiler message leaves the page's elements as they are", "[html]") {
  HtmlInput input = SamplePage();
  const std::string plain = HtmlReport(input);
  const std::string hostile = "</script><img src=https://example.org/x onerror=alert(1)>{{scripts}}<!--";
  input.series[0].name = input.series[0].language = hostile;
  input.series[0].sources[0].text = hostile;
  input.series[0].report["task_id"] = hostile;
  input.series[0].report["error"] = {{"code", hostile}, {"sentence", hostile}, {"text", hostile}};
  const std::string page = HtmlReport(input);
  for (const char* what : {"<script", "</script", "<img", "<!--", "onerror="}) {
    CAPTURE(what);
    CHECK(Occurrences(page, what) - Occurrences(DataOf(page), what) == Occurrences(plain, what) - Occurrences(DataOf(plain), what));
  }
  CHECK(json::parse(DataOf(page))["series"][0]["name"] == hostile);
}

TEST_CASE("page: no attribute and no style names anything outside the file", "[html]") {
  const std::string page = HtmlReport(SamplePage());
  const std::string outside_scripts = std::regex_replace(page.substr(0, page.find("<script")), std::regex("\n"), " ");
  CHECK_FALSE(std::regex_search(outside_scripts, std::regex("(src|href|action|srcset|poster)\\s*=\\s*[\"']?\\s*(https?:)?//")));
  CHECK(outside_scripts.find("@import") == std::string::npos);
  CHECK(outside_scripts.find("url(") == std::string::npos);
  CHECK(Occurrences(page, "<script src") == 0);
  CHECK(Occurrences(page, "<link") == 1);  // an icon that is data
}

TEST_CASE("page: its policy lets run each script that it has, and nothing else", "[html]") {
  const std::string page = HtmlReport(SamplePage());
  CHECK(page.find("default-src 'none'; script-src 'sha256-") != std::string::npos);
  CHECK(page.find("unsafe-") == std::string::npos);
  CHECK(Occurrences(page, "'sha256-") == Occurrences(page, "<script>") + 2);
}

TEST_CASE("page: it is the same bytes for the same data, and carries the notice of Chart.js", "[html]") {
  const std::string page = HtmlReport(SamplePage());
  CHECK(page == HtmlReport(SamplePage()));
  CHECK(page.find("Permission is hereby granted, free of charge") != std::string::npos);
  CHECK(page.find("Chart.js v") != std::string::npos);
  CHECK(page.find("{{") == page.find("{{", page.find("<script>")));  // every place in the template is filled
}

}  // namespace
}  // namespace tally
