// What a timeline is shown as, held to golden files; TALLY_REBASE=1 writes them anew.
#include <fcntl.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <vector>

#include "base/columns.h"
#include "base/sys.h"
#include "profile/timeline/json_text.h"
#include "profile/timeline/reports.h"
#include "tests/profile/timeline_script.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

constexpr pid_t kMain = TimelineScript::kFirst, kOther = 101;

// A bit of everything.
std::string WriteExample(TimelineScript* run) {
  run->Open(kMain, "in \"1\".txt", 3, 100'000);
  run->Call(kMain, SYS_read, {3}, 200'000, 900'000, 65536);
  run->Thread(kOther, kMain, 1'000'000);
  run->Call(kMain, SYS_wait4, {}, 1'100'000, 9'000'000, 0);
  run->Call(kOther, SYS_socketpair, {1, 1}, 1'200'000, 1'210'000, 0);
  run->Call(kOther, SYS_write, {4}, 1'300'000, 1'350'000, 512);
  run->Call(kOther, SYS_write, {1}, 1'400'000, 4'400'000, 8);
  run->Stop(kOther, 2'000'000, 4'000'000);
  run->NamedCall(kOther, SYS_open, "absent", {}, 5'000'000, 5'003'000, -ENOENT);
  run->Call(kOther, SYS_nanosleep, {}, 6'000'000, 8'000'000, 0);
  run->End(kOther, 8'500'000);
  run->EndIn(kMain, SYS_read, {3}, 9'500'000, 10'000'000);
  return run->Finish(10'000'000, 10'000'000);
}

template <typename Write>
std::string Shown(Write write, const TimelineFile& file, const ShownEvents& events) {
  std::string out;
  write(file, events, [&out](std::string_view part) { out += part; });
  return out;
}

void WholeSummary(const TimelineFile& file, const ShownEvents& events, const ReportSink& sink) { WriteTimelineSummary(file, events, sink); }

void CheckGolden(const std::string& name, const std::string& got) {
  const std::string path = TALLY_SOURCE_DIR "/tests/profile/golden/" + name;
  if (std::getenv("TALLY_REBASE") != nullptr) std::ofstream(path, std::ios::binary) << got;
  CHECK(got == sys::ReadFile(path));
}

TEST_CASE("timeline reports: summary, JSON and Chrome's format are what they were", "[timeline][reports]") {
  TimelineScript run;
  const TimelineFile file(WriteExample(&run));
  CheckGolden("timeline.txt", Shown(WholeSummary, file, {.any = true}));
  CheckGolden("timeline.json", Shown(WriteTimelineJson, file, {.any = true}));
  CheckGolden("timeline.chrome.json", Shown(WriteChromeTrace, file, {.any = true}));
}

std::string Summary(const TimelineFile& file, const ShownEvents& events, std::size_t columns) {
  std::string out;
  WriteTimelineSummary(file, events, [&out](std::string_view part) { out += part; }, columns);
  return out;
}

TEST_CASE("timeline reports: a narrow terminal has the columns that say most, none of which goes on below itself", "[timeline][reports]") {
  TimelineScript run;
  const TimelineFile file(WriteExample(&run));
  CheckGolden("timeline-40.txt", Summary(file, {.any = true}, 40));
  CheckGolden("timeline-60.txt", Summary(file, {.any = true}, 60));
  CHECK(Summary(file, {.any = true}, 200) == Shown(WholeSummary, file, {.any = true}));
}

TEST_CASE("timeline reports: of very many events JSON has the longest, in order of time, and how many others there are", "[timeline][reports]") {
  TimelineScript run;
  std::uint64_t at = 1000;
  for (const std::uint64_t took : {5, 90, 20, 70, 20, 80, 20}) {
    run.Call(kMain, SYS_nanosleep, {}, at, at + took, 0);
    at += 100;
  }
  const TimelineFile file = run.File(10'000);
  constexpr std::size_t kAll = 9;  // with the thread's beginning and end, which take no time
  const auto shown = [&](std::optional<std::size_t> longest) {
    const auto json = nlohmann::json::parse(Shown(WriteTimelineJson, file, {.any = true, .longest = longest}));
    std::vector<std::uint64_t> begins;
    for (const auto& event : json["events"]) begins.push_back(event["begin_ns"]);
    CHECK(json.value("left_out", 0U) + begins.size() == kAll);
    CHECK(json["event_count"] == kAll);
    return begins;
  };
  CHECK(shown(3) == std::vector<std::uint64_t>{1100, 1300, 1500});
  CHECK(shown(4) == std::vector<std::uint64_t>{1100, 1200, 1300, 1500});  // the first of those that took as long
  CHECK(shown(0).empty());
  CHECK(shown(7) == std::vector<std::uint64_t>{1000, 1100, 1200, 1300, 1400, 1500, 1600});
  CHECK(shown(100) == shown(std::nullopt));
}

TEST_CASE("timeline reports: with the longest events JSON has the files and sockets of these, and no others", "[timeline][reports]") {
  TimelineScript run;
  for (Ticks i = 0; i < 5; ++i) {
    run.Open(kMain, "file " + std::to_string(i), 3, 100 * i + 10);
    run.Call(kMain, SYS_write, {3}, 100 * i + 20, 100 * i + 30 + i, 1);
  }
  run.End(kMain, 1000);
  const TimelineFile file = run.File(1000);
  const auto names = [&](std::optional<std::size_t> longest) {
    std::vector<std::string> found;
    const auto json = nlohmann::json::parse(Shown(WriteTimelineJson, file, {.any = true, .longest = longest}));
    for (const auto& one : json["files"]) found.push_back(one["name"]);
    return found;
  };
  CHECK(names(2) == std::vector<std::string>{"file 3", "file 4"});
  CHECK(names(std::nullopt) == std::vector<std::string>{"stdin", "stdout", "stderr", "file 0", "file 1", "file 2", "file 3", "file 4"});
}

TEST_CASE("timeline reports: the summary fits into 80 columns, and into a narrower terminal", "[timeline][reports]") {
  TimelineScript run;
  run.Open(kMain, "/a/very/long/path/to/a/file/with/\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\n.txt", 3, 10);
  run.Call(kMain, SYS_write, {3}, 100, 123'456'789'012, 1'234'567'890'123);
  for (int i = 0; i < 30; ++i) run.Thread(200 + i, kMain, 100);
  const TimelineFile file = run.File(987'654'321'098);
  for (const std::size_t columns : {0, 80, 79, 60, 50, 40, 30}) {
    std::istringstream lines(Summary(file, {}, columns));
    bool is_head = true;  // a sentence
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(columns, line);
      CHECK(CharactersIn(line) <= (columns == 0 ? 80 : columns));
      if (!is_head) CHECK((line.empty() || line.find_first_not_of(' ') <= 2));  // nothing goes on below itself
      is_head = is_head && !line.empty();
    }
  }
}

TEST_CASE("timeline reports: JSON and Chrome's format are JSON, whatever a file is called", "[timeline][reports]") {
  TimelineScript run;
  const std::string name = std::string("a\"\\\n\x01\xff\xed\xa0\x80\xf0\x9f\x99\x82") + std::string(1, '\x7f');
  run.Open(kMain, name, 3, 10);
  const TimelineFile file = run.File(100);
  const auto json = nlohmann::json::parse(Shown(WriteTimelineJson, file, {.any = true}));
  CHECK(json["files"].back()["name"] == "a\"\\\n\x01\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xf0\x9f\x99\x82\x7f");
  CHECK(json["events"].size() == json["event_count"]);
  const auto chrome = nlohmann::json::parse(Shown(WriteChromeTrace, file, {.any = true}));
  CHECK(chrome.is_array());
  CHECK(JsonText("caf\xc3\xa9") == "\"caf\xc3\xa9\"");
}

TEST_CASE("timeline reports: JSON has no events unless they are asked for, and then those of the interval", "[timeline][reports]") {
  TimelineScript run;
  const TimelineFile file(WriteExample(&run));
  CHECK_FALSE(nlohmann::json::parse(Shown(WriteTimelineJson, file, {})).contains("events"));
  const auto json = nlohmann::json::parse(Shown(WriteTimelineJson, file, {true, 1'320'000, 1'500'000}));
  CHECK(json["events"].size() == 3);  // the wait, and two writes
  const auto chrome = nlohmann::json::parse(Shown(WriteChromeTrace, file, {true, 1'320'000, 1'500'000}));
  CHECK(chrome.size() == 3 + 3);  // and who the threads are
}

}  // namespace
}  // namespace tally
