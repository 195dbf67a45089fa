// Throws an exception that nobody catches.
// std::terminate prints a line to stderr and calls abort: SIGABRT.
// Tally: RE (signal 6); not MLE, although the memory limit's bad_alloc ends the same way.
#include <iostream>
#include <stdexcept>

int main(int argc, char**) {
  if (argc > 0) throw std::runtime_error("nobody catches this");
  std::cout << "END" << std::endl;
  return 0;
}
