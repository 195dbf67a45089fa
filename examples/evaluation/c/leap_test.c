#include "leap.h"

#include <assert.h>

int main(void) {
  assert(is_leap(2024));
  assert(!is_leap(2023));
  assert(!is_leap(1900));
  assert(is_leap(2000));
  return 0;
}
