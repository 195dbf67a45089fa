// DMOJ's tests by patterns of their names: the files of the archive whose names match, in pairs and in batches.
// Source: the judge's documentation ("Problem format", "Specifying cases by patterns") and its default patterns.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tally {

// The default patterns: sum.1.in is case 1, sum.2.3.in case 3 of batch 2.
extern const char* const kDmojInputs;
extern const char* const kDmojOutputs;

struct DmojCase {
  std::string input, answer;  // names; "": none matched
};

struct DmojEntry {
  std::string name;  // as the files have it
  bool is_batch = false;
  std::vector<DmojCase> cases;  // one, if it is no batch
};

// A pattern is Python's, with groups called batch and case. What is wrong with one is said to `fail`, which throws.
using PatternFailure = std::function<void(const std::string& why)>;
// Of names' beginnings, without regard to case. In order: words before numbers, numbers by value.
std::vector<DmojEntry> DmojEntries(const std::vector<std::string>& names, const std::string& inputs, const std::string& outputs, const PatternFailure& fail);

}  // namespace tally
