// What is translated before the program comes to it.
//
// Theory of operation. A trap costs as much as translating a dozen fragments, and most of what a fragment leads to is never
// executed. A start goes through thousands of blocks of libraries, each once or twice; so there every fragment has a
// likelihood: 1 for the one that was asked for and for what it calls, and behind a conditional jump less. What is too
// unlikely waits behind a stub. What is rather unlikely counts by itself instead of handing on what is pending
// (translator.h), so that there is one translation of it instead of several. Of a small dynamic C++ program, 1050 traps
// and 14,000 fragments became 710 and 11,800, twice what is executed; which jumps are likely hardly matters, how many does.
//
// The program's own code may be executed for long, and all that costs it time: there everything hands on, and a few
// entries are translated ahead whatever they are.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "supervisor/translator/emit/linker.h"

namespace tally {

class EagerQueue {
 public:
  static constexpr double kTaken = 0.4;     // of a conditional jump that is reached for the first time
  static constexpr double kLeast = 0.01;    // below, it is not translated eagerly
  static constexpr double kHandsOn = 0.25;  // below, it hands nothing on
  static constexpr std::size_t kInLibraries = 32;  // times as many entries as elsewhere, at most

  struct Wanted {
    Entry entry;
    double likelihood;
  };

  void Want(Entry entry, double likelihood) {
    if (likelihood >= kLeast) wanted_.push_back({entry, likelihood});
  }
  // The oldest that was not given out yet.
  std::optional<Wanted> Next() {
    if (next_ == wanted_.size()) return std::nullopt;
    return wanted_[next_++];
  }
  void Clear() { wanted_.clear(), next_ = 0; }

 private:
  std::vector<Wanted> wanted_;
  std::size_t next_ = 0;
};

}  // namespace tally
