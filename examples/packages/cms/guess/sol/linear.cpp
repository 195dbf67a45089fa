#include "guess.h"

void find() {
  std::string word = "higher";
  for (int number = 1; word != "right" && !word.empty(); ++number) word = ask(number);
}
