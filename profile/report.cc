#include "profile/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/units.h"

namespace tally {
namespace {

using nlohmann::json;

// Infinite and absent alike; `failures` tells them apart.
json Rounded(const Measured<double>& figure) {
  if (!figure.has_value() || !std::isfinite(figure.value())) return nullptr;
  return std::round(figure.value() * 1e6) / 1e6;
}

json Count(const Measured<std::uint64_t>& figure) {
  return figure.has_value() ? json(figure.value()) : json(nullptr);
}

json FunctionsArray(const std::vector<FunctionCost>& functions, bool is_inclusive) {
  json out = json::array();
  for (const FunctionCost& cost : functions) {
    out.push_back({{"name", cost.name}, {"file", cost.file}, {"self", cost.self}});
    if (is_inclusive) out.back()["inclusive"] = cost.inclusive;
    if (!cost.functions.empty()) out.back()["functions"] = FunctionsArray(cost.functions, is_inclusive);
  }
  return out;
}

// By line of the source, as a text: its share of all instructions in per cent, with all that was called from it. What else is to be said
// has a key that is no line.
json HotspotsObject(const ProfileReport& report) {
  json out = json::object();
  if (const std::string crash = report.Crash(); !crash.empty()) out["_crash"] = crash;
  if (!report.hotspots_absent.empty()) out["_absent"] = report.hotspots_absent;
  if (!report.hotspots) return out;
  for (const LineCost& cost : report.hotspots->lines) {
    const bool is_own = cost.file == report.hotspots->source;
    const std::string place = is_own ? std::to_string(cost.line) : fmt::format("{}:{}", cost.file, cost.line);
    out[place] = fmt::format("{:.2f}", 100.0 * static_cast<double>(cost.inclusive) / static_cast<double>(report.hotspots->total));
  }
  return out;
}

json HotspotDetails(const ProfileReport& report) {
  json out{{"size", report.hotspots_size}, {"total", report.hotspots->total}};
  if (!report.hotspots_larger.empty()) out["larger"] = report.hotspots_larger;
  if (!report.hotspots->measured.empty()) out["measured"] = report.hotspots->measured;
  const std::string& no_inclusive = report.hotspots->no_inclusive;
  if (!no_inclusive.empty()) out["no_inclusive"] = no_inclusive;
  out["functions"] = FunctionsArray(report.hotspots->functions, no_inclusive.empty());
  out["lines"] = json::array();
  for (const LineCost& cost : report.hotspots->lines) {
    out["lines"].push_back({{"file", cost.file}, {"line", cost.line}, {"self", cost.self}, {"inclusive", cost.inclusive}});
  }
  return out;
}

json GrowthObject(const Growth& growth) {
  const std::optional<GrowthModel> model = growth.Named();
  json out{{"model", model ? json(Name(*model)) : json(nullptr)},
           {"candidates", json::array()},
           {"terms", json::array()},
           {"error", growth.error},
           {"doubling", growth.doubling},
           {"exponent", {growth.exponent_low, growth.exponent_high}},
           {"sizes", growth.sizes},
           {"runs", growth.runs},
           {"sentence", growth.Sentence()}};
  for (const GrowthModel candidate : growth.candidates) out["candidates"].push_back(Name(candidate));
  for (const GrowthTerm& term : growth.terms) {
    out["terms"].push_back({{"term", term.term}, {"coefficient", term.coefficient}});
  }
  return out;
}

void AddLists(const ProfileReport& report, json* out) {
  for (const char* list : {"input_sizes", "runtime_ms", "cpu_ms", "wall_ms", "peak_memory_mb", "instructions", "virtual_ms"}) {
    (*out)[list] = json::array();
  }
  std::size_t seeds = 0;
  for (const SizeReport& size : report.sizes) seeds = std::max(seeds, size.others.size());
  for (const SizeReport& size : report.sizes) {
    if (seeds > 0) {
      json others = json::array();
      for (const CountedRun& run : size.others) others.push_back({{"seed", run.seed}, {"instructions", run.instructions}});
      (*out)["other_seeds"].push_back(others);
    }
    (*out)["input_sizes"].push_back(size.n);
    (*out)["runtime_ms"].push_back(Rounded(size.runtime_ms));
    (*out)["cpu_ms"].push_back(Rounded(size.cpu_ms));
    (*out)["wall_ms"].push_back(Rounded(size.wall_ms));
    (*out)["peak_memory_mb"].push_back(Rounded(size.peak_memory_mb));
    (*out)["instructions"].push_back(Count(size.instructions));
    (*out)["virtual_ms"].push_back(Rounded(size.virtual_ms()));
  }
}

void AddMeans(const ProfileReport& report, json* out) {
  const std::pair<const char*, const std::string*> means[] = {{"mem_metric", &report.memory_metric},
                                                              {"counter_used", &report.counter},
                                                              {"isolation_used", &report.isolation},
                                                              {"instructions_vary", &report.instructions_vary}};
  for (const auto& [key, text] : means) {
    if (!text->empty()) (*out)[key] = *text;
  }
}

}  // namespace

std::string_view Name(Stage stage) {
  constexpr std::string_view kNames[] = {"input", "run", "measure", "check"};
  return kNames[static_cast<std::size_t>(stage)];
}

Measured<double> SizeReport::virtual_ms() const {
  if (!instructions.has_value()) return Measured<double>::Absent(instructions.reason());
  return static_cast<double>(instructions.value()) / static_cast<double>(kInstructionsPerMillisecond);
}

std::string ProfileReport::Crash() const {
  const auto found =
      std::find_if(failures.begin(), failures.end(), [](const Failure& f) { return f.stage == Stage::kRun; });
  return found == failures.end() ? "" : found->cause;
}

ResultCode ProfileReport::Code() const {
  if (error) return ResultCode::kCe;
  for (const Failure& failure : failures) {
    if (failure.stage == Stage::kMeasure) continue;  // says nothing about the program
    for (const ResultCode code : {ResultCode::kWa, ResultCode::kTle, ResultCode::kMle, ResultCode::kOle,
                                  ResultCode::kRv}) {
      if (failure.cause == Name(code)) return code;
    }
    return failure.stage == Stage::kRun ? ResultCode::kRe : ResultCode::kSe;
  }
  return ResultCode::kOk;
}

void JudgeGrowth(const std::optional<GrowthModel>& expected, ProfileReport* report) {
  std::vector<GrowthPoint> points;
  for (const SizeReport& size : report->sizes) {
    if (size.instructions.has_value()) points.push_back({size.n, size.instructions.value(), size.bytes});
    for (const CountedRun& run : size.others) points.push_back({size.n, run.instructions, run.bytes});
  }
  if (report->error) {
    report->growth = Measured<Growth>::Absent(report->error->sentence);
  } else {
    report->growth = FitGrowth(points);
  }
  if (!expected) return;
  Expectation expect{*expected, false, ""};
  if (!report->growth.has_value()) {
    expect.sentence = fmt::format("expected {} at most, but the growth is not known: {}", Name(*expected),
                                  report->growth.reason());
  } else {
    const Growth& growth = report->growth.value();
    expect.met = !growth.IsWorseThan(*expected);
    const bool certain = !expect.met || (growth.told && growth.likeliest.model() <= *expected);
    expect.sentence = certain ? fmt::format("expected {} at most, found {}", Name(*expected), growth.Name())
                              : fmt::format("expected {} at most, which is not excluded, found {}", Name(*expected), growth.Name());
  }
  report->expect = expect;
}

json ReportObject(const ProfileReport& report) {
  json out{{"task_id", report.task_id},
           {"iteration", report.iteration},
           {"compiler_used", report.compiler},
           {"hotspots", HotspotsObject(report)},
           {"failures", json::array()}};
  if (report.hotspots) out["hotspot_details"] = HotspotDetails(report);
  AddLists(report, &out);
  for (const Failure& failure : report.failures) {
    out["failures"].push_back({{"size", failure.size},
                               {"stage", Name(failure.stage)},
                               {"cause", failure.cause},
                               {"sentence", failure.sentence}});
    if (!failure.last_words.empty()) out["failures"].back()["stderr"] = failure.last_words;
  }
  if (report.growth.has_value()) {
    out["growth"] = GrowthObject(report.growth.value());
  } else {
    out["growth"] = nullptr;
    out["growth_absent"] = report.growth.reason();
  }
  if (report.expect) {
    out["expectation"] = {{"model", Name(report.expect->model)},
                     {"met", report.expect->met},
                     {"sentence", report.expect->sentence}};
  }
  if (report.error) {
    out["error"] = {{"code", report.error->code}, {"sentence", report.error->sentence}, {"text", report.error->text}};
  }
  AddMeans(report, &out);
  return out;
}

}  // namespace tally
