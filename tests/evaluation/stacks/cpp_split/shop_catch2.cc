#define CATCH_CONFIG_MAIN
#include <catch.hpp>

#include <sstream>

#include "shop.h"

using namespace shop;
using Strings = std::vector<std::string>;

TEST_CASE("numbers") {
  CHECK((add(2, 3) == 5));
  CHECK((add(2L, 3L) == 1005));
  CHECK((mean({1, 2, 6}) == 3));
  CHECK(is_even(4));
  CHECK_FALSE(is_even(7));
  CHECK((next('a') == 'b'));
  CHECK((half(3) == 1.5f));
  CHECK((twice(1.5L) == 3.0L));
  CHECK((other(Color::kRed) == Color::kGreen));
  CHECK((plain(3, "four") == 7));
}
TEST_CASE("texts") {
  CHECK((upper("hello") == "HELLO"));
  CHECK((upper(std::string(100000, 'x')) == std::string(100000, 'X')));
  CHECK((letters("banana", 'a') == 3u));
  CHECK((greeting("Ada") == "hello, Ada"));
  CHECK((greeting(nullptr) == "hello, you"));
  CHECK((std::string(name_of(Color::kGreen)) == "green"));
  CHECK((name_of(Color::kBlue) == nullptr));
  CHECK((split("a b c") == (Strings{"a", "b", "c"})));
  CHECK((split("a;;", ';') == (Strings{"a", "", ""})));
}
TEST_CASE("containers") {
  CHECK((count_words({"a", "b", "a"}) == (std::map<std::string, int>{{"a", 2}, {"b", 1}})));
  CHECK((names({3, 1}).at(3) == "3"));
  CHECK((find({4, 5}, 5) == 1));
  CHECK((find({4, 5}, 6) == std::nullopt));
  CHECK((extremes({3, 1, 2}) == std::make_pair(1, 3)));
  CHECK((three() == std::make_tuple(1, std::string("two"), true)));
  CHECK((sorted({3, 1, 2}) == (std::array<int, 3>{1, 2, 3})));
  const auto all = nested({{1, 2}, {}});
  REQUIRE((all.size() == 2u));
  CHECK((all.front().second == (std::vector<int>{1, 2})));
  CHECK((std::get<int>(parse("12")) == 12));
  CHECK((std::get<std::string>(parse("x")) == "x"));
  CHECK((bits(6) == (std::vector<bool>{false, true, true})));
  CHECK((sum({1, 2, 3}) == 6));
  std::stack<int> stack;
  stack.push(1);
  stack.push(2);
  CHECK((depth(stack) == 2));
  CHECK((consumed({1, 2}) == (std::vector<int>{1, 2})));
}
TEST_CASE("references") {
  std::vector<int> numbers{3, 1, 2};
  sort(numbers);
  CHECK((numbers == (std::vector<int>{1, 2, 3})));
  std::string a = "a", b = "b";
  swap(a, b);
  CHECK((a + b == "ba"));
  double all[] = {1, 2};
  scale(all, 3);
  CHECK((all[1] == 6));
  std::array<std::array<int, 3>, 2> grid{};
  fill(grid, 7);
  CHECK((grid[1][2] == 7));
  std::vector<std::vector<int>> rows{{1, 2}, {3, 4}};
  at(rows, 1, 0) = 30;
  CHECK((rows[1][0] == 30));
  int x = 1, y = 2;
  larger(x, y) = 10;
  CHECK((y == 10));
  CHECK((&larger(x, y) == &y));
}
TEST_CASE("structs") {
  const std::vector<Item> items{{"tea", 2, 3.5, {"hot"}}, {"milk", 1, 1.25, {}}};
  CHECK((cheapest(items) == items[1]));
  Item item{"tea", 2, 3.5, {"hot"}};
  discount(item, 1);
  CHECK((item == (Item{"tea", 2, 2.5, {"hot", "sale"}})));
  CHECK((around(5).width() == 2));
}
TEST_CASE("trees") {
  std::unique_ptr<Tree> tree;
  for (const int key : {5, 2, 8, 9}) tree = insert(std::move(tree), key);
  REQUIRE((tree->right->right != nullptr));
  CHECK((tree->right->right->key == 9));
  CHECK((tree->left->left == nullptr));
  CHECK((total(*tree) == 24));
}
TEST_CASE("objects") {
  Store store("corner");
  CHECK((store.name() == "corner"));
  store.add({"tea", 2, 3.5, {}});
  store.add({"tea", 1, 3.5, {}});
  store.add({"milk", 1, 1, {}});
  CHECK((store.count("tea") == 3));
  CHECK((store.count("salt") == 0));
  CHECK((store.size() == 2u));
  CHECK((store.total() == 11.5));
  store["tea"].count = 10;
  CHECK((store.count("tea") == 10));
  CHECK((&store.rename("new") == &store));
  CHECK((store.rename("x").rename("y").name() == "y"));
  store.take("milk", 1);
  CHECK((store.size() == 1u));
  const Store copy = store;
  store.take("tea", 10);
  CHECK((copy.count("tea") == 10));
  const Store of = Store::of({{"a", 1, 1, {}}, {"b", 2, 2, {}}});
  CHECK((of.total() == 5));
  CHECK((Store::made() == 2));
}
TEST_CASE("what_stays_there") {
  IntStack stack;
  CHECK(stack.empty());
  stack.push(1);
  stack << 2 << 3;
  CHECK((stack.size() == 3u));
  IntStack copy = stack;
  CHECK((stack.pop() == 3));
  CHECK((copy.pop() == 3));
  CHECK((copy.pop() == 2));
  stack = copy;
  CHECK((stack.pop() == 1));
  CHECK(stack.empty());
  CHECK_THROWS_AS(stack.pop(), std::out_of_range);
  CHECK((copy.size() == 1u));
  std::vector<IntStack> several(3);
  several[1].push(5);
  several.resize(20);
  push_all(several, 7);
  push_all(several, 8);
  CHECK((several[19].size() == 2u));
  CHECK((several[1].pop() == 8));
  several[1].pop();
  CHECK((several[1].pop() == 5));
}
TEST_CASE("operators") {
  const Fraction half(1, 2), third(2, 6);
  CHECK((half + third == Fraction(5, 6)));
  CHECK(third < half);
  Fraction sum = half;
  (sum += half) += third;
  CHECK((sum == Fraction(4, 3)));
  CHECK((static_cast<double>(half) == 0.5));
  CHECK((half(8) == 4));
  CHECK((Fraction(3).bottom() == 1));
  std::ostringstream out;
  out << half << ", " << third;
  CHECK((out.str() == "1/2, 1/3"));
  CHECK_THROWS_AS(Fraction(1, 0), std::domain_error);
}
TEST_CASE("exceptions") {
  Store store("s");
  CHECK_THROWS_AS(store.add({}), std::invalid_argument);
  CHECK_THROWS_AS(store["none"], std::out_of_range);
  CHECK_THROWS_AS(store.take("tea", 1), NotThere);
  store.add({"tea", 2, 1, {}});
  try {
    store.take("tea", 5);
    FAIL("no exception");
  } catch (const TooFew& few) {
    CHECK((few.wanted() == 5));
    CHECK((few.there() == 2));
    CHECK((std::string(few.what()) == "too few: 2"));
  }
  CHECK_THROWS_AS(color_of("number"), int);
  CHECK_THROWS_AS(color_of("text"), std::string);
  CHECK_THROWS_AS(color_of("memory"), std::bad_alloc);
  CHECK_THROWS_AS(color_of("own"), std::length_error);
  CHECK_THROWS_AS(color_of("blue"), std::out_of_range);
  try {
    color_of("refusal");
    FAIL("no exception");
  } catch (const Refusal& refusal) {
    CHECK((refusal.code == 7));
    CHECK((refusal.why == "never"));
  }
  CHECK_THROWS_AS(checked(0), std::logic_error);
  CHECK_THROWS_AS(refused(-1), std::runtime_error);
  CHECK_NOTHROW(checked(1));
}
TEST_CASE("output") {
  say("hello");
  CHECK(counter() == 1);
}
TEST_CASE("each_case_begins_anew") { CHECK((counter() == 1)); }
TEST_CASE("state_stays_in_a_case") {
  CHECK((counter() == 1));
  CHECK((counter() == 2));
}
TEST_CASE("often") {
  for (int i = 0; i < 3000; ++i) REQUIRE((add(i, 1) == i + 1));
  std::vector<double> many(1 << 17, 1.0);  // 1 MiB; 600 are more than a process may have
  for (int i = 0; i < 600; ++i) REQUIRE((mean(many) == 1.0));
}
TEST_CASE("links") {
  Link* list = nullptr;
  for (int i = 1; i <= 4; ++i) list = push(list, i);
  CHECK((list->value == 4));
  CHECK((sum(list) == 10));
  Link* last = list;
  list = reversed(list);
  CHECK((list->next->value == 2));
  CHECK((last->next == nullptr));
  CHECK((sum(nullptr) == 0));
  list = without(list, 1);
  list = without(list, 3);
  CHECK((sum(list) == 6));
  CHECK((list->next == last));
  release(list);
  Link two{2}, one{1, &two};
  CHECK((sum(&one) == 3));
  CHECK((reversed(&one) == &two));
  CHECK((two.next == &one));
}
