// Catch2 2.13 (Debian 12) and 3 (newer systems) behind one include.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define TALLY_CATCH_3 1
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#define TALLY_CATCH_3 0
#endif

#include <string>

namespace tally {

// A text that is somewhere in it. What Catch2 3 still calls Contains asks a range for an element.
inline auto HasPart(const std::string& text) {
#if TALLY_CATCH_3
  return Catch::Matchers::ContainsSubstring(text);
#else
  return Catch::Matchers::Contains(text);
#endif
}

}  // namespace tally
