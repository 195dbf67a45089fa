#include "supervisor/resources/caught_signals.h"

#include <unistd.h>

#include <csignal>
#include <string>
#include <string_view>

#include "tests/support/catch.h"

namespace tally {
namespace {

void DoNothing(int /*signal*/) {}

TEST_CASE("caught signals: what a process has handlers for, by a file that stays open", "[supervisor]") {
  CaughtSignals signals;
  constexpr std::uint32_t kBit = 1U << (SIGURG - 1);
  for (int i = 0; i < 3; ++i) {
    ::signal(SIGURG, DoNothing);
    CHECK((signals.Of(::getpid()).value() & kBit) != 0);
    ::signal(SIGURG, SIG_DFL);
    CHECK((signals.Of(::getpid()).value() & kBit) == 0);
  }
  CHECK_FALSE(CaughtSignals().Of(0x7fffffff));
}

TEST_CASE("caught signals: a program's name may look like fields", "[supervisor]") {
  const std::string_view fields = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 17 0 0\n";
  CHECK(CaughtInStat("12 (name)" + std::string(fields)) == 17);
  CHECK(CaughtInStat("12 (a) 1 2 3 (b c)" + std::string(fields)) == 17);
  CHECK_FALSE(CaughtInStat("12 (name) S 1 2 3"));
  CHECK_FALSE(CaughtInStat(""));
}

}  // namespace
}  // namespace tally
