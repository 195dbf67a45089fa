#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/columns.h"
#include "base/printable.h"
#include "base/units.h"
#include "base/wrapped_text.h"
#include "profile/timeline/reports.h"

namespace tally {
namespace {

constexpr std::size_t kRows = 10;  // of a table; the others are one line
constexpr std::size_t kBar = 40;

// As in FormatDuration, but what is shorter than a tenth of a millisecond is told, too.
std::string Duration(std::uint64_t nanoseconds) {
  if (nanoseconds == 0) return "-";
  if (nanoseconds < 100'000) return fmt::format("{:.1f} us", static_cast<double>(nanoseconds) / 1000);
  return FormatDuration(Nanoseconds(static_cast<std::int64_t>(nanoseconds)));
}
std::string Size(std::uint64_t bytes) { return bytes == 0 ? "-" : FormatBytes(Bytes{bytes}); }
std::string Count(std::uint64_t count) { return count == 0 ? "-" : FormatCount(count); }

std::string Cut(std::string_view text, std::size_t width) { return ShortenedInFront(Printable(text), width); }

double Share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// A terminal's columns, 0 as many as are wanted, and where text goes.
struct Paper {
  std::size_t columns;
  const ReportSink& sink;
};

void WriteTime(const TimelineTables& tables, const Paper& paper) {
  const std::string head = fmt::format("{} of real time, {}, {}, {}\n\n", Duration(tables.duration), CountOf(tables.threads.size(), "thread"),
                                       CountOf(tables.calls, "system call"), CountOf(tables.events, "event"));
  paper.sink(WrappedText(head, paper.columns));
  constexpr std::size_t kBeside = 30;  // columns beside the bar
  const std::size_t width = paper.columns == 0 ? kBar : std::min(kBar, paper.columns - std::min(paper.columns, kBeside));
  for (std::size_t i = 0; i < kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    const double share = Share(tables.time[resource], tables.duration);
    const std::string bar(static_cast<std::size_t>(share * static_cast<double>(width) + 0.5), '#');
    paper.sink(fmt::format("  {:<8} {:>9} {:>5.1f} %", Name(resource), Duration(tables.time[resource]), share * 100));
    paper.sink(width == 0 ? "\n" : fmt::format("  {:.<{}}\n", bar, width));
  }
}

std::string AndMore(std::size_t count) { return fmt::format("  and {} more\n", FormatCount(count)); }

// In a narrow terminal the time of each row stays to the last.
class UsageTable {
 public:
  UsageTable(const char* title, const Paper& paper)
      : name_(paper.columns == 0 ? kLongestName : std::clamp(paper.columns - std::min(paper.columns, kBesideName), kShortestName, kLongestName)),
        columns_({{title, name_}, {"opens", 6, true, 1, " "}, {"calls", 9, true, 3, " "}, {"read", 9, true, 2, " "}, {"written", 9, true, 2, " "}, {"time", 10, true, 0, " "}},
                 paper.columns, false),
        sink_(paper.sink) {
    sink_("\n" + columns_.Head());
  }
  void Add(std::string_view name, const CallUsage& usage) {
    sink_(columns_.Row({{Cut(name, name_)}, {Count(usage.opens)}, {Count(usage.calls)}, {Size(usage.bytes_read)}, {Size(usage.bytes_written)}, {Duration(usage.nanoseconds)}}));
  }

 private:
  static constexpr std::size_t kShortestName = 10, kLongestName = 26, kBesideName = 13;
  std::size_t name_;
  Columns columns_;
  const ReportSink& sink_;
};

// `items`, of `count` that there are, shown by their usage, those that took most time first.
template <typename T, typename Label>
void WriteTable(const char* title, std::vector<const T*> items, std::size_t count, Label label, const Paper& paper) {
  if (items.empty()) return;
  std::stable_sort(items.begin(), items.end(),
                   [](const T* a, const T* b) { return a->usage.nanoseconds > b->usage.nanoseconds; });
  UsageTable table(title, paper);
  for (std::size_t i = 0; i < std::min(kRows, items.size()); ++i) table.Add(label(*items[i]), items[i]->usage);
  if (count > kRows) paper.sink(AndMore(count - kRows));
}

void WriteResources(const TimelineTables& tables, const Paper& paper) {
  UsageTable table("resource", paper);
  for (std::size_t i = 0; i < kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    if (tables.usage[resource].calls != 0) table.Add(Name(resource), tables.usage[resource]);
  }
}

// A column for each resource. From a narrow terminal that goes first on which all threads together spent least.
std::vector<Column> ThreadColumns(const TimelineTables& tables, std::size_t name) {
  std::array<std::uint64_t, kResources> spent{};
  for (const TimelineThread& thread : tables.threads) {
    for (std::size_t i = 0; i < kResources; ++i) spent[i] += thread.time[static_cast<Resource>(i)];
  }
  std::vector<Column> columns{{"thread", name}};
  for (std::size_t i = 0; i < kResources; ++i) {
    unsigned goes = 1;
    for (std::size_t other = 0; other < kResources; ++other) goes += spent[other] < spent[i] || (spent[other] == spent[i] && other > i) ? 1 : 0;
    columns.push_back({std::string(kResourceNames[i]), 8, true, goes == kResources ? 0 : goes, " "});
  }
  return columns;
}

void WriteThreads(const TimelineTables& tables, const Paper& paper) {
  constexpr std::size_t kName = 14;
  const Columns columns(ThreadColumns(tables, kName), paper.columns, false);
  paper.sink("\n" + columns.Head());
  for (std::size_t i = 0; i < std::min(kRows, tables.threads.size()); ++i) {
    const TimelineThread& thread = tables.threads[i];
    const bool has_name = thread.process == i || thread.name != tables.threads[thread.process].name;
    const std::string name = has_name ? fmt::format("{} {}", i, thread.name) : fmt::format("{} of {}", i, thread.process);
    std::vector<Cell> cells{{Cut(name, kName)}};
    for (const std::uint64_t part : thread.time) cells.push_back({Duration(part)});
    paper.sink(columns.Row(cells));
  }
  if (tables.threads.size() > kRows) paper.sink(AndMore(tables.threads.size() - kRows));
}

// Of very many, those that took most time, and how many there are.
void WriteObjects(const char* title, bool sockets, const TimelineFile& file, const Paper& paper) {
  std::vector<TimelineObject> first;
  std::size_t count = 0;
  file.ForEachObject([&](ObjectNumber, const TimelineObject& object) {
    const bool used = object.usage.calls != 0 || object.usage.opens != 0;
    if (!used || (object.kind == ObjectKind::kSocket) != sockets) return;
    ++count;
    const auto place = std::upper_bound(first.begin(), first.end(), object, [](const TimelineObject& a, const TimelineObject& b) { return a.usage.nanoseconds > b.usage.nanoseconds; });
    if (place == first.end() && first.size() == kRows) return;
    first.insert(place, object);
    if (first.size() > kRows) first.pop_back();
  });
  std::vector<const TimelineObject*> shown;
  for (const TimelineObject& object : first) shown.push_back(&object);
  WriteTable(title, shown, count, [](const TimelineObject& object) { return object.name; }, paper);
}

// "     1.240153 s  thread 1  file.write  8 B  12.0 us  out.txt". What it was done with stands behind the columns, or below.
void WriteEvent(const TimelineFile& file, const TimelineRecord& record, const Columns& columns, const Paper& paper) {
  const TimelineTables& tables = file.tables();
  const bool has_bytes = record.Has(TimelineRecord::kReads) || record.Has(TimelineRecord::kWrites);
  std::string line = columns.Row({{fmt::format("{:>4}.{:06} s", record.begin / 1'000'000'000, record.begin / 1000 % 1'000'000)},
                                  {fmt::format("thread {}", record.thread)},
                                  {Printable(tables.kinds[record.event].name)},
                                  {record.end == record.begin ? "" : Duration(record.end - record.begin)},
                                  {has_bytes ? FormatBytes(Bytes{record.amount}) : ""}});
  line.pop_back();  // its end of line
  std::string with;
  if (record.object != kNoObject) with += "  " + Printable(file.Object(record.object).name);
  if (record.Has(TimelineRecord::kFailed)) with += fmt::format("  failed ({})", -record.result);
  if (record.Has(TimelineRecord::kUnfinished)) with += "  did not return";
  const bool is_beside = paper.columns == 0 || columns.width() + CharactersIn(with) <= paper.columns;
  if (with.empty()) paper.sink(line + "\n");
  else if (is_beside) paper.sink(fmt::format("{:{}}{}\n", line, columns.width(), with));
  else paper.sink(WrappedText(fmt::format("{}\n     {}\n", line, with), paper.columns));
}

void WriteEvents(const TimelineFile& file, const ShownEvents& events, const Paper& paper) {
  const Columns columns({{"", 13}, {"", 10, false, 2}, {"", 16, false, 0, " "}, {"", 10, true, 3, " "}, {"", 9, true, 1, " "}}, paper.columns, false);
  paper.sink("\n");
  file.ForEach(events.from, events.to, [&](const TimelineRecord& record) { WriteEvent(file, record, columns, paper); });
}

}  // namespace

void WriteTimelineSummary(const TimelineFile& file, const ShownEvents& events, const ReportSink& sink, std::size_t columns) {
  const TimelineTables& tables = file.tables();
  const Paper paper{columns, sink};
  WriteTime(tables, paper);
  WriteResources(tables, paper);
  WriteThreads(tables, paper);
  std::vector<const TimelineEventKind*> kinds;
  for (const TimelineEventKind& kind : tables.kinds) {
    if (kind.usage.calls != 0) kinds.push_back(&kind);
  }
  WriteTable("event", kinds, kinds.size(), [](const TimelineEventKind& kind) { return kind.name; }, paper);
  WriteObjects("file", false, file, paper);
  WriteObjects("socket", true, file, paper);
  if (events.any) WriteEvents(file, events, paper);
}

}  // namespace tally
