#include "base/process_maps.h"

#include <unistd.h>

#include <algorithm>

#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("maps: what is mapped is read with its rights, its file and its place in that", "[maps]") {
  const auto lines = ParseMaps(
      "00400000-00401000 r--p 00000000 08:01 17 /box/a program\n"
      "7ffff7dd0000-7ffff7dd2000 rw-s 0001f000 00:1a 4026531842               /dev/shm/x (deleted)\n"
      "7ffff7ff0000-7ffff7ff1000 r-xp 00000000 00:00 0 \n"
      "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0                          [stack]\n"
      "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]\n");
  REQUIRE(lines.size() == 5);
  CHECK(lines[0].begin == 0x400000);
  CHECK(lines[0].end == 0x401000);
  CHECK(lines[0].name == "/box/a program");
  CHECK(lines[0].device_and_file == " 08:01 17 /box/a program");
  CHECK_FALSE((lines[0].IsWritable() || lines[0].IsExecutable() || lines[0].IsShared()));
  CHECK(lines[1].offset == 0x1f000);
  CHECK(lines[1].name == "/dev/shm/x (deleted)");
  CHECK((lines[1].IsWritable() && lines[1].IsShared()));
  CHECK(lines[2].name.empty());
  CHECK(lines[2].IsExecutable());
  CHECK(lines[3].name == "[stack]");
  CHECK(lines[4].begin == 0xffffffffff600000);
}

TEST_CASE("maps: lines of no known form, and tasks that are no more, give nothing", "[maps]") {
  CHECK(ParseMaps("").empty());
  CHECK(ParseMaps("\n00400000-00401000\n00400000-00401000 r--p 00000000\nx-y r--p 0 0:0 0\n").empty());
  CHECK(MapsOf(0x7fffffff).empty());
}

TEST_CASE("maps: the heap of this process begins where the kernel says", "[maps]") {
  const auto lines = MapsOf(::getpid());
  const auto heap = std::find_if(lines.begin(), lines.end(), [](const MapsLine& line) { return line.name == "[heap]"; });
  CHECK(HeapBegin(::getpid()) != 0);
  if (heap != lines.end()) CHECK(HeapBegin(::getpid()) <= heap->end);
  CHECK(HeapBegin(0x7fffffff) == 0);
}

TEST_CASE("maps: of this process, its own code is executable", "[maps]") {
  const auto lines = MapsOf(::getpid());
  const auto here = reinterpret_cast<std::uint64_t>(&ParseMaps);
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const MapsLine& line) { return line.Holds(here); });
  REQUIRE(found != lines.end());
  CHECK(found->IsExecutable());
}

}  // namespace
}  // namespace tally
