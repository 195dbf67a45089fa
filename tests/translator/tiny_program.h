// Programs of a few instructions' or a few thousand's making: written as a static executable without a library, and run
// in a sandbox. Which ones is told by a seed: TALLY_SEED=N TALLY_SECONDS=0 runs that one program. Without them seeds
// count from 1 for 20 seconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "supervisor/api/run_request.h"
#include "tests/support/run_program.h"

namespace tally {

// Two segments: code, and zeroed memory.
struct TinyProgram {
  static constexpr std::uint64_t kCode = 0x401000;

  std::string code;
  std::uint32_t code_rights = 5;  // PF_R | PF_X
  std::uint64_t memory = 0x600000;
  std::uint64_t memory_size = 4096;
};

// Of an executable file.
std::string Executable(const TinyProgram& program);

// Writes it to `path` and runs it there; run.program has no say. Its time is limited by real time alone.
void WriteTinyProgram(const std::string& path, const TinyProgram& program);
TestResult RunTinyProgram(TestRun run, const std::string& path, std::chrono::seconds longest = std::chrono::seconds(20));

std::uint64_t FromEnvironment(const char* name, std::uint64_t otherwise);

template <typename Test>
void ForSeeds(Test test) {
  const std::uint64_t first = FromEnvironment("TALLY_SEED", 1);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(FromEnvironment("TALLY_SECONDS", 20));
  for (std::uint64_t seed = first; seed == first || std::chrono::steady_clock::now() < until; ++seed) test(seed);
}

}  // namespace tally
