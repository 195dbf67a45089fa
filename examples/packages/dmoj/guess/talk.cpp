// The other side, whose arguments are the input and the answer, and whose exit status says how it went.
#include <fstream>
#include <iostream>
#include <string>

bool Talk(int secret, std::istream& from, std::ostream& to, std::string* why) {
  for (int question = 1; question <= 10; ++question) {
    int number = 0;
    if (!(from >> number)) return *why = "it ended without the number", false;
    if (number == secret) {
      to << "right" << std::endl;
      return *why = std::to_string(question) + " questions", true;
    }
    to << (secret < number ? "lower" : "higher") << std::endl;
  }
  return *why = "more than 10 questions", false;
}

int main(int, char** argv) {
  int secret = 0;
  std::ifstream(argv[1]) >> secret;
  std::string why;
  const bool found = Talk(secret, std::cin, std::cout, &why);
  std::cerr << why << std::endl;
  return found ? 0 : 1;
}
