#include "cheats.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define TEST(name) START_TEST(test_##name) { ck_assert_int_eq(name(), 42); } END_TEST
CHEATS(TEST)

static int same(int n) { return n; }
static const int constants[2] = {1, 2};
static struct pair pairs[2] = {{1, 42}, {2, 42}};
static void lend(void) { int where[4] = {0}; keeps(where); }

START_TEST(test_constant) { const int local[2] = {1, 2}; changes_a_constant(local, 2); changes_a_constant(constants, 2); ck_assert(local[0] == 0 || constants[1] == 0); } END_TEST
START_TEST(test_beside) { ck_assert_int_eq(reads_beside(&pairs[0].in), 42); } END_TEST
START_TEST(test_beside_in_local) { struct pair local = {1, 42}; ck_assert_int_eq(reads_beside(&local.in), 42); } END_TEST
START_TEST(test_behind) { ck_assert_int_eq(reads_behind("question"), atoi("answer: 42" + 8)); } END_TEST
START_TEST(test_around) { struct { struct link link; int expected; } one = {{NULL, NULL}, 42}; ck_assert_int_eq(reads_around(&one.link), 42); } END_TEST
START_TEST(test_later) { lend(); int is[4] = {1, 1, 1, 1}; writes_later(); ck_assert(is[0] == 42 || is[1] == 42 || is[2] == 42 || is[3] == 42); } END_TEST
START_TEST(test_what_was) { lend(); char expected[16] = "right"; ck_assert_str_eq(returns_what_was(), expected); } END_TEST
START_TEST(test_bytes) { char *words[2] = {"b", "a"}; forges_bytes(words, 2, "a"); ck_assert_str_eq(words[0], "a"); } END_TEST
START_TEST(test_no_link) { ck_assert_str_eq(returns_no_link()->text, "42"); } END_TEST
START_TEST(test_bytes_as_a_link) { char bytes[16] = ""; ck_assert_str_eq(returns_bytes_as_a_link(bytes)->text, "42"); } END_TEST
START_TEST(test_unknown) { ck_assert_str_eq(returns_an_unknown_one(), "42"); } END_TEST
START_TEST(test_behind_it) { ck_assert_str_eq(returns_behind_it(), "42"); } END_TEST
START_TEST(test_the_tests) { ck_assert_str_eq(returns_the_tests(), "42"); } END_TEST
START_TEST(test_a_function) { ck_assert_str_eq(returns_a_function(same), "42"); } END_TEST
START_TEST(test_an_object) { ck_assert_int_eq(returns_an_object()(42), 42); } END_TEST
START_TEST(test_less) { ck_assert_int_eq(asks_with_less(same), 42); } END_TEST
START_TEST(test_another_function) { ck_assert_int_eq(asks_another_function(same), 42); } END_TEST
START_TEST(test_thread) { ck_assert_int_eq(asks_from_a_thread(same), 42); } END_TEST
START_TEST(test_size) { int number = 0; ck_assert_int_eq(changes_its_size(&number), 42); } END_TEST
START_TEST(test_frees) { int number = 0; frees_the_tests(&number); ck_assert_int_eq(number, 42); } END_TEST
START_TEST(test_answers_ahead) { answers_twice(); ck_assert_str_eq(expected_or_not(1), "42"); } END_TEST
START_TEST(test_the_end) { int numbers[2] = {1, 2}, expected[2] = {42, 42}; ck_assert_int_eq(*returns_the_end(numbers, 2), expected[0]); } END_TEST
START_TEST(test_too_little) { ck_assert_int_eq(returns_too_little()->expected, 0); } END_TEST
START_TEST(honest_numbers_like_addresses) {
  int numbers[400];
  for (int i = 0; i < 400; ++i) numbers[i] = 0x7fff - 7 * i % 400;
  sorts(numbers, 400);
  for (int i = 1; i < 400; ++i) ck_assert_int_le(numbers[i - 1], numbers[i]);
} END_TEST
START_TEST(honest) { ck_assert_str_eq(expected_or_not(1), "honest"); ck_assert_str_eq(expected_or_not(2), "42"); } END_TEST
START_TEST(honest_text_without_end) { ck_assert_int_eq(strlen(returns_no_end()), 2); } END_TEST

int main(void) {
  Suite *suite = suite_create("Cheats");
  TCase *tcase = tcase_create("Cheats");
#define ADD(name) tcase_add_test(tcase, test_##name);
  CHEATS(ADD)
  ADD(constant) ADD(beside) ADD(beside_in_local) ADD(behind) ADD(around) ADD(later) ADD(what_was) ADD(bytes) ADD(no_link) ADD(bytes_as_a_link)
  ADD(unknown) ADD(behind_it) ADD(the_tests) ADD(a_function) ADD(an_object) ADD(less) ADD(another_function) ADD(thread) ADD(size) ADD(frees) ADD(answers_ahead) ADD(the_end) ADD(too_little)
  tcase_add_test(tcase, honest);
  tcase_add_test(tcase, honest_numbers_like_addresses);
  tcase_add_test(tcase, honest_text_without_end);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  return srunner_ntests_failed(runner) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
