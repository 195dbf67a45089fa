// Keeps blocks of 8 MiB from operator new, argv[1] MiB in all (default 256); nobody catches std::bad_alloc.
// The uncaught exception calls abort: the process dies of SIGABRT, of which a naive judge makes RE.
// Tally: MLE when the memory limit is below argv[1], else OK.
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  const long total = argc > 1 ? std::atol(argv[1]) : 256;
  std::vector<char*> blocks;
  for (long done = 0; done < total; done += 8) {
    blocks.push_back(new char[8 << 20]);
    std::memset(blocks.back(), 1, 8 << 20);
  }
  std::cout << blocks.size() << "\nEND" << std::endl;
  return 0;
}
