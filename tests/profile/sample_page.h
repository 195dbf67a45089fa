// A page in which everything that can be shown is: two series, failed sizes, hot lines, a timeline, system metrics.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "profile/html/html_report.h"

namespace tally {

inline constexpr const char* kSampleSource = R"(// The longest run of equal neighbours after sorting.
#include <algorithm>
#include <cstdio>
#include <vector>

static void MergeSort(std::vector<int>& values, std::vector<int>& room, size_t from, size_t to) {
  if (to - from < 2) return;
  const size_t middle = (from + to) / 2;
  MergeSort(values, room, from, middle);
  MergeSort(values, room, middle, to);
  size_t left = from, right = middle;
  for (size_t at = from; at < to; ++at) {
    const bool take = right == to || (left < middle && values[left] <= values[right]);
    room[at] = values[take ? left++ : right++];
  }
  std::copy(room.begin() + from, room.begin() + to, values.begin() + from);
}

int main() {
  int n;
  if (std::scanf("%d", &n) != 1) return 1;
  std::vector<int> values(n), room(n);
  for (int& value : values) std::scanf("%d", &value);
  MergeSort(values, room, 0, values.size());
  size_t best = 0, run = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    run = i > 0 && values[i] == values[i - 1] ? run + 1 : 1;
    best = std::max(best, run);
  }
  std::printf("%zu\n", best);
}
)";

inline Hotspots SampleHotspots(std::uint64_t total, const std::string& file) {
  const auto part = [total](double share) { return static_cast<std::uint64_t>(share * static_cast<double>(total)); };
  return {total,
          {{"main", file, part(0.061), total},
           {"MergeSort(std::vector<int, std::allocator<int> >&, std::vector<int, std::allocator<int> >&, unsigned long, "
            "unsigned long)",
            file, part(0.512), part(0.604)},
           {"__isoc99_scanf", "", part(0.022), part(0.331)},
           {"__vfscanf_internal", "", part(0.274), part(0.309)},
           {"std::enable_if<std::__is_byte<int>::__value == 0, int*>::type std::__copy_move_a<false, "
            "__gnu_cxx::__normal_iterator<int*, std::vector<int> >, int*>(int*, int*, int*)",
            "/usr/include/c++/12/bits/stl_algobase.h", part(0.092), part(0.092)},
           {"_IO_sputbackc", "", part(0.035), part(0.035)}},
          {{file, 13, part(0.251), part(0.251)}, {file, 14, part(0.158), part(0.158)}, {"/usr/include/c++/12/bits/stl_algobase.h", 431, part(0.092), part(0.092)},
           {file, 12, part(0.074), part(0.074)}, {file, 27, part(0.032), part(0.363)}, {file, 23, part(0.021), part(0.021)}, {file, 7, part(0.014), part(0.014)},
           {file, 16, part(0.009), part(0.009)}, {file, 28, part(0.006), part(0.61)}, {file, 8, part(0.004), part(0.004)}, {file, 6, part(0.002), part(0.002)}}};
}

inline ProfileReport SamplePageReport(double per_n_log_n, double per_n, const std::string& file) {
  ProfileReport report;
  report.task_id = "longest-run";
  report.compiler = "cpp17";
  report.language = "C++17 (GCC)";
  for (const std::uint64_t n : {0, 1, 1'000, 5'000, 10'000, 50'000, 100'000, 500'000}) {
    SizeReport size;
    const double count = n < 2 ? 101'000 + 83.0 * static_cast<double>(n)
                               : 101'000 + per_n * static_cast<double>(n) +
                                     per_n_log_n * static_cast<double>(n) * std::log2(static_cast<double>(n));
    size.n = n;
    size.instructions = static_cast<std::uint64_t>(count);
    size.runtime_ms = size.cpu_ms = size.wall_ms = std::round(count / 3.1e6 * 1000) / 1000;
    size.peak_memory_mb = 1.25 + static_cast<double>(n) * 8 / 1048576;
    size.bytes = n * 7 + 2;
    report.sizes.push_back(size);
  }
  report.hotspots = SampleHotspots(report.sizes[6].instructions.value(), file);
  report.hotspots_size = 100'000;
  report.memory_metric = "control group";
  report.counter = "translator";
  report.isolation = "full";
  return report;
}

