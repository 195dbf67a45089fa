// What two programs said to each other, as text (`tally judge --transcript DIR`).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/units.h"

namespace tally {

class Transcript {
 public:
  // `has_many`: of the solution's processes, so that each line has a number.
  Transcript(const std::string& title, bool has_many);

  // In the order in which it came.
  void Add(bool by_solution, std::size_t process, std::string_view said);
  void AddEnd(bool by_solution, std::size_t process) { Write(by_solution, process, "(end)"); }

  [[nodiscard]] std::string Text() const;

 private:
  struct Count {
    std::size_t bytes = 0, lines = 0;
  };

  void Write(bool by_solution, std::size_t process, const std::string& words);

  bool has_many_;
  Nanoseconds begin_;
  std::string text_;
  std::array<Count, 2> counts_;
  bool is_cut_ = false;
};

// DIR/anna/main.cpp/secret/g1/02.txt of the solution anna/main.cpp and the test secret/g1/02: others have others.
std::string TranscriptPath(const std::string& folder, const std::string& solution, const std::string& test);

}  // namespace tally
