// The JSON array of Chrome's "Trace Event Format": one object for each event, times in microseconds.
#include <fmt/format.h>

#include <string>

#include "profile/timeline/json_text.h"
#include "profile/timeline/reports.h"

namespace tally {
namespace {

// "1234.567": to the nanosecond, which a double would not keep in a long run.
std::string Microseconds(std::uint64_t nanoseconds) {
  return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

std::string Arguments(const TimelineFile& file, const TimelineRecord& record) {
  std::string out;
  const auto add = [&out](const std::string& field) { out += (out.empty() ? "" : ", ") + field; };
  if (record.object != kNoObject) {
    const TimelineObject& object = file.Object(record.object);
    add(fmt::format("\"{}\": {}", Name(object.kind), JsonText(object.name)));
  }
  if (record.Has(TimelineRecord::kReads) || record.Has(TimelineRecord::kWrites)) add(fmt::format("\"bytes\": {}", record.amount));
  if (record.Has(TimelineRecord::kFailed)) add(fmt::format("\"errno\": {}", -record.result));
  if (record.stopped != 0) add(fmt::format("\"stopped_us\": {}", Microseconds(record.stopped)));
  if (record.Has(TimelineRecord::kUnfinished)) add("\"unfinished\": true");
  return out;
}

bool IsMoment(const TimelineEventKind& kind) { return kind.name.ends_with(".begin") || kind.name.ends_with(".end"); }

}  // namespace

void WriteChromeTrace(const TimelineFile& file, const ShownEvents& events, const ReportSink& sink) {
  const TimelineTables& tables = file.tables();
  bool first = true;
  const auto row = [&](const std::string& fields) {
    sink(fmt::format("{}\n{{{}}}", first ? "[" : ",", fields));
    first = false;
  };
  for (std::size_t i = 0; i < tables.threads.size(); ++i) {
    const TimelineThread& thread = tables.threads[i];
    const int pid = tables.threads[thread.process].tid;
    const bool is_process = thread.process == i;
    if (is_process) {
      row(fmt::format(R"("ph": "M", "name": "process_name", "pid": {}, "tid": {}, "args": {{"name": {}}})", pid, thread.tid,
                      JsonText(thread.name)));
    }
    const bool has_name = !is_process && thread.name != tables.threads[thread.process].name;
    row(fmt::format(R"("ph": "M", "name": "thread_name", "pid": {}, "tid": {}, "args": {{"name": {}}})", pid, thread.tid,
                    is_process ? "\"main thread\"" : JsonText(has_name ? thread.name : fmt::format("thread {}", i))));
  }
  if (first) sink("[");
  const auto event = [&](const TimelineRecord& record) {
    const TimelineThread& thread = tables.threads[record.thread];
    const TimelineEventKind& kind = tables.kinds[record.event];
    const std::string common =
        fmt::format(R"("name": {}, "cat": "{}", "pid": {}, "tid": {}, "ts": {})", JsonText(kind.name), Name(kind.resource),
                    tables.threads[thread.process].tid, thread.tid, Microseconds(record.begin));
    if (IsMoment(kind)) {
      row(fmt::format(R"("ph": "i", "s": "t", {})", common));
    } else {
      row(fmt::format(R"("ph": "X", {}, "dur": {}, "args": {{{}}})", common, Microseconds(record.end - record.begin),
                      Arguments(file, record)));
    }
  };
  file.ForEach(events.from, events.to, event);
  sink("\n]\n");
}

}  // namespace tally
