#include "guess.h"

void find() {
  int low = 1, high = 1000;
  for (;;) {
    const int middle = (low + high) / 2;
    const std::string word = ask(middle);
    if (word == "right") return;
    (word == "lower" ? high : low) = word == "lower" ? middle - 1 : middle + 1;
  }
}
