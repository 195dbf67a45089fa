#include "bench/growth_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace tally {
namespace {

std::string Field(std::string* line, const std::string& end) {
  const std::size_t at = std::min(line->find(end), line->size());
  std::string field = line->substr(0, at);
  line->erase(0, at + end.size());
  return field;
}

// "100,200,400" or "100..6400", which doubles.
std::vector<std::uint64_t> Sizes(const std::string& text) {
  std::vector<std::uint64_t> sizes;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t dots = part.find("..");
    sizes.push_back(std::stoull(part));
    if (dots == std::string::npos) continue;
    while (2 * sizes.back() <= std::stoull(part.substr(dots + 2))) sizes.push_back(2 * sizes.back());
  }
  return sizes;
}

}  // namespace

GrowthRecord ParseGrowthHead(const std::string& program, const std::string& line) {
  std::string rest = line;
  Field(&rest, "Growth ");
  GrowthRecord record{.program = program, .growth = Field(&rest, "; "), .bound = "", .shape = Field(&rest, "; "), .sizes = {}, .what = "", .counts = {}};
  const std::size_t bound = record.growth.find(" < ");
  record.bound = bound == std::string::npos ? record.growth : record.growth.substr(bound + 3);
  record.growth.resize(std::min(bound, record.growth.size()));
  const std::string sizes = Field(&rest, ": ");
  record.what = rest;
  if (record.growth.empty() || record.shape.empty() || rest.empty()) throw UserError(program + ": the first line says no growth, input and sizes");
  record.sizes = Sizes(sizes);
  return record;
}

std::vector<GrowthRecord> ReadGrowthRecords(const std::string& path) {
  std::ifstream file(path);
  std::vector<GrowthRecord> records;
  for (std::string line; std::getline(file, line);) {
    const std::size_t head = line.find(" Growth ");
    if (head != std::string::npos) {
      records.push_back(ParseGrowthHead(line.substr(0, head), line));
      continue;
    }
    std::istringstream words(line);
    std::uint64_t n = 0, bytes = 0;
    words >> n;
    std::vector<GrowthPoint> points;
    for (std::string word; words >> word;) {
      const std::size_t colon = word.find(':');
      if (colon != std::string::npos) bytes = std::stoull(word.substr(colon + 1));
      points.push_back({n, std::stoull(word), bytes});
    }
    records.back().counts.push_back(std::move(points));
  }
  return records;
}

std::string FormatGrowthRecord(const GrowthRecord& record) {
  const std::string growth = record.bound == record.growth ? record.growth : record.growth + " < " + record.bound;
  std::string out = fmt::format("{} Growth {}; {}; {}: {}\n", record.program, growth, record.shape, fmt::join(record.sizes, ","), record.what);
  for (const std::vector<GrowthPoint>& points : record.counts) {
    out += fmt::format("{}", points.front().n);
    std::uint64_t bytes = 0;
    for (const GrowthPoint& point : points) {
      out += fmt::format(" {}", point.instructions);
      if (point.bytes != bytes) out += fmt::format(":{}", point.bytes);
      bytes = point.bytes;
    }
    out += '\n';
  }
  return out;
}

GrowthAnswer AnswerOf(const GrowthRecord& record, const Growth& growth) {
  const GrowthModel right = ParseGrowthModel("growth", record.bound);
  const bool beside = record.bound != record.growth;
  if (!growth.told) {
    const bool among = std::find(growth.candidates.begin(), growth.candidates.end(), right) != growth.candidates.end();
    return among ? GrowthAnswer::kCannotTell : GrowthAnswer::kWrong;
  }
  if (!growth.likeliest.model()) return beside ? GrowthAnswer::kNamed : GrowthAnswer::kWrong;
  if (growth.likeliest.model() != right) return GrowthAnswer::kWrong;
  return growth.candidates.size() > 1 ? GrowthAnswer::kNamedFirst : GrowthAnswer::kNamed;
}

std::vector<GrowthPoint> TrialPoints(const GrowthRecord& record, std::size_t sizes, std::uint64_t seed, std::uint64_t seeds) {
  std::vector<GrowthPoint> out;
  for (std::size_t i = 0; i < std::min(sizes, record.counts.size()); ++i) {
    const std::vector<GrowthPoint>& all = record.counts[i];
    for (std::uint64_t s = seed; s < seed + seeds && (s == seed || all.size() > 1); ++s) out.push_back(all[std::min<std::size_t>(s, all.size() - 1)]);
  }
  return out;
}

}  // namespace tally
