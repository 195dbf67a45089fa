// How often `tally profile` names the growth of a program whose growth is known, from its recorded counts
// (bench/growth/counts.txt); and those counts, measured anew.
//
//   growth                         the table of docs/profile.md
//   growth --record [PROGRAM ...]  counts every program of bench/growth, or these, and writes counts.txt; some minutes
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "bench/growth_counts.h"
#include "jobs/profile_series.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

const std::string kFolder = TALLY_SOURCE "/bench/growth";
constexpr std::uint64_t kSeeds = 12;  // ten trials of three

GrowthRecord Measure(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  GrowthRecord record = ParseGrowthHead(path.filename(), line);
  CodeMessage message;
  message.program.file = path;
  message.sizes = {.corner_cases = {}, .scales = record.sizes, .n_max = std::nullopt};
  message.shape = ParseShape("input", record.shape);
  message.seeds = kSeeds;
  message.timeout = Milliseconds(100'000);
  const ProfileReport report = RunSeries(message, Isolation::kFull, {[](std::size_t, std::size_t, const std::string&) {}, [](LogLevel, const std::string&) {}});
  if (report.error) throw UserError(record.program + ": " + report.error->text);
  if (!report.failures.empty()) throw UserError(record.program + ": " + report.failures.front().sentence);
  for (const SizeReport& size : report.sizes) {
    std::vector<GrowthPoint> points{{size.n, size.instructions.value(), size.bytes}};
    for (const CountedRun& run : size.others) points.push_back({size.n, run.instructions, run.bytes});
    record.counts.push_back(std::move(points));
  }
  return record;
}

// All programs, or those named.
void Record(const std::vector<std::string>& names) {
  std::vector<fs::path> programs;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    const bool named = names.empty() || std::find(names.begin(), names.end(), entry.path().filename()) != names.end();
    if (named && entry.path().extension() != ".txt") programs.push_back(entry.path());
  }
  std::sort(programs.begin(), programs.end());
  std::map<std::string, std::string> texts;
  if (!names.empty()) {
    for (const GrowthRecord& record : ReadGrowthRecords(kFolder + "/counts.txt")) texts[record.program] = FormatGrowthRecord(record);
  }
  for (const fs::path& program : programs) {
    fmt::print(stderr, "{}\n", program.filename().string());
    texts[program.filename()] = FormatGrowthRecord(Measure(program));
  }
  std::ofstream file(kFolder + "/counts.txt");
  for (const auto& [name, text] : texts) file << text;
}

constexpr std::size_t kFewest = 4, kMost = 8;  // sizes
constexpr std::uint64_t kTrials = 10;

// By answer, in trials; a program whose input is not random counts as much as the others.
using Answers = std::array<std::uint64_t, kGrowthAnswers>;

std::string Share(const Answers& answers, GrowthAnswer answer) {
  const std::uint64_t all = std::accumulate(answers.begin(), answers.end(), std::uint64_t{0});
  return all == 0 ? "-" : fmt::format("{:.0f} %", 100.0 * static_cast<double>(answers[static_cast<std::size_t>(answer)]) / static_cast<double>(all));
}

std::string Row(const std::string& name, const Answers& answers) {
  return fmt::format("| {} | {} | {} | {} | {} |\n", name, Share(answers, GrowthAnswer::kNamed), Share(answers, GrowthAnswer::kNamedFirst),
                     Share(answers, GrowthAnswer::kCannotTell), answers[static_cast<std::size_t>(GrowthAnswer::kWrong)]);
}

bool Doubles(const GrowthRecord& record) {
  for (std::size_t i = 1; i < record.sizes.size(); ++i) {
    if (record.sizes[i] != 2 * record.sizes[i - 1]) return false;
  }
  return true;
}

void Table(std::uint64_t seeds) {
  const std::vector<GrowthRecord> records = ReadGrowthRecords(kFolder + "/counts.txt");
  std::map<std::size_t, Answers> all, doubling;
  std::map<std::string, Answers> programs;
  for (const GrowthRecord& record : records) {
    const bool random = record.counts.front().size() > 1;
    for (std::size_t sizes = kFewest; sizes <= kMost; ++sizes) {
      for (std::uint64_t seed = 0; seed < (random ? kTrials : 1); ++seed) {
        const Measured<Growth> growth = FitGrowth(TrialPoints(record, sizes, seed, seeds));
        const auto answer = static_cast<std::size_t>(AnswerOf(record, growth.value()));
        const std::uint64_t weight = random ? 1 : kTrials;
        all[sizes][answer] += weight;
        if (Doubles(record)) doubling[sizes][answer] += weight;
        if (sizes >= 6) programs[fmt::format("{} | {}", record.program, record.growth)][answer] += weight;
        if (answer == static_cast<std::size_t>(GrowthAnswer::kWrong)) {
          fmt::print(stderr, "{}, {} sizes, seed {}: {}\n", record.program, sizes, seed, growth.value().Sentence());
        }
      }
    }
  }
  const auto print = [](const std::string& head, const auto& table) {
    fmt::print("\n| {} | named | and what fits as well | cannot tell | wrong |\n|---|---|---|---|---|\n", head);
    for (const auto& [key, answers] : table) fmt::print("{}", Row(fmt::format("{}", key), answers));
  };
  print(fmt::format("sizes, all {} programs", records.size()), all);
  print("sizes, each twice the last", doubling);
  fmt::print("\n| program | growth | named | and what fits as well | cannot tell | wrong |\n|---|---|---|---|---|---|\n");
  for (const auto& [key, answers] : programs) fmt::print("{}", Row(key, answers));
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.empty()) Table(kDefaultSeeds);
  else if (arguments.front() == "--record") Record({arguments.begin() + 1, arguments.end()});
  else throw UserError("growth [--record [PROGRAM ...]]");
  return 0;
}

}  // namespace
}  // namespace tally

int main(int count, char** words) {
  try {
    return tally::Main({words + 1, words + count});
  } catch (const tally::UserError& error) {
    fmt::print(stderr, "growth: {}\n", error.what());
    return 1;
  }
}
