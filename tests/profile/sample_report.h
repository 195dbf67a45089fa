// A report in which everything that can happen did: for the tests of its two forms.
#pragma once

#include <limits>

#include "profile/report.h"

namespace tally {

inline ProfileReport SampleReport() {
  ProfileReport report;
  report.task_id = "two-sum";
  report.iteration = 2;
  report.compiler = "cpp17";
  report.language = "C++17 (GCC)";
  const auto row = [](std::uint64_t n, double ms, double mb, std::uint64_t instructions) {
    SizeReport size;
    size.n = n;
    size.runtime_ms = size.cpu_ms = size.wall_ms = ms;
    size.peak_memory_mb = mb;
    size.instructions = instructions;
    return size;
  };
  report.sizes = {row(0, 0.5, 1.25, 100'000), row(1, 0.5, 1.25, 100'083), row(1000, 0.625, 1.375, 183'000),
                  row(5000, 1.5, 2, 515'000), row(10'000, 2.5, 3, 930'000), row(50'000, 9.75, 8, 4'250'000),
                  row(100'000, 20.125, 16, 0)};
  report.sizes[3].runtime_ms = report.sizes[3].cpu_ms = report.sizes[3].wall_ms = std::numeric_limits<double>::infinity();
  report.sizes[3].peak_memory_mb = std::numeric_limits<double>::infinity();
  report.sizes[3].instructions = Measured<std::uint64_t>::Absent("the program crashed");
  report.sizes[6].instructions = Measured<std::uint64_t>::Absent("the series' time was used up");
  report.failures = {{5000, Stage::kRun, "SIGSEGV", "process exited due to signal 11 (SEGV)"},
                     {10'000, Stage::kCheck, "WA", "WRONG: line 1: expected \"3\", got \"4\""},
                     {100'000, Stage::kMeasure, "TLE", "the series' time was used up"}};
  Hotspots hotspots{4'250'000,
                    {{"add", "a.cpp", 3'000'000, 3'000'000}, {"main", "a.cpp", 1'250'000, 4'250'000}},
                    {{"a.cpp", 7, 3'000'000, 3'000'000}, {"a.cpp", 12, 1'000'000, 4'000'000}, {"/usr/include/c++/12/bits/stl_vector.h", 733, 250'000, 250'000}},
                    "a.cpp"};
  report.hotspots = hotspots;
  report.hotspots_size = 50'000;
  report.memory_metric = "resident, limited by looking";
  report.counter = "translator";
  report.isolation = "full (user namespace)";
  report.growth = Growth{GrowthModel::kN, true, {GrowthModel::kN}, {{"1", 100'000}, {"n", 83}}, 0.00125, 2, 0.99, 1.01, 4, 4, 50'000, ""};
  report.expect = Expectation{GrowthModel::kNLogN, true, "expected n log n at most, found n"};
  return report;
}

}  // namespace tally
