#include <gtest/gtest.h>

#include "cheats.h"

#define IT(name) \
  TEST(Cheats, name) { EXPECT_EQ(name(), 42); }
CHEATS(IT)

TEST(Cheats, less) { EXPECT_TRUE(returns_less() == 42); }
TEST(Cheats, no_link) { EXPECT_EQ(returns_no_link()->value, 42); }
TEST(Cheats, half_a_link) { EXPECT_EQ(returns_half_a_link()->value, 42); }
TEST(Cheats, changed_constant) {
  const Link link{41};
  EXPECT_EQ(returns_a_changed_constant(&link), &link);
  EXPECT_EQ(link.value, 42);
}
TEST(Cheats, around) {
  const Link links[] = {{41}, {42}};
  EXPECT_EQ(reads_around(links), 42);
}
TEST(Cheats, long_text) { EXPECT_EQ(returns_a_long_text().size(), 1u << 31); }
TEST(Cheats, many) { EXPECT_EQ(returns_many().at(0), 42); }
TEST(Cheats, many_in_many) { EXPECT_EQ(returns_many_in_many().size(), 1000u); }
TEST(Cheats, one_twice) { EXPECT_EQ(returns_one_twice().size(), 2u); }
TEST(Cheats, too_few) { EXPECT_EQ(returns_too_few().size(), 2u); }
TEST(Cheats, odd_optional) { EXPECT_TRUE(returns_an_odd_optional()); }
TEST(Cheats, odd_bool) { EXPECT_TRUE(returns_an_odd_bool()); }
TEST(Cheats, no_alternative) { EXPECT_EQ(returns_no_alternative().index(), 2u); }
TEST(Cheats, no_argument) {
  int n = 0;
  EXPECT_EQ(returns_no_argument(n), 42);
}
TEST(Cheats, another_type) {
  std::string text;
  int n = 0;
  EXPECT_EQ(returns_another_type(text, n), 42);
}
TEST(Cheats, unknown_handle) { EXPECT_TRUE(returns_an_unknown_handle().is_known()); }
TEST(Cheats, depth) { EXPECT_TRUE(returns_depth().next != nullptr); }
TEST(Cheats, no_end) { EXPECT_STREQ(returns_no_end(), "42"); }
TEST(Cheats, constant) {
  const std::vector<int> numbers{1, 2, 3};
  changes_a_constant(numbers);
  EXPECT_EQ(numbers[0], 42);
}
TEST(Cheats, size) {
  std::vector<int> numbers{1};
  changes_its_size(numbers);
  EXPECT_EQ(numbers.at(0), 42);
}
TEST(Cheats, later) {
  int n = 0;
  keeps(n);
  writes_later();
  EXPECT_EQ(n, 42);
}
TEST(Cheats, beside) {
  const int pair[] = {41, 42};
  EXPECT_EQ(reads_beside(pair[0]), 42);
}
TEST(Cheats, expects_another_exception) { EXPECT_THROW(throws_the_frameworks(), std::logic_error); }
TEST(Cheats, expects_none) { EXPECT_NO_THROW(throws_the_frameworks()); }

TEST(honest, honest_reads_what_it_is_given) { EXPECT_EQ(oracle("1"), "honest"); }
TEST(honest, honest_handle) { EXPECT_EQ(Handle().value(), 41); }
TEST(honest, honest_what_is_thrown_is_what_it_derives_from) { EXPECT_THROW(throws_the_frameworks(), std::runtime_error); }
