// The other side: input, answer and a folder for what it has to say are arguments, 42 accepts and 43 refuses.
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
  std::ofstream(std::string(argv[3]) + "judgemessage.txt") << why << std::endl;
  return found ? 42 : 43;
}
