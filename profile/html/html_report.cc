#include "profile/html/html_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "profile/html/assets.h"
#include "profile/html/page_style.h"

namespace tally {
namespace {

using nlohmann::json;

bool IsScript(const HtmlAsset& asset) { return asset.name.size() > 3 && asset.name.substr(asset.name.size() - 3) == ".js"; }

std::string Policy() {
  std::string scripts;
  for (const HtmlAsset& asset : HtmlAssets()) {
    if (IsScript(asset)) scripts += PolicySum(asset);
  }
  return fmt::format("default-src 'none'; script-src{}; style-src{}; img-src data:; base-uri 'none'; form-action 'none'", scripts, PageStylePolicy());
}

std::string Scripts() {
  std::string out;
  for (const HtmlAsset& asset : HtmlAssets()) {
    if (IsScript(asset)) out += fmt::format("<script>{}</script>\n", asset.text);
  }
  return out;
}

std::string EscapedText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

// Copies `page` and puts what is named in place of each {{name}}; what is put there is not looked at again.
std::string Filled(std::string_view page, const std::vector<std::pair<std::string_view, std::string>>& parts) {
  std::string out;
  for (;;) {
    const std::size_t open = page.find("{{"), close = page.find("}}", open);
    if (close == std::string_view::npos) return out += page;
    const std::string_view name = page.substr(open + 2, close - open - 2);
    const auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& one) { return one.first == name; });
    out += page.substr(0, open);
    if (part != parts.end()) out += part->second;
    page.remove_prefix(close + 2);
  }
}

json SeriesObject(const HtmlSeries& series) {
  json sources = json::array();
  for (const HtmlSource& source : series.sources) sources.push_back({{"file", source.file}, {"text", source.text}});
  return {{"name", series.name},   {"language", series.language},
          {"report", series.report}, {"bytes", series.bytes},
          {"sources", sources},    {"timeline", series.timeline}};
}

std::string Page(const char* title, const json& data) {
  return Filled(Asset("page.html").text, {{"policy", Policy()},
                                          {"title", title},
                                          {"style", PageStyle()},
                                          {"version", TALLY_VERSION},
                                          {"licence", EscapedText(Asset("chart_licence.txt").text)},
                                          {"data", EmbeddedJson(data)},
                                          {"scripts", Scripts()}});
}

}  // namespace

std::string EmbeddedJson(const json& json_value) {
  const std::string text = json_value.dump(-1, ' ', true, json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  for (const char c : text) {
    switch (c) {  // these stand in strings only
      case '<': out += "\\u003c"; break;
      case '>': out += "\\u003e"; break;
      case '&': out += "\\u0026"; break;
      default: out += c;
    }
  }
  return out;
}

HtmlSeries SeriesOf(const ProfileReport& report, std::string name, std::vector<HtmlSource> sources) {
  HtmlSeries series{std::move(name), report.language, ReportObject(report), {}, std::move(sources), nullptr};
  for (const SizeReport& size : report.sizes) series.bytes.push_back(size.bytes);
  return series;
}

std::string HtmlReport(const HtmlInput& input) {
  json data{{"series", json::array()}, {"metrics", input.metrics}};
  for (const HtmlSeries& series : input.series) data["series"].push_back(SeriesObject(series));
  return Page("Tally profile", data);
}

std::string HtmlTimeline(const std::string& name, const json& timeline) {
  return Page("Tally trace", {{"trace", {{"name", name}, {"timeline", timeline}}}});
}

}  // namespace tally
