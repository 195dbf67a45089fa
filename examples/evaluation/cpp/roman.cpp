#include "roman.h"

std::string Roman(int number) {
  const struct {
    int value;
    const char* letters;
  } steps[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
               {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"}};
  std::string text;
  for (const auto& step : steps) {
    for (; number >= step.value; number -= step.value) text += step.letters;
  }
  return text;
}
