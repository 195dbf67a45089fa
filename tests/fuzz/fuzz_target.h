// A fuzz target is a function of any bytes that must come back, whatever they are; what it promises about its
// results it says with Require. The same file serves twice:
//   with TALLY_FUZZ  libFuzzer calls it with what it makes up (scripts/fuzz)
//   without          replay_test.cc calls it with every file of corpus/NAME, in every run of scripts/test
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tally::fuzz {

using Target = void (*)(std::string_view input);

// By name, filled before main.
std::map<std::string, Target>& Targets();

// A broken promise ends the process, which is how libFuzzer learns of it.
inline void Require(bool promise) {
  if (!promise) __builtin_trap();
}

// Runs `read`; a user's mistake is a proper end if it is told in one line. Any other exception goes up and is a find.
template <typename Read>
void MayRefuse(Read read) {
  try {
    read();
  } catch (const UserError& mistake) {
    const std::string_view sentence = mistake.what();
    Require(!sentence.empty() && sentence.find('\n') == std::string_view::npos);
  }
}

// Takes what is before the next line of three dashes off the front: inputs of several parts stay readable.
inline std::string_view NextPart(std::string_view* rest) {
  constexpr std::string_view kBorder = "\n---\n";
  const std::size_t end = rest->find(kBorder);
  const std::string_view part = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + kBorder.size());
  return part;
}

}  // namespace tally::fuzz

#ifdef TALLY_FUZZ
#define TALLY_FUZZ_TARGET(name)                                                       \
  static void Fuzz_##name(std::string_view input);                                    \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    Fuzz_##name(std::string_view(reinterpret_cast<const char*>(data), size));         \
    return 0;                                                                         \
  }                                                                                   \
  static void Fuzz_##name(std::string_view input)
#else
#define TALLY_FUZZ_TARGET(name)                                      \
  static void Fuzz_##name(std::string_view input);                   \
  [[maybe_unused]] static const bool registered_##name =             \
      ::tally::fuzz::Targets().emplace(#name, Fuzz_##name).second;   \
  static void Fuzz_##name(std::string_view input)
#endif
