#include "roman.h"

#include <catch2/catch.hpp>

TEST_CASE("small numbers") {
  CHECK(Roman(1) == "I");
  CHECK(Roman(4) == "IV");
}

TEST_CASE("a year") { CHECK(Roman(1994) == "MCMXCIV"); }
