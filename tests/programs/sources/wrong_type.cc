// Does not compile: a string is no int. CE, in C++.
#include <string>
int main() { return std::string("one"); }
