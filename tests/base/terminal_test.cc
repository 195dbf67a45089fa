// What is drawn over and over on a terminal.
#include "base/terminal.h"

#include "base/columns.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("terminal: a progress bar is as long as there is room beside its count", "[terminal]") {
  CHECK(ProgressText("sum.cpp", 1, 3, "2", 80) == "sum.cpp ########................ 1/3 2");
  CHECK(ProgressText("sum.cpp", 1, 3, "2", 26) == "sum.cpp ###........ 1/3 2");
  CHECK(ProgressText("sum.cpp", 2, 3, "2", 10) == "sum.cpp 2/3 2");
  CHECK(ProgressText("sum.cpp", 9, 3, "", 200) == "sum.cpp ######################## 9/3 ");
  for (const std::size_t columns : {30, 40, 60, 80, 200}) {
    CHECK(CharactersIn(ProgressText("sum.cpp", 12, 34, "counting", columns)) < columns);
    // A longer note is cut, and never the count.
    CHECK(ProgressText("sum.cpp", 12, 34, "counting the largest of the sizes", columns).find(" 12/34 ") < columns - 7);
  }
}

}  // namespace
}  // namespace tally
