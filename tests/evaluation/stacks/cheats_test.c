#include <check.h>
#include <stdlib.h>

#include "cheats.h"  // solutions may fork(), so that the guard is all that stands before them

#define TEST(name) START_TEST(test_##name) { ck_assert_int_eq(name(), 42); } END_TEST
CHEATS(TEST)

int main(void) {
  Suite *suite = suite_create("Cheats");
  TCase *tcase = tcase_create("Cheats");
#define ADD(name) tcase_add_test(tcase, test_##name);
  CHEATS(ADD)
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
