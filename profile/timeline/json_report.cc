#include <fmt/format.h>

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "profile/timeline/json_text.h"
#include "profile/timeline/longest_records.h"
#include "profile/timeline/reports.h"

namespace tally {
namespace {

std::string TimeJson(const TimeConsumption& time) {
  std::string out;
  for (std::size_t i = 0; i < kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    out += fmt::format("{}\"{}\": {}", i == 0 ? "" : ", ", Name(resource), time[resource]);
  }
  return "{" + out + "}";
}

std::string UsageFields(const CallUsage& usage) {
  return fmt::format(
      R"("calls": {}, "failed": {}, "opens": {}, "bytes_read": {}, "bytes_written": {}, "time_ns": {})", usage.calls,
      usage.failed, usage.opens, usage.bytes_read, usage.bytes_written, usage.nanoseconds);
}

// Only those of which there was any use.
std::string ResourcesJson(const PerResource<CallUsage>& usage) {
  std::string out;
  for (std::size_t i = 0; i < kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    if (usage[resource].calls == 0) continue;
    out += fmt::format("{}\"{}\": {{{}}}", out.empty() ? "" : ", ", Name(resource), UsageFields(usage[resource]));
  }
  return "{" + out + "}";
}

// One row to a line; rows come one after the other.
class List {
 public:
  List(const char* name, const ReportSink& sink) : sink_(sink) { sink_(fmt::format(",\n \"{}\": [", name)); }
  ~List() { sink_(first_ ? "]" : "\n ]"); }
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  void Row(const std::string& fields) {
    sink_(fmt::format("{}\n  {{{}}}", first_ ? "" : ",", fields));
    first_ = false;
  }

 private:
  const ReportSink& sink_;
  bool first_ = true;
};

std::string ThreadFields(const TimelineTables& tables, std::size_t number) {
  const TimelineThread& thread = tables.threads[number];
  const std::string parent = thread.parent == TimelineThread::kNone ? "null" : std::to_string(thread.parent);
  return fmt::format(
      R"("thread": {}, "tid": {}, "process": {}, "parent": {}, "name": {}, "begin_ns": {}, "end_ns": {}, "calls": {}, )"
      R"("time_ns": {}, "resources": {})",
      number, thread.tid, thread.process, parent, JsonText(thread.name), thread.begin, thread.end, thread.calls,
      TimeJson(thread.time), ResourcesJson(thread.usage));
}

std::string ObjectFields(const TimelineObject& object, std::size_t number) {
  return fmt::format(R"("object": {}, "kind": "{}", "name": {}, {})", number, Name(object.kind), JsonText(object.name), UsageFields(object.usage));
}

std::string EventFields(const TimelineTables& tables, const TimelineRecord& record) {
  std::string out = fmt::format(R"("event": {}, "thread": {}, "begin_ns": {}, "end_ns": {})",
                                JsonText(tables.kinds[record.event].name), record.thread, record.begin, record.end);
  if (record.object != kNoObject) out += fmt::format(R"(, "object": {})", record.object);
  if (record.Has(TimelineRecord::kReads) || record.Has(TimelineRecord::kWrites)) {
    out += fmt::format(R"(, "bytes": {})", record.amount);
  }
  if (record.Has(TimelineRecord::kFailed)) out += fmt::format(R"(, "errno": {})", -record.result);
  if (record.stopped != 0) out += fmt::format(R"(, "stopped_ns": {})", record.stopped);
  if (record.Has(TimelineRecord::kUnfinished)) out += R"(, "unfinished": true)";
  return out;
}

// The longest events, where not all of them are shown.
std::optional<LongestRecords> LongestOf(const TimelineFile& file, const ShownEvents& events) {
  if (!events.any || !events.longest) return std::nullopt;
  std::optional<LongestRecords> longest(*events.longest);
  file.ForEach(events.from, events.to, [&](const TimelineRecord& record) { longest->Add(record); });
  return longest;
}

void WriteObjects(const TimelineFile& file, const std::vector<TimelineRecord>* named_by, const ReportSink& sink) {
  std::unordered_set<ObjectNumber> named;
  if (named_by != nullptr) {
    for (const TimelineRecord& record : *named_by) named.insert(record.object);
  }
  for (const bool sockets : {false, true}) {
    List list(sockets ? "sockets" : "files", sink);
    file.ForEachObject([&](ObjectNumber number, const TimelineObject& object) {
      const bool is_shown = named_by == nullptr || named.contains(number);
      if (is_shown && (object.kind == ObjectKind::kSocket) == sockets) list.Row(ObjectFields(object, number));
    });
  }
}

}  // namespace

void WriteTimelineJson(const TimelineFile& file, const ShownEvents& events, const ReportSink& sink) {
  const TimelineTables& tables = file.tables();
  sink(fmt::format("{{\"format\": \"tally-timeline\", \"version\": 1,\n \"program\": {},\n \"real_time_ns\": {},\n"
                   " \"calls\": {},\n \"event_count\": {},\n \"time_ns\": {},\n \"resources\": {}",
                   JsonText(tables.program), tables.duration, tables.calls, tables.events, TimeJson(tables.time),
                   ResourcesJson(tables.usage)));
  {
    List list("kinds", sink);
    for (const TimelineEventKind& kind : tables.kinds) {
      if (kind.usage.calls == 0) continue;
      list.Row(fmt::format(R"("event": {}, "resource": "{}", {})", JsonText(kind.name), Name(kind.resource), UsageFields(kind.usage)));
    }
  }
  {
    List list("threads", sink);
    for (std::size_t i = 0; i < tables.threads.size(); ++i) list.Row(ThreadFields(tables, i));
  }
  std::optional<LongestRecords> longest = LongestOf(file, events);
  const std::uint64_t left_out = longest ? longest->left_out() : 0;
  const std::vector<TimelineRecord> records = longest ? longest->Take() : std::vector<TimelineRecord>();
  WriteObjects(file, longest ? &records : nullptr, sink);
  if (left_out > 0) sink(fmt::format(",\n \"left_out\": {}", left_out));
  if (events.any) {
    List list("events", sink);
    const auto row = [&](const TimelineRecord& record) { list.Row(EventFields(tables, record)); };
    if (longest) {
      for (const TimelineRecord& record : records) row(record);
    } else {
      file.ForEach(events.from, events.to, row);
    }
  }
  sink("\n}\n");
}

}  // namespace tally