inline nlohmann::json SampleTimeline() {
  using nlohmann::json;
  const auto thread = [](int number, const char* name, double begin_ms, double end_ms) {
    return json{{"thread", number}, {"tid", 4'000 + number}, {"name", name}, {"begin_ns", begin_ms * 1e6}, {"end_ns", end_ms * 1e6}};
  };
  json out{{"format", "tally-timeline"},
           {"version", 1},
           {"program", "merge_sort"},
           {"real_time_ns", 48'200'000},
           {"calls", 96},
           {"event_count", 26},
           {"time_ns", {{"cpu", 38'600'000}, {"file", 8'400'000}, {"network", 0}, {"waiting", 1'000'000}, {"sleep", 200'000}, {"stopped", 0}}},
           {"kinds",
            {{{"event", "file.read"}, {"resource", "file"}}, {{"event", "wait.futex"}, {"resource", "waiting"}},
             {{"event", "sleep"}, {"resource", "sleep"}}}},
           {"threads", {thread(0, "merge_sort", 0, 48.2), thread(1, "merge_sort", 14, 40.4), thread(2, "merge_sort", 15, 42.6)}},
           {"files", {{{"object", 0}, {"kind", "file"}, {"name", "stdin"}}}},
           {"sockets", json::array()},
           {"events", json::array()}};
  const auto add = [&](int number, double start, double ms, const char* event) {
    out["events"].push_back({{"thread", number}, {"begin_ns", start * 1e6}, {"end_ns", (start + ms) * 1e6}, {"event", event}});
    if (std::string(event) == "file.read") out["events"].back().update({{"object", 0}, {"bytes", 65'536}});
  };
  for (int i = 0; i < 12; ++i) add(0, i, 0.7, "file.read");
  add(0, 15.5, 27.5, "wait.futex");
  for (const int worker : {1, 2}) {
    for (int i = 0; i < 6; ++i) add(worker, 13 + worker + 3.5 + i * 4.4, 0.6, i % 3 == 2 ? "sleep" : "wait.futex");
  }
  return out;
}

inline nlohmann::json SampleMetrics() {
  nlohmann::json times = nlohmann::json::array(), batches = times, mean = times, core = times, memory = times, read = times,
                 written = times, network = times;
  for (int i = 0; i < 90; ++i) {
    const double wave = std::sin(i / 7.0) * 0.5 + 0.5;
    times.push_back(1'700'000'000'000 + i * 100);
    batches.push_back(i / 22);
    mean.push_back(35 + 40 * wave);
    core.push_back(i % 22 < 16 ? 96 : 12);
    memory.push_back(6.1e9 - 8e6 * i * wave);
    read.push_back(i % 22 < 3 ? nlohmann::json(4.2e7) : nlohmann::json(1.1e5));
    written.push_back(2.5e6 * wave);
    network.push_back(i == 40 ? nlohmann::json() : nlohmann::json(2.1e4 * (1 - wave)));
  }
  const auto series = [](const char* name, const char* instance, const char* unit, const nlohmann::json& values) {
    return nlohmann::json{{"name", name}, {"instance", instance}, {"unit", unit}, {"values", values}};
  };
  return {{"format", "tally-metrics-1"},
          {"batches", {{"0", "n = 1 000"}, {"1", "n = 10 000"}, {"2", "n = 50 000"}, {"3", "n = 100 000"}}},
          {"samples",
           {{"time_ms", times},
            {"batch", batches},
            {"series",
             {series("cpu_utilization", "mean", "percent", mean), series("cpu_utilization", "0", "percent", core),
              series("memory_available", "", "bytes", memory), series("disk_read", "", "bytes/s", read),
              series("disk_written", "", "bytes/s", written),
              series("network_received", "", "bytes/s", network)}}}},
          {"not_measured", {{{"name", "gpu_utilization"}, {"instance", ""}, {"reason", "the driver's library is not here"}}}},
          {"timings", nlohmann::json::array()}};
}

inline HtmlInput SamplePage() {
  ProfileReport one = SamplePageReport(14.2, 61, "merge_sort.cpp");
  one.sizes[3].runtime_ms = one.sizes[3].cpu_ms = one.sizes[3].wall_ms = one.sizes[3].peak_memory_mb = std::numeric_limits<double>::infinity();
  one.sizes[3].instructions = Measured<std::uint64_t>::Absent("the program crashed");
  one.sizes[7].instructions = Measured<std::uint64_t>::Absent("the series' time was used up");
  one.failures = {{5'000, Stage::kRun, "SIGSEGV", "process exited due to signal 11 (SEGV)"},
                  {500'000, Stage::kMeasure, "TLE", "the series' time was used up"}};
  JudgeGrowth(GrowthModel::kNLogN, &one);
  HtmlInput input;
  input.series.push_back(SeriesOf(one, "merge_sort.cpp", {{"merge_sort.cpp", kSampleSource}}));
  input.series.back().timeline = SampleTimeline();
  input.metrics = SampleMetrics();
  return input;
}

inline HtmlInput SampleComparison() {
  ProfileReport one = SamplePageReport(14.2, 61, "merge_sort.cpp"), other = SamplePageReport(0, 33, "bubble_sort.cpp");
  for (SizeReport& size : other.sizes) {
    const double count = 101'000 + 33.0 * static_cast<double>(size.n) + 4.5 * static_cast<double>(size.n) * static_cast<double>(size.n);
    size.instructions = static_cast<std::uint64_t>(count);
    size.runtime_ms = size.cpu_ms = size.wall_ms = std::round(count / 3.1e6 * 1000) / 1000;
    if (size.n <= 50'000) continue;
    size.runtime_ms = size.cpu_ms = size.wall_ms = size.peak_memory_mb = std::numeric_limits<double>::infinity();
    size.instructions = Measured<std::uint64_t>::Absent("the program was ended");
    other.failures.push_back({size.n, Stage::kRun, "TLE", "time limit exceeded"});
  }
  JudgeGrowth(std::nullopt, &one);
  JudgeGrowth(std::nullopt, &other);
  HtmlInput input;
  input.series.push_back(SeriesOf(one, "merge_sort.cpp", {{"merge_sort.cpp", kSampleSource}}));
  input.series.push_back(SeriesOf(other, "bubble_sort.cpp", {{"bubble_sort.cpp", kSampleSource}}));
  return input;
}

// Of a source that does not compile.
inline HtmlInput SampleError() {
  ProfileReport report;
  report.task_id = "two-sum";
  report.error = SeriesError{"compile", "compilation failed", "x.cpp:1:1: error: expected <b>;</b>"};
  JudgeGrowth(std::nullopt, &report);
  HtmlInput input;
  input.series.push_back(SeriesOf(report, "x.cpp", {{"x.cpp", "int main( {}\n"}}));
  return input;
}

// The page of one run (`tally trace --html`): more threads than are drawn, one with a long name, and events that were left out.
inline std::string SampleTrace() {
  nlohmann::json timeline = SampleTimeline();
  for (int number = 3; number < 60; ++number) {
    timeline["threads"].push_back({{"thread", number}, {"tid", 4'000 + number}, {"name", number % 2 == 0 ? "worker" : "a-worker-whose-name-is-long-and-goes-on"},
                                   {"begin_ns", number * 500'000}, {"end_ns", 30'000'000 + number * 300'000}});
  }
  timeline["left_out"] = 1'234'567;
  return HtmlTimeline("solutions/accepted/with-a-folder/that-goes-on/merge_sort", timeline);
}

}  // namespace tally
