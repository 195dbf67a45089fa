// What a timeline file is shown as: a summary for a terminal, JSON for programs, and the format of Chrome's tracer, which
// Perfetto opens. All are written as a stream, whatever the number of events. docs/timeline.md has their shapes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "profile/timeline/timeline_file.h"

namespace tally {

// Takes the next part of a report.
using ReportSink = std::function<void(std::string_view)>;

// The events that are shown; totals are always those of the whole run.
struct ShownEvents {
  bool any = false;
  std::uint64_t from = 0;  // nanoseconds
  std::uint64_t to = TimelineFile::kEver;
  std::optional<std::size_t> longest;  // so many of them, in JSON, how many were left out, and of files and sockets those of these events
};

// `columns` are the terminal's; 0: as many as are wanted, which are at most 80, but for names in the list of events. A narrow terminal has fewer
// columns of each table.
void WriteTimelineSummary(const TimelineFile& file, const ShownEvents& events, const ReportSink& sink, std::size_t columns = 0);
void WriteTimelineJson(const TimelineFile& file, const ShownEvents& events, const ReportSink& sink);
void WriteChromeTrace(const TimelineFile& file, const ShownEvents& events, const ReportSink& sink);

}  // namespace tally
