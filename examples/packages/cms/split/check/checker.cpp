// Any two divisors above 1 whose product is the number are right, in any order; a prime has none.
#include <fstream>
#include <iostream>
#include <string>

// What is wrong with an answer; "" if nothing is.
static std::string Fault(long long number, std::istream& answer, const std::string& expected) {
  std::string first, second, rest;
  answer >> first;
  if (first.empty()) return "no answer";
  if (first == "prime") return expected != "prime" ? "it is no prime" : answer >> rest ? "more than was asked for" : "";
  answer >> second;
  if (answer >> rest) return "more than was asked for";
  long long a = 0, b = 0;
  try {
    a = std::stoll(first);
    b = std::stoll(second);
  } catch (...) {
    return "no two numbers";
  }
  if (a < 2 || b < 2) return "a divisor is not above 1";
  return a > number || b > number || a * b != number ? "their product is another number" : "";
}

int main(int, char** argv) {
  std::ifstream input(argv[1]), judge(argv[2]), output(argv[3]);
  long long number;
  std::string expected;
  input >> number;
  judge >> expected;
  const std::string fault = Fault(number, output, expected);
  std::cout << (fault.empty() ? "1.0" : "0.0") << "\n";
  std::cerr << (fault.empty() ? "translate:success" : fault) << "\n";
}
