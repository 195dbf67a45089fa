#include "shop.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int up(const int *a, const int *b) { return *a - *b; }
static int down(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
static int text_order(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int twice(int n) { return 2 * n; }
static int inside(int n) { return add(n, 1); }
static void into(int value, void *to) { *(int *)to += value; }
static int given[4] = {4, 2, 3, 1};

START_TEST(numbers) {
  ck_assert_int_eq(add(2, 3), 5);
  const double all[] = {1, 2, 6};
  ck_assert_double_eq(mean(all, 3), 3);
  ck_assert_int_eq(many(1, 2, 3, 4, 5, 6.5f, 7.5, 8, 9, true, 11), 57);
  ck_assert(is_even(4) && !is_even(7));
  ck_assert_int_eq(other(kRed), kGreen);
} END_TEST
START_TEST(structs) {
  Point p = moved((Point){1, 2}, 0.5);
  ck_assert(p.x == 1.5 && p.y == 2.5);
  Big big = larger((Big){.day = 1, .month = 2, .name = "big", .much = 1LL << 40}, 3);
  ck_assert(big.day == 4 && big.month == 2 && strcmp(big.name, "big!") == 0 && big.much == 3LL << 40);
  struct small s = half((struct small){8, 3});
  ck_assert(s.a == 4 && s.b == 1.5f);
} END_TEST
START_TEST(arrays) {
  int local[] = {3, 1, 2}, grid[3][4] = {{0}}, m[2][3] = {{1, 2, 3}, {4, 5, 6}}, to[3][2];
  sort(local, 3);
  ck_assert(local[0] == 1 && local[1] == 2 && local[2] == 3);
  sort(given, 4);
  ck_assert(given[0] == 1 && given[3] == 4);
  sort(given + 1, 2);
  int *heap = malloc(1000 * sizeof *heap);
  for (int i = 0; i < 1000; ++i) heap[i] = 1000 - i;
  sort(heap, 1000);
  ck_assert(heap[0] == 1 && heap[999] == 1000);
  ck_assert_ptr_eq(largest(heap, heap + 1000), heap + 999);
  free(heap);
  fill(grid, 7);
  ck_assert(grid[2][3] == 7 && grid[0][0] == 7);
  transpose(2, 3, m, to);
  ck_assert(to[2][0] == 3 && to[0][1] == 4);
} END_TEST
START_TEST(texts) {
  char local[] = "hello";
  upper(local);
  ck_assert_str_eq(local, "HELLO");
  ck_assert_ptr_eq(find(local, 'L'), local + 2);
  ck_assert_ptr_null(find(local, 'x'));
  ck_assert_uint_eq(count_letters("banana", 'a'), 3);
  char *all = joined("ab", local);
  ck_assert_str_eq(all, "abHELLO");
  free(all);
  ck_assert_str_eq(name_of(kGreen), "green");
  ck_assert_str_eq(in_a_buffer(12), "<12>");
  const char *const some[] = {"a", "ccc", "bb"};
  ck_assert_int_eq(longest(some, 3), 1);
  char *texts[] = {"pear", "apple", "fig"};
  sort_texts(texts, 3);
  ck_assert_str_eq(texts[0], "apple");
  ck_assert_str_eq(texts[2], "pear");
} END_TEST
START_TEST(lists) {
  struct node *list = NULL;
  for (int i = 1; i <= 4; ++i) list = push(list, i);
  ck_assert_int_eq(list->value, 4);
  ck_assert_int_eq(sum(list), 10);
  struct node *last = list;
  list = reversed(list);
  ck_assert_int_eq(list->next->value, 2);
  ck_assert_ptr_null(last->next);
  list->value = 100;
  ck_assert_int_eq(sum(list), 109);
  release(list);
  struct node two = {2, NULL}, one = {1, &two};
  ck_assert_int_eq(sum(&one), 3);
  ck_assert_ptr_eq(reversed(&one), &two);
  ck_assert_ptr_eq(two.next, &one);
  struct list queue = {NULL, NULL, 0};
  append(&queue, 7);
  append(&queue, 8);
  ck_assert(queue.size == 2 && queue.first->value == 7 && queue.last->value == 8 && queue.first->next == queue.last);
  struct tree *tree = NULL;
  const char *const keys[] = {"m", "c", "x", "c"};
  for (int i = 0; i < 4; ++i) tree = insert(tree, keys[i]);
  ck_assert_str_eq(tree->left->key, "c");
  ck_assert_int_eq(tree->left->count, 2);
  ck_assert_ptr_null(tree->right->left);
} END_TEST
START_TEST(handles) {
  Stack *stack = stack_new();
  ck_assert_ptr_nonnull(stack);
  stack_push(stack, 1);
  stack_push(stack, 2);
  ck_assert_int_eq(stack_pop(stack), 2);
  ck_assert_int_eq(stack_pop(stack), 1);
  ck_assert_int_eq(stack_pop(stack), -1);
  stack_free(stack);
  struct buffer buffer = {NULL, 0, 0};
  for (int i = 0; i < 10; ++i) buffer_add(&buffer, i);
  ck_assert(buffer.used == 10 && buffer.cells[9] == 9);
  free(buffer.cells);
  int x = 1, y = 2;
  put("x", &x);
  put("y", &y);
  ck_assert_ptr_eq(get("x"), &x);
  ck_assert_ptr_null(get("z"));
  void *a = &x, *b = &y;
  swap(&a, &b);
  ck_assert(a == &y && b == &x);
} END_TEST
START_TEST(functions) {
  int local[] = {2, 9, 4}, total = 0;
  insertion_sort(local, 3, up);
  ck_assert(local[0] == 2 && local[1] == 4 && local[2] == 9);
  sort_by(local, 3, sizeof *local, down);
  ck_assert(local[0] == 9 && local[2] == 2);
  char *texts[] = {"b", "c", "a"};
  sort_by(texts, 3, sizeof *texts, text_order);
  ck_assert_str_eq(texts[0], "a");
  each(push(push(NULL, 3), 4), into, &total);
  ck_assert_int_eq(total, 7);
  ck_assert_int_eq(apply(twice, 3), 12);
  ck_assert_int_eq(apply(inside, 3), 5);
} END_TEST
START_TEST(variables) {
  ck_assert_int_eq(calls, 5);
  add(1, 1);
  ck_assert_int_eq(calls, 6);
  calls = 40;
  add(1, 1);
  ck_assert_int_eq(calls, 41);
  ck_assert_str_eq(title, "shop");
  ck_assert_str_eq(words[2], "three");
} END_TEST
START_TEST(output) {
  fflush(stdout);
  char path[] = "/tmp/outXXXXXX", text[20] = "";
  const int before = dup(1), file = mkstemp(path);
  dup2(file, 1);
  say("hello");
  fflush(stdout);
  dup2(before, 1);
  ck_assert_int_eq(pread(file, text, sizeof text, 0), 6);
  ck_assert_str_eq(text, "hello\n");
  say("seen");
} END_TEST
START_TEST(often) {
  struct node *list = NULL;
  for (int i = 0; i < 500; ++i) list = push(list, i);
  for (int i = 0; i < 2000; ++i) ck_assert_int_eq(add(i, 1), i + 1);
  int total = 0;
  for (struct node *at = list; at; at = at->next) total += at->value;
  ck_assert_int_eq(total, 124750);
} END_TEST

int main(void) {
  Suite *suite = suite_create("Shop");
  TCase *tcase = tcase_create("Shop");
  const TTest *const tests[] = {numbers, structs, arrays, texts, lists, handles, functions, variables, output, often};
  for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) tcase_add_test(tcase, tests[i]);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
