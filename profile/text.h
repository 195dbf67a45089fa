// A report for people: a table of sizes, sparklines, the growth in a sentence, failures, hotspots; and two reports side
// by side. Lines that end in \n and are no wider than the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "profile/report.h"

namespace tally {

struct TextStyle {
  bool colour = false;
  bool unicode = true;  // sparklines of blocks; else of ASCII
  std::size_t terminal = 0;  // its columns; 0: it is none
};

// One character for each figure, from 0 to the largest; '!' is infinite, a space is absent.
std::string Sparkline(const std::vector<Measured<double>>& figures, bool unicode);

std::string FormatReport(const ProfileReport& report, const TextStyle& style);

// What differs between two sources on the same inputs; the reports have the same sizes.
std::string FormatComparison(std::string_view one_name, const ProfileReport& one, std::string_view other_name,
                             const ProfileReport& other, const TextStyle& style);

}  // namespace tally
