#include "jobs/timeline_run.h"

#include "jobs/files.h"
#include "profile/timeline/reports.h"
#include "profile/timeline/timeline.h"

namespace tally {

TimelineRun RunForTimeline(const std::string& key, const std::string& path, const ExecInfo& info, ExecOptions options,
                           int stdin_fd, int stdout_fd) {
  options.counter = Counter::kTranslator;
  for (const VirtualRule rule : {VirtualRule::kTime, VirtualRule::kSystem, VirtualRule::kRandom}) {
    options.virtual_cpu.rules.Remove(rule);
  }
  Program program(key, path, info, options);
  const TemporaryDirectory directory;
  Timeline timeline(directory.path(), "program", {KindOfDescriptor(stdin_fd), KindOfDescriptor(stdout_fd), ObjectKind::kDevice});
  program.TellOf(&timeline);
  TimelineRun out;
  out.run = program.Run(stdin_fd, stdout_fd, -1);
  const std::string file = directory.File("timeline");
  timeline.Merge(file);
  WriteTimelineJson(TimelineFile(file), {.any = true, .longest = kMostTimelineEvents}, [&out](std::string_view part) { out.json += part; });
  return out;
}

}  // namespace tally
