// A solution that a package brings, and what its setter says of it. The words of each format become sets of verdicts:
//   permitted  a test's verdict is one of them; empty: any
//   required   one test at least has one of them; empty: none has to
// Source: the problem package format 2023-07, "Submissions", whose two sets these are; docs/packages.md has the others' words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "supervisor/api/result_code.h"

namespace tally {

struct Promise {
  std::string word;  // as the setter says it: "wrong_answer", "time-limit-exceeded", "prog/abcb1.cpp"
  std::vector<ResultCode> permitted, required;
  std::optional<double> points;
  std::vector<std::pair<std::string, double>> group_points;  // by the group's name
};

struct Submission {
  std::string name;   // below the package: submissions/accepted/a.cpp
  std::string path;   // a source, or a folder with those of one program
  std::optional<Promise> expected;
  bool is_model = false;  // the one whose answers are the package's
};

// Right on every test; wrong somewhere, in this way and in no other; wrong in any way.
Promise ExpectRight(std::string word);
Promise ExpectOneOf(std::string word, const std::vector<ResultCode>& verdicts);
Promise ExpectFailure(std::string word);

// What contradicts it, in one sentence; nullopt: nothing. CE is a list of that verdict alone.
std::optional<std::string> Contradiction(const Promise& expected, const std::vector<ResultCode>& verdicts);

// "OK or TLE", "WA, TLE or RE".
std::string ListOf(const std::vector<ResultCode>& codes);

}  // namespace tally
