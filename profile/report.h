// ProfileReport: what a series of runs over growing inputs found, as types and as JSON (docs/profile.md has every key).
// A row per size, so that the lists of the JSON have one length. A run that crashed or was ended at a limit has infinite
// time and memory; a figure that could not be had is absent with its reason. Both are null in the JSON, and each null
// has an entry in `failures`.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/growth.h"
#include "profile/hotspots.h"
#include "supervisor/api/run_result.h"

namespace tally {

// What went wrong at one size.
enum class Stage : std::uint8_t {
  kInput,    // the generator; nothing was run
  kRun,      // the program itself: its time and memory are infinite
  kMeasure,  // a figure could not be had; most often the counted run did not fit
  kCheck,    // the answer, or the model solution
};
std::string_view Name(Stage stage);  // "input", "run", "measure", "check"

struct Failure {
  std::uint64_t size = 0;
  Stage stage = Stage::kRun;
  std::string cause;     // "SIGSEGV", "exit code 3", "TLE", "WA", ...
  std::string sentence;  // "process exited due to signal 11 (SEGV)"
  std::string last_words{};  // of the program's stderr, byte for byte
};

// One counted run: the growth is fitted to all of them.
struct CountedRun {
  std::uint64_t seed = 0;
  std::uint64_t instructions = 0;
  std::uint64_t bytes = 0;  // of input and output
};

struct SizeReport {
  std::uint64_t n = 0;
  Measured<double> runtime_ms = Measured<double>::Absent("not run");      // user CPU time, as the clock's ticks split it
  Measured<double> cpu_ms = Measured<double>::Absent("not run");          // user and system: exact
  Measured<double> wall_ms = Measured<double>::Absent("not run");         // real time, of whatever else the machine did, too
  Measured<double> peak_memory_mb = Measured<double>::Absent("not run");  // MiB
  Measured<std::uint64_t> instructions = Measured<std::uint64_t>::Absent("not run");
  std::uint64_t bytes = 0;  // of input and output
  std::vector<CountedRun> others;  // with the other seeds; the figures above are the first one's
  [[nodiscard]] Measured<double> virtual_ms() const;  // instructions at 2 GHz
};

struct Expectation {
  GrowthModel model = GrowthModel::kOne;
  bool met = false;
  std::string sentence;
};

struct SeriesError {
  std::string code;      // "compile"
  std::string sentence;  // "compilation failed"
  std::string text;      // the compiler's words
};

struct ProfileReport {
  std::string task_id;
  std::uint64_t iteration = 0;
  std::string compiler;  // "cpp17", or "executable"
  std::string language;  // "C++17 (GCC)"
  std::vector<SizeReport> sizes;
  std::vector<Failure> failures;
  Measured<Growth> growth = Measured<Growth>::Absent("not run");
  std::optional<Expectation> expect;
  std::optional<Hotspots> hotspots;  // of the largest size for which there was time
  std::uint64_t hotspots_size = 0;   // that size
  std::string hotspots_larger;       // why it is not the largest that ran; "": it is
  std::string hotspots_absent;       // why there are none, or none by line, where they were asked for
  // Of the largest size that ran, as docs/timeline.md has it; "" where nobody asked, or with the reason why there is none.
  std::string timeline, timeline_absent;
  std::optional<SeriesError> error;  // then there are no sizes
  // Which means were in use (docs/results.md); "" where nothing ran.
  std::string memory_metric, counter, isolation;
  std::string instructions_vary;  // why the counts may be others next time; "": they will not

  [[nodiscard]] std::string Crash() const;  // the cause of the first run that failed, or ""
  // OK; CE; or the first failure's: that of the run (RE, TLE, ...), WA or SE.
  [[nodiscard]] ResultCode Code() const;
};

// Fits growth, and says whether it is as expected.
void JudgeGrowth(const std::optional<GrowthModel>& expected, ProfileReport* report);

nlohmann::json ReportObject(const ProfileReport& report);

}  // namespace tally
