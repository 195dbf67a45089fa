// What an ordinary C++ solution does: streams, containers, an exception that is caught.
// Unwinding reads the program's own tables (dl_iterate_phdr) and may allocate, which asks the kernel for more
// memory by brk and mmap; a policy or limit that refuses that breaks good programs.
// Tally: OK under any sane limits (64 MiB, 1 s).
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

int main() {
  std::map<std::string, std::vector<int>> table;
  for (int i = 0; i < 10000; ++i) table["key" + std::to_string(i % 100)].push_back(i);
  try {
    table.at("no such key");
  } catch (const std::out_of_range&) {
    std::cout << "caught\n";
  }
  std::cout << table["key7"].size() << "\nEND" << std::endl;
  return 0;
}
