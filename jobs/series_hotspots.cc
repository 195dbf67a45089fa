#include "jobs/series_hotspots.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <chrono>

#include "base/sys.h"
#include "jobs/files.h"
#include "jobs/hotspot_run.h"
#include "jobs/python_hotspots.h"

namespace tally {
namespace {

constexpr std::string_view kPython = "python3";
constexpr std::string_view kCompiledIn = "/box/";  // sources, by names of ours
constexpr int kAtLeastSlower = 3;  // than counting, and more often five times

class Search {
 public:
  Search(const SeriesProgram& program, const HotspotSearch& search, ProfileReport* report)
      : program_(program), search_(search), report_(*report), left_(search.budget) {}

  void Run() {
    report_.hotspots_absent = "no size ran to its end";
    std::string larger;
    for (std::size_t i = 0; i < search_.sizes.size(); ++i) {
      const bool is_last = i + 1 == search_.sizes.size();
      const std::string why_not = Try(search_.sizes[i], is_last ? left_ : left_ * 2 / 3, is_last);
      if (why_not.empty()) {
        report_.hotspots_larger = larger;
        return;
      }
      if (larger.empty()) larger = fmt::format("at n = {}: {}", FormatCount(search_.sizes[i].n), why_not);
      report_.hotspots_absent = larger;
    }
  }

 private:
  // "": it did; or why not.
  std::string Try(const ObservableSize& size, Nanoseconds limit, bool is_last) {
    const bool too_slow = !size.counting_took || *size.counting_took * kAtLeastSlower > limit;
    const std::string unfit = fmt::format("a run that is observed does not fit into {}", FormatDuration(limit));
    if ((too_slow && !is_last) || limit < Milliseconds(1)) return unfit;
    search_.begins(size.n);
    ExecOptions options = search_.options;
    options.limits.wall_time = limit;
    const Fd in = sys::Open(size.input, O_RDONLY);
    const TemporaryDirectory directory;
    const Fd out = sys::Open(directory.File("out"), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    const CompileResult& built = program_.compilation();
    const auto start = std::chrono::steady_clock::now();
    const bool is_python = built.info.mode == kPython && size.instructions > 0;
    HotspotRun found = is_python ? RunForPythonHotspots("code", built.program, built.info, options, size.instructions, in.get(), out.get())
                                 : RunForHotspots("code", built.program, built.info, options, in.get(), out.get());
    left_ -= std::chrono::steady_clock::now() - start;
    if (found.run.code == ResultCode::kTle) return unfit;
    if (found.run.code != ResultCode::kOk) return found.run.sentence;
    if (found.hotspots.total == 0) return found.why_no_lines;
    report_.hotspots_absent = found.why_no_lines;
    report_.hotspots_size = size.n;
    report_.hotspots = std::move(found.hotspots);
    for (FunctionCost& cost : report_.hotspots->functions) cost.file = OwnersName(cost.file);
    for (LineCost& cost : report_.hotspots->lines) {
      const bool is_own = cost.file.starts_with(kCompiledIn);
      cost.file = OwnersName(cost.file);
      if (is_own) report_.hotspots->source = cost.file;
    }
    return "";
  }

  [[nodiscard]] std::string OwnersName(const std::string& file) const {
    if (!file.starts_with(kCompiledIn)) return file;
    return search_.source.empty() ? file.substr(kCompiledIn.size()) : search_.source;
  }

  const SeriesProgram& program_;
  const HotspotSearch& search_;
  ProfileReport& report_;
  Nanoseconds left_;
};

}  // namespace

void FindHotspots(const SeriesProgram& program, const HotspotSearch& search, ProfileReport* report) { Search(program, search, report).Run(); }

}  // namespace tally
