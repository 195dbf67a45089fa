#pragma once
#include <string>

// What a solution is to write: it finds the number by asking.
void find();
// "right", "lower" or "higher"; "" when nobody answers any more.
std::string ask(int number);
