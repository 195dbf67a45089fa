#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/printable.h"
#include "base/units.h"
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

// The end of a path says more than its beginning.
std::string Cut(std::string_view text, std::size_t width) {
  const std::string whole = Printable(text);
  if (whole.size() <= width) return whole;
  std::size_t begin = whole.size() - (width - 3);
  while (begin < whole.size() && (static_cast<unsigned char>(whole[begin]) & 0xC0) == 0x80) ++begin;
  return "..." + whole.substr(begin);
}

double Share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void WriteTime(const TimelineTables& tables, const ReportSink& sink) {
  const std::size_t threads = tables.threads.size();
  sink(fmt::format("{} of real time, {} thread{}, {} system calls, {} events\n\n", Duration(tables.duration),
                   FormatCount(threads), threads == 1 ? "" : "s", FormatCount(tables.calls), FormatCount(tables.events)));
  for (std::size_t i = 0; i < kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    const double share = Share(tables.time[resource], tables.duration);
    const std::string bar(static_cast<std::size_t>(share * static_cast<double>(kBar) + 0.5), '#');
    sink(fmt::format("  {:<8} {:>9} {:>5.1f} %  {:.<40}\n", Name(resource), Duration(tables.time[resource]), share * 100, bar));
  }
}

void WriteUsageHead(const char* title, const ReportSink& sink) {
  sink(fmt::format("\n  {:<26} {:>6} {:>9} {:>9} {:>9} {:>10}\n", title, "opens", "calls", "read", "written", "time"));
}

void WriteUsage(const std::string& name, const CallUsage& usage, const ReportSink& sink) {
  sink(fmt::format("  {:<26} {:>6} {:>9} {:>9} {:>9} {:>10}\n", name, Count(usage.opens), Count(usage.calls),
                   Size(usage.bytes_read), Size(usage.bytes_written), Duration(usage.nanoseconds)));
}

// `items`, of `count` that there are, shown by their usage, those that took most time first.
template <typename T, typename Label>
void WriteTable(const char* title, std::vector<const T*> items, std::size_t count, Label label, const ReportSink& sink) {
  if (items.empty()) return;
  std::stable_sort(items.begin(), items.end(),
                   [](const T* a, const T* b) { return a->usage.nanoseconds > b->usage.nanoseconds; });
  WriteUsageHead(title, sink);
  for (std::size_t i = 0; i < std::min(kRows, items.size()); ++i) WriteUsage(Cut(label(*items[i]), 26), items[i]->usage, sink);
  if (count > kRows) sink(fmt::format("  and {} more\n", FormatCount(count - kRows)));
}

void WriteResources(const TimelineTables& tables, const ReportSink& sink) {
  WriteUsageHead("resource", sink);
  for (std::size_t i = 0; i < kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    if (tables.usage[resource].calls != 0) WriteUsage(std::string(Name(resource)), tables.usage[resource], sink);
  }
}

void WriteThreads(const TimelineTables& tables, const ReportSink& sink) {
  std::string head = fmt::format("\n  {:<14}", "thread");
  for (const std::string_view name : kResourceNames) head += fmt::format(" {:>8}", name);
  sink(head + "\n");
  for (std::size_t i = 0; i < std::min(kRows, tables.threads.size()); ++i) {
    const TimelineThread& thread = tables.threads[i];
    const bool has_name = thread.process == i || thread.name != tables.threads[thread.process].name;
    const std::string name = has_name ? fmt::format("{} {}", i, thread.name) : fmt::format("{} of {}", i, thread.process);
    std::string line = fmt::format("  {:<14}", Cut(name, 14));
    for (const std::uint64_t part : thread.time) line += fmt::format(" {:>8}", Duration(part));
    sink(line + "\n");
  }
  if (tables.threads.size() > kRows) sink(fmt::format("  and {} more\n", FormatCount(tables.threads.size() - kRows)));
}

// Of very many, those that took most time, and how many there are.
void WriteObjects(const char* title, bool sockets, const TimelineFile& file, const ReportSink& sink) {
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
  WriteTable(title, shown, count, [](const TimelineObject& object) { return object.name; }, sink);
}

// "     1.240153 s  thread 1  file.write  8 B  12.0 us  out.txt"
void WriteEvent(const TimelineFile& file, const TimelineRecord& record, const ReportSink& sink) {
  const TimelineTables& tables = file.tables();
  std::string line = fmt::format("  {:>4}.{:06} s  thread {:<3} {:<16}", record.begin / 1'000'000'000,
                                 record.begin / 1000 % 1'000'000, record.thread, Printable(tables.kinds[record.event].name));
  const bool has_bytes = record.Has(TimelineRecord::kReads) || record.Has(TimelineRecord::kWrites);
  line += fmt::format(" {:>10} {:>9}", record.end == record.begin ? "" : Duration(record.end - record.begin),
                      has_bytes ? FormatBytes(Bytes{record.amount}) : "");
  if (record.object != kNoObject) line += "  " + Printable(file.Object(record.object).name);
  if (record.Has(TimelineRecord::kFailed)) line += fmt::format("  failed ({})", -record.result);
  if (record.Has(TimelineRecord::kUnfinished)) line += "  did not return";
  line.erase(line.find_last_not_of(' ') + 1);
  sink(line + "\n");
}

}  // namespace

void WriteTimelineSummary(const TimelineFile& file, const ShownEvents& events, const ReportSink& sink) {
  const TimelineTables& tables = file.tables();
  WriteTime(tables, sink);
  WriteResources(tables, sink);
  WriteThreads(tables, sink);
  std::vector<const TimelineEventKind*> kinds;
  for (const TimelineEventKind& kind : tables.kinds) {
    if (kind.usage.calls != 0) kinds.push_back(&kind);
  }
  WriteTable("event", kinds, kinds.size(), [](const TimelineEventKind& kind) { return kind.name; }, sink);
  WriteObjects("file", false, file, sink);
  WriteObjects("socket", true, file, sink);
  if (!events.any) return;
  sink("\n");
  file.ForEach(events.from, events.to, [&](const TimelineRecord& record) { WriteEvent(file, record, sink); });
}

}  // namespace tally
