// The other side: the input is on stdin, the solution's pipes are descriptors whose numbers are arguments, the verdict goes to stdout.
#include <cstdio>
#include <cstdlib>
#include <iostream>

int main(int, char** argv) {
  int secret = 0;
  std::cin >> secret;
  std::FILE* const from = fdopen(std::atoi(argv[2]), "r");  // argv[1]: how many processes of the solution there are
  std::FILE* const to = fdopen(std::atoi(argv[3]), "w");
  for (int question = 1; question <= 10; ++question) {
    int number = 0;
    if (std::fscanf(from, "%d", &number) != 1) return std::puts("WRONG\nit ended without the number"), 0;
    std::fprintf(to, "%s\n", number == secret ? "right" : secret < number ? "lower" : "higher");
    std::fflush(to);
    if (number == secret) return std::printf("OK\n%d questions\n", question), 0;
  }
  std::puts("WRONG\nmore than 10 questions");
}
