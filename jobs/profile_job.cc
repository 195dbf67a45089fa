// The profile job: a CodeMessage in, the same with its ProfileReport out (docs/profile.md).
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/units.h"
#include "jobs/exec_options.h"
#include "jobs/job.h"
#include "jobs/profile_series.h"

namespace tally {

void RunProfileJob(Environ* environ) {
  const CodeMessage message = ReadCodeMessage(environ->object());
  const Isolation isolation = ParseIsolation("isolation", environ->TextOr("isolation", "full"));
  const SeriesEvents events{[](std::size_t, std::size_t, const std::string&) {},
                            [least = LogLevelOfEnvironment()](LogLevel level, const std::string& sentence) {
                              if (level >= least) WriteLog(level, sentence);
                            }};
  const ProfileReport report = RunSeries(message, isolation, events);
  const nlohmann::json object = ReportObject(report);
  for (const auto& [key, value] : object.items()) environ->object()[key] = value;
  environ->Set("result_code", Name(report.Code()));
  if (report.error) {
    environ->Set("result_string", report.error->sentence);
  } else if (report.failures.empty()) {
    environ->Set("result_string", "ok");
  } else {
    const Failure& first = report.failures.front();
    environ->Set("result_string", fmt::format("n = {}: {}", FormatCount(first.size), first.sentence));
  }
}

}  // namespace tally
