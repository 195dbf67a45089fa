#include <gtest/gtest.h>

#include <sstream>

#include "shop.h"

using namespace shop;
using Strings = std::vector<std::string>;

TEST(Shop, numbers) {
  EXPECT_EQ(add(2, 3), 5);
  EXPECT_EQ(add(2L, 3L), 1005);
  EXPECT_DOUBLE_EQ(mean({1, 2, 6}), 3);
  EXPECT_TRUE(is_even(4));
  EXPECT_FALSE(is_even(7));
  EXPECT_EQ(next('a'), 'b');
  EXPECT_EQ(half(3), 1.5f);
  EXPECT_EQ(twice(1.5L), 3.0L);
  EXPECT_EQ(other(Color::kRed), Color::kGreen);
  EXPECT_EQ(plain(3, "four"), 7);
}
TEST(Shop, texts) {
  EXPECT_EQ(upper("hello"), "HELLO");
  EXPECT_EQ(upper(std::string(100000, 'x')), std::string(100000, 'X'));
  EXPECT_EQ(letters("banana", 'a'), 3u);
  EXPECT_EQ(greeting("Ada"), "hello, Ada");
  EXPECT_EQ(greeting(nullptr), "hello, you");
  EXPECT_STREQ(name_of(Color::kGreen), "green");
  EXPECT_EQ(name_of(Color::kBlue), nullptr);
  EXPECT_EQ(split("a b c"), (Strings{"a", "b", "c"}));
  EXPECT_EQ(split("a;;", ';'), (Strings{"a", "", ""}));
}
TEST(Shop, containers) {
  EXPECT_EQ(count_words({"a", "b", "a"}), (std::map<std::string, int>{{"a", 2}, {"b", 1}}));
  EXPECT_EQ(names({3, 1}).at(3), "3");
  EXPECT_EQ(find({4, 5}, 5), 1);
  EXPECT_EQ(find({4, 5}, 6), std::nullopt);
  EXPECT_EQ(extremes({3, 1, 2}), std::make_pair(1, 3));
  EXPECT_EQ(three(), std::make_tuple(1, std::string("two"), true));
  EXPECT_EQ(sorted({3, 1, 2}), (std::array<int, 3>{1, 2, 3}));
  const auto all = nested({{1, 2}, {}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all.front().second, (std::vector<int>{1, 2}));
  EXPECT_EQ(std::get<int>(parse("12")), 12);
  EXPECT_EQ(std::get<std::string>(parse("x")), "x");
  EXPECT_EQ(bits(6), (std::vector<bool>{false, true, true}));
  EXPECT_EQ(sum({1, 2, 3}), 6);
  std::stack<int> stack;
  stack.push(1);
  stack.push(2);
  EXPECT_EQ(depth(stack), 2);
  EXPECT_EQ(consumed({1, 2}), (std::vector<int>{1, 2}));
}
TEST(Shop, references) {
  std::vector<int> numbers{3, 1, 2};
  sort(numbers);
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3}));
  std::string a = "a", b = "b";
  swap(a, b);
  EXPECT_EQ(a + b, "ba");
  double all[] = {1, 2};
  scale(all, 3);
  EXPECT_EQ(all[1], 6);
  std::array<std::array<int, 3>, 2> grid{};
  fill(grid, 7);
  EXPECT_EQ(grid[1][2], 7);
  std::vector<std::vector<int>> rows{{1, 2}, {3, 4}};
  at(rows, 1, 0) = 30;
  EXPECT_EQ(rows[1][0], 30);
  int x = 1, y = 2;
  larger(x, y) = 10;
  EXPECT_EQ(y, 10);
  EXPECT_EQ(&larger(x, y), &y);
}
TEST(Shop, structs) {
  const std::vector<Item> items{{"tea", 2, 3.5, {"hot"}}, {"milk", 1, 1.25, {}}};
  EXPECT_EQ(cheapest(items), items[1]);
  Item item{"tea", 2, 3.5, {"hot"}};
  discount(item, 1);
  EXPECT_EQ(item, (Item{"tea", 2, 2.5, {"hot", "sale"}}));
  EXPECT_EQ(around(5).width(), 2);
}
TEST(Shop, trees) {
  std::unique_ptr<Tree> tree;
  for (const int key : {5, 2, 8, 9}) tree = insert(std::move(tree), key);
  ASSERT_NE(tree->right->right, nullptr);
  EXPECT_EQ(tree->right->right->key, 9);
  EXPECT_EQ(tree->left->left, nullptr);
  EXPECT_EQ(total(*tree), 24);
}
TEST(Shop, objects) {
  Store store("corner");
  EXPECT_EQ(store.name(), "corner");
  store.add({"tea", 2, 3.5, {}});
  store.add({"tea", 1, 3.5, {}});
  store.add({"milk", 1, 1, {}});
  EXPECT_EQ(store.count("tea"), 3);
  EXPECT_EQ(store.count("salt"), 0);
  EXPECT_EQ(store.size(), 2u);
  EXPECT_DOUBLE_EQ(store.total(), 11.5);
  store["tea"].count = 10;
  EXPECT_EQ(store.count("tea"), 10);
  EXPECT_EQ(&store.rename("new"), &store);
  EXPECT_EQ(store.rename("x").rename("y").name(), "y");
  store.take("milk", 1);
  EXPECT_EQ(store.size(), 1u);
  const Store copy = store;
  store.take("tea", 10);
  EXPECT_EQ(copy.count("tea"), 10);
  const Store of = Store::of({{"a", 1, 1, {}}, {"b", 2, 2, {}}});
  EXPECT_EQ(of.total(), 5);
  EXPECT_EQ(Store::made(), 2);
}
TEST(Shop, what_stays_there) {
  IntStack stack;
  EXPECT_TRUE(stack.empty());
  stack.push(1);
  stack << 2 << 3;
  EXPECT_EQ(stack.size(), 3u);
  IntStack copy = stack;
  EXPECT_EQ(stack.pop(), 3);
  EXPECT_EQ(copy.pop(), 3);
  EXPECT_EQ(copy.pop(), 2);
  stack = copy;
  EXPECT_EQ(stack.pop(), 1);
  EXPECT_TRUE(stack.empty());
  EXPECT_THROW(stack.pop(), std::out_of_range);
  EXPECT_EQ(copy.size(), 1u);
  std::vector<IntStack> several(3);
  several[1].push(5);
  several.resize(20);
  push_all(several, 7);
  push_all(several, 8);
  EXPECT_EQ(several[19].size(), 2u);
  EXPECT_EQ(several[1].pop(), 8);
  several[1].pop();
  EXPECT_EQ(several[1].pop(), 5);
}
TEST(Shop, operators) {
  const Fraction half(1, 2), third(2, 6);
  EXPECT_EQ(half + third, Fraction(5, 6));
  EXPECT_TRUE(third < half);
  Fraction sum = half;
  (sum += half) += third;
  EXPECT_EQ(sum, Fraction(4, 3));
  EXPECT_DOUBLE_EQ(static_cast<double>(half), 0.5);
  EXPECT_EQ(half(8), 4);
  EXPECT_EQ(Fraction(3).bottom(), 1);
  std::ostringstream out;
  out << half << ", " << third;
  EXPECT_EQ(out.str(), "1/2, 1/3");
  EXPECT_EQ(testing::PrintToString(half), "1/2");
  EXPECT_THROW(Fraction(1, 0), std::domain_error);
}
TEST(Shop, exceptions) {
  Store store("s");
  EXPECT_THROW(store.add({}), std::invalid_argument);
  EXPECT_THROW(store["none"], std::out_of_range);
  EXPECT_THROW(store.take("tea", 1), NotThere);
  store.add({"tea", 2, 1, {}});
  try {
    store.take("tea", 5);
    FAIL();
  } catch (const TooFew& few) {
    EXPECT_EQ(few.wanted(), 5);
    EXPECT_EQ(few.there(), 2);
    EXPECT_STREQ(few.what(), "too few: 2");
  }
  EXPECT_THROW(color_of("number"), int);
  EXPECT_THROW(color_of("text"), std::string);
  EXPECT_THROW(color_of("memory"), std::bad_alloc);
  EXPECT_THROW(color_of("own"), std::length_error);
  EXPECT_THROW(color_of("blue"), std::out_of_range);
  try {
    color_of("refusal");
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_EQ(refusal.code, 7);
    EXPECT_EQ(refusal.why, "never");
  }
  EXPECT_THROW(checked(0), std::logic_error);
  EXPECT_THROW(refused(-1), std::runtime_error);
  EXPECT_NO_THROW(checked(1));
}
TEST(Shop, output) {
  testing::internal::CaptureStdout();
  say("hello");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hello\n");
}
TEST(Shop, each_case_begins_anew) { EXPECT_EQ(counter(), 1); }
TEST(Shop, state_stays_in_a_case) {
  EXPECT_EQ(counter(), 1);
  EXPECT_EQ(counter(), 2);
}
TEST(Shop, often) {
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(add(i, 1), i + 1);
  std::vector<double> many(1 << 17, 1.0);  // 1 MiB; 600 are more than a process may have
  for (int i = 0; i < 600; ++i) ASSERT_EQ(mean(many), 1.0);
}
TEST(Shop, links) {
  Link* list = nullptr;
  for (int i = 1; i <= 4; ++i) list = push(list, i);
  EXPECT_EQ(list->value, 4);
  EXPECT_EQ(sum(list), 10);
  Link* last = list;
  list = reversed(list);
  EXPECT_EQ(list->next->value, 2);
  EXPECT_EQ(last->next, nullptr);
  EXPECT_EQ(sum(nullptr), 0);
  list = without(list, 1);
  list = without(list, 3);
  EXPECT_EQ(sum(list), 6);
  EXPECT_EQ(list->next, last);
  release(list);
  Link two{2}, one{1, &two};
  EXPECT_EQ(sum(&one), 3);
  EXPECT_EQ(reversed(&one), &two);
  EXPECT_EQ(two.next, &one);
}
