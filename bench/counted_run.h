// A run of bench/count: with a counter or without, and what it cost. Each is a process of its own, so that nothing of one is left for the
// next, and the CPU time of all that took part is known, the supervisor's too.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "supervisor/api/run_request.h"

namespace tally {

struct BenchProgram {
  std::string path;                    // on this machine; empty: command[0] is inside the sandbox already
  std::vector<std::string> command;    // argv
  std::string sandbox = "exec-sandbox";
  std::uint32_t processes = 1;
  std::vector<std::string> files = {};  // on this machine; the program finds them in its folder
};

struct Cost {
  double cpu = 0;   // seconds, user and system, of supervisor and program
  double wall = 0;  // seconds, start-up and tear-down included
  std::uint64_t instructions = 0;
  std::uint64_t output = 0;  // a hash
};

// `translations`: the folder of those kept; "": none are. SystemError where the program does not end well.
Cost Measure(const BenchProgram& program, Counter counter, const std::string& translations = "");

struct Compared {
  double native = 0;  // seconds of CPU time, the median
  double ratio = 0;   // the median of the rounds, and what they lie between
  double least = 0, most = 0;
  std::uint64_t instructions = 0;
  bool varies = false;  // the count, between rounds
};

// Without the counter and with it, in turns, so that load hits both alike. SystemError where the outputs differ.
Compared Compare(const BenchProgram& program, Counter counter, int rounds, const std::string& translations = "");

double Median(std::vector<double> values);
double Seconds(const rusage& usage);
void PrintHead();
void Print(const std::string& name, const Compared& compared);

// Geometric mean and worst of what was compared.
struct Ratios {
  double logarithms = 0, worst = 0;
  int n = 0;
  void Add(double ratio);
  [[nodiscard]] double geomean() const;
};

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_ = std::filesystem::temp_directory_path() / "tally-count-XXXXXX";
};

}  // namespace tally
