#include "guess.h"

#include <cstdlib>

void find() {
  ask(500);
  std::abort();
}
