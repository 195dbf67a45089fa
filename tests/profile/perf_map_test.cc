// The map of code made at run time, and what people call its pieces.
#include "profile/hotspots/perf_map.h"

#include "tests/support/catch.h"

namespace tally {
namespace {

std::string NameAt(const PerfMap& map, std::uint64_t address) {
  const std::string* const name = map.NameAt(address);
  return name == nullptr ? "" : *name;
}

TEST_CASE("perf map: an address is of the piece that holds it, from its first byte to its last, and of none else", "[hotspots]") {
  const PerfMap map = PerfMap::Parse("0x00007f0000000200 0x0000000000000010 int Sums.add(int[], int)\n7f0000000100 80 Interpreter\n");
  CHECK(map.pieces() == 2);
  CHECK(NameAt(map, 0x7f00000000ff).empty());
  CHECK(NameAt(map, 0x7f0000000100) == "Interpreter");
  CHECK(NameAt(map, 0x7f000000017f) == "Interpreter");
  CHECK(NameAt(map, 0x7f0000000180).empty());
  CHECK(NameAt(map, 0x7f0000000200) == "int Sums.add(int[], int)");
  CHECK(NameAt(map, 0x7f0000000210).empty());
}

TEST_CASE("perf map: a line that is none of its own is passed over", "[hotspots]") {
  const PerfMap map = PerfMap::Parse("\nhello\n0x10 0x10\n0x10 0x10 \n0x10 0 empty\n0x10 -1 negative\nffffffffffffffff 2 beyond\n0x20 0x10 good");
  CHECK(map.pieces() == 1);
  CHECK(NameAt(map, 0x2f) == "good");
}

TEST_CASE("perf map: methods of Java are called without what they return, the rest is the machine's interpreter or a stub", "[hotspots]") {
  CHECK(NameInJava("int Sums.add(int[], int)") == "Sums.add(int[], int)");
  CHECK(NameInJava("java.lang.String java.util.Scanner.next()") == "java.util.Scanner.next()");
  CHECK(NameInJava("void Main$Node.<init>(Main, int)") == "Main$Node.<init>(Main, int)");
  CHECK(NameInJava("Interpreter") == "[the JVM's interpreter]");
  for (const char* stub : {"StubRoutines (1)", "I2C/C2I adapters", "_new_instance_Java", "vtable chunks", ""}) CHECK(NameInJava(stub) == "[the JVM's stubs]");
}

}  // namespace
}  // namespace tally
