// Recorded counts of programs of known growth (bench/growth), and what `tally profile` says of them.
//
// The counts are exact, so what was counted once is what a run would count: the benchmark of the fit needs no run. A
// record is the program's first line, "Growth n^2; array; 100,200,400: what it does", and a line for each size: n, and
// for each seed the instructions, with ":bytes" where the bytes read and printed are others than those of the seed before.
//
// A trial is one call of `tally profile --seed S` with the first sizes of a record, four or more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/growth.h"

namespace tally {

struct GrowthRecord {
  std::string program;  // "insertion_sort.c"
  std::string growth;   // as the program's first line has it; perhaps beside the list, "n log log n"
  std::string bound;    // then the least of the list that is no slower, "n log n"; else the same
  std::string shape;
  std::vector<std::uint64_t> sizes;
  std::string what;
  std::vector<std::vector<GrowthPoint>> counts;  // by size, by seed
};

// Of a first line.
GrowthRecord ParseGrowthHead(const std::string& program, const std::string& line);
std::vector<GrowthRecord> ReadGrowthRecords(const std::string& path);
std::string FormatGrowthRecord(const GrowthRecord& record);

// Seeds from `seed` on, as many as a series has; with an input that is not random all trials are one.
std::vector<GrowthPoint> TrialPoints(const GrowthRecord& record, std::size_t sizes, std::uint64_t seed, std::uint64_t seeds);

// What was said of a program, held to what is known.
enum class GrowthAnswer : std::uint8_t {
  kNamed,       // alone, and rightly; beside the list also that none of it fits
  kNamedFirst,  // rightly, and what fits as well
  kCannotTell,  // and the right one is among what is not excluded
  kWrong,
};
inline constexpr std::size_t kGrowthAnswers = 4;
GrowthAnswer AnswerOf(const GrowthRecord& record, const Growth& growth);

}  // namespace tally
