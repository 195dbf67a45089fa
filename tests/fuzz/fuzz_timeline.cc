// A timeline file is anybody's: whatever it is, what is shown of it is in it.
#include <sys/mman.h>

#include <cstring>

#include "base/sys.h"
#include "profile/timeline/reports.h"
#include "tests/fuzz/fuzz_target.h"

TALLY_FUZZ_TARGET(timeline) {
  using namespace tally;
  Fd memory(::memfd_create("timeline", MFD_CLOEXEC));
  sys::WriteAll(memory.get(), input, "memfd");
  fuzz::MayRefuse([&] {
    const TimelineFile file(std::move(memory), "timeline");
    const auto nowhere = [](std::string_view) {};
    for (const ShownEvents& shown : {ShownEvents{.any = true}, ShownEvents{true, 1000, 2000}, ShownEvents{}}) {
      WriteTimelineSummary(file, shown, nowhere);
      WriteTimelineJson(file, shown, nowhere);
      WriteChromeTrace(file, shown, nowhere);
    }
    file.ForEach(1000, 2000, [](const TimelineRecord& record) { fuzz::Require(record.begin < 2000 && record.begin <= record.end); });
  });
}
