#include "jobs/python_hotspots.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/files.h"
#include "profile/hotspots/python_costs.h"

namespace tally {

HotspotRun RunForPythonHotspots(const std::string& key, const std::string& source, const ExecInfo& info, ExecOptions options,
                                std::uint64_t counted, int stdin_fd, int stdout_fd) {
  constexpr const char* kInside = "/box/a.py";
  const TemporaryDirectory directory;
  const std::string marker = directory.File("lines.py"), costs = directory.File("costs");
  sys::WriteAll(sys::Open(marker, O_WRONLY | O_CREAT, 0644).get(), kPythonLines, marker);
  const Fd out = sys::Open(costs, O_RDWR | O_CREAT | O_APPEND, 0600);
  options.counter = Counter::kTranslator;
  ExecInfo marked = info;
  marked.preferred_filename = "tally_lines.py";
  Program program(key, marker, marked, options, {{source, kInside, false, false}});
  program.AddArguments({std::to_string(out.get()), std::to_string(counted), kInside});
  program.KeepOpen({out.get()});
  HotspotRun found;
  found.run = program.Run(stdin_fd, stdout_fd, -1);
  try {
    found.hotspots = ParsePythonCosts(sys::ReadFile(costs), kInside, counted);
  } catch (const UserError& mistake) {
    found.why_no_lines = fmt::format("the interpreter did not say what its lines cost ({})", mistake.what());
  }
  return found;
}

}  // namespace tally
