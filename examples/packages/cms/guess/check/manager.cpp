// The other side: the input is on stdin, the solution's fifos are arguments, a part of the points goes to stdout and a word to stderr.
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
  std::cin >> secret;
  std::ofstream to(argv[2]);  // a fifo opens when the other side opens it: both begin with this one
  std::ifstream from(argv[1]);
  std::string why;
  std::cout << (Talk(secret, from, to, &why) ? 1 : 0) << std::endl;
  std::cerr << why << std::endl;
}
