// The report as one page: charts, table, hot lines, timeline, system metrics, all in one file that loads nothing.
//
// The page is fixed text with a place for data: scripts in it (profile/html/*.js) draw everything from one JSON text.
// What is in there may be hostile (a source, a compiler's words, the name of a task), so
//   the JSON has none of < > & and nothing beyond ASCII: no string in it can end the element it stands in, and bytes
//     that are no UTF-8 come as U+FFFD;
//   the scripts make text nodes of it, never markup;
//   the page's Content-Security-Policy lets run the scripts that were built in, by their sums, and nothing else, and
//     permits no load from anywhere.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "profile/report.h"

namespace tally {

struct HtmlSource {
  std::string file;  // as `hotspots` call it
  std::string text;
};

struct HtmlSeries {
  std::string name;                  // "merge_sort.cpp"
  std::string language;              // "C++17 (GCC)"
  nlohmann::json report;             // ReportObject
  std::vector<std::uint64_t> bytes;  // of input and output, by size: a fit may have a term per byte
  std::vector<HtmlSource> sources;
  // What the run did over time, with its longest events: `tally-timeline` as docs/timeline.md has it, or {"absent": "why there
  // is none"}; null: nobody asked.
  nlohmann::json timeline;
};

struct HtmlInput {
  std::vector<HtmlSeries> series;  // one, or two side by side
  nlohmann::json metrics;          // a delivery as docs/metrics.md has it, or {"absent": "..."}; null: nobody asked
};

HtmlSeries SeriesOf(const ProfileReport& report, std::string name, std::vector<HtmlSource> sources);
std::string HtmlReport(const HtmlInput& input);
// The timeline of one run, `tally-timeline` with its longest events.
std::string HtmlTimeline(const std::string& name, const nlohmann::json& timeline);

// `json` as it may stand in a <script type="application/json">.
std::string EmbeddedJson(const nlohmann::json& json);

}  // namespace tally
