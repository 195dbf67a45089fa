// The table of calls, held to itself.
#include "profile/timeline/call_table.h"

#include <sys/syscall.h>

#include <set>

#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("call table: each call is in it once, and what it says of it is possible", "[timeline][calls]") {
  std::set<std::uint32_t> numbers;
  for (const CallRow& row : CallTable()) {
    CAPTURE(row.number, row.event);
    CHECK(numbers.insert(row.number).second);
    CHECK(RowOf(row.number) == &row);
    CHECK(row.descriptor < 3);
    CHECK(row.source < 3);
    CHECK(row.flags < 3);
    CHECK((row.amount == Amount::kMoved) == (row.source >= 0));
    CHECK((row.flags >= 0) == (row.close_on_exec != 0));
    CHECK((row.amount == Amount::kNone || row.descriptor >= 0));
    CHECK((row.event.empty() || !EventName(row, ObjectKind::kFile, row.resource).empty()));
  }
}

TEST_CASE("call table: what is not in it uses nothing", "[timeline][calls]") {
  for (const std::uint64_t number : {std::uint64_t{SYS_getpid}, std::uint64_t{SYS_mmap}, std::uint64_t{SYS_rt_sigprocmask},
                                     std::uint64_t{SYS_exit_group}, std::uint64_t{511}, std::uint64_t{512}, ~std::uint64_t{0}}) {
    CHECK(RowOf(number) == nullptr);
  }
}

TEST_CASE("call table: fcntl is an event where it locks, and a futex where it waits", "[timeline][calls]") {
  const auto is_event = [](std::uint64_t number, std::uint64_t second) { return IsEvent(*RowOf(number), {0, second, 0}); };
  CHECK(is_event(SYS_fcntl, 7));         // F_SETLKW
  CHECK_FALSE(is_event(SYS_fcntl, 2));   // F_SETFD
  CHECK(is_event(SYS_futex, 128));       // FUTEX_WAIT, private
  CHECK(is_event(SYS_futex, 256 + 9));   // FUTEX_WAIT_BITSET, by the real clock
  CHECK_FALSE(is_event(SYS_futex, 1));   // FUTEX_WAKE
  CHECK(is_event(SYS_read, 0));
  CHECK_FALSE(is_event(SYS_dup, 0));
}

}  // namespace
}  // namespace tally
