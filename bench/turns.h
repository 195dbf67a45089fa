// Ways to do the same thing, which take turns so that load hits them alike, and what each costs in medians of the first.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tally {

// Executables as an installation has them, bwrap's too: what a linker wrote bit by bit lies in the page cache in single pages,
// what was copied in larger folios where the file system has them (ext4 since Linux 6.16), and a start is a tenth shorter. They
// lie beside the original, where tally finds its descriptions.
class Copies {
 public:
  explicit Copies(const std::string& beside);
  ~Copies();
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  [[nodiscard]] std::string Of(const std::filesystem::path& executable) const;

 private:
  std::string folder_;
};

struct Way {
  std::string name;
  double goal;  // 0: none
  std::function<void()> once;
  std::vector<double> milliseconds;
  std::vector<double> after_rest;
};

// A peer that Debian has; says so where it is not installed.
void AddBwrap(const std::string& program, std::vector<Way>* ways);

// 300 rounds; in every third each way once more after a rest.
void TakeTurns(std::vector<Way>* ways);
void Report(const std::vector<Way>& ways);

// Streams are /dev/null. SystemError where its status is not 0.
void MustSucceed(const std::vector<std::string>& command);

// Of values in no order; `p` from 0 to 1.
double Percentile(std::vector<double> values, double p);

}  // namespace tally
