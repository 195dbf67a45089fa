// Random numbers that a seed decides, in streams that do not disturb each other: how often a program executes rdrand
// has no influence on what getrandom gives it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tally {

class SeededRandom {
 public:
  enum class Stream : std::uint8_t { kStart, kInstruction, kSystemCall, kFile, kTurns, kClock };

  SeededRandom(std::uint64_t seed, Stream stream);
  std::uint64_t Next();
  void Fill(void* data, std::size_t size);

 private:
  std::uint64_t state_;
};

}  // namespace tally
