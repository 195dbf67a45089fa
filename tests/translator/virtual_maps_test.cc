#include "supervisor/machine/virtual_maps.h"

#include "tests/support/catch.h"

namespace tally {
namespace {

constexpr std::uint64_t kHeap = 0x5000;

std::string Virtual(const std::string& maps) { return VirtualMapsText(ParseMaps(maps), kHeap); }

TEST_CASE("virtual maps: files have numbers of their own, by their addresses", "[virtual]") {
  CHECK(Virtual("00001000-00002000 r--p 00000000 fe:00 4711 /usr/b\n"
                "00002000-00003000 r-xp 00001000 fe:00 815 /usr/a\n"
                "00003000-00004000 rw-p 00001000 fe:00 4711 /usr/b\n") ==
        "00001000-00002000 r--p 00000000 00:01 1                                  /usr/b\n"
        "00002000-00003000 r-xp 00001000 00:01 2                                  /usr/a\n"
        "00003000-00004000 rw-p 00001000 00:01 1                                  /usr/b\n");
}

TEST_CASE("virtual maps: what looks alike and lies beside each other is one line, whatever the kernel merges", "[virtual]") {
  const std::string one = "00001000-00003000 rw-p 00000000 00:00 0 \n";
  CHECK(Virtual("00001000-00003000 rw-p 00000000 00:00 0 \n") == one);
  CHECK(Virtual("00001000-00002000 rw-p 00000000 00:00 0 \n00002000-00003000 rw-p 00000000 00:00 0 \n") == one);
  const std::string two = "00001000-00002000 rw-p 00000000 00:00 0 \n00002000-00003000 r--p 00000000 00:00 0 \n";
  CHECK(Virtual(two) == two);
  const std::string apart = "00001000-00002000 rw-p 00000000 00:00 0 \n00003000-00004000 rw-p 00000000 00:00 0 \n";
  CHECK(Virtual(apart) == apart);
  CHECK(Virtual("00001000-00002000 r--p 00000000 fe:00 17 /usr/a\n00002000-00003000 r--p 00001000 fe:00 17 /usr/a\n") ==
        "00001000-00003000 r--p 00000000 00:01 1                                  /usr/a\n");
  // Another place in the file, or another file of that name.
  CHECK(Virtual("00001000-00002000 r--p 00000000 fe:00 17 /usr/a\n00002000-00003000 r--p 00000000 fe:00 17 /usr/a\n").find("00002000-") != std::string::npos);
  CHECK(Virtual("00001000-00002000 r--p 00000000 fe:00 17 /usr/a\n00002000-00003000 r--p 00001000 fe:00 18 /usr/a\n").find("00002000-") != std::string::npos);
}

TEST_CASE("virtual maps: of memory only the heap and the stack have names", "[virtual]") {
  CHECK(Virtual("00004000-00005000 rw-p 00000000 00:00 0                                  [heap]\n"
                "00005000-00006000 rw-p 00000000 00:00 0                                  [heap]\n"
                "7f0000000000-7f0000001000 rw-p 00000000 00:00 0                          [anon:malloc]\n"
                "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0                          [stack]\n"
                "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]\n") ==
        "00004000-00005000 rw-p 00000000 00:00 0 \n"
        "00005000-00006000 rw-p 00000000 00:00 0                                  [heap]\n"
        "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n"
        "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0                          [stack]\n");
}

TEST_CASE("virtual maps: without the rule lines are the kernel's", "[virtual]") {
  const std::string text = "00001000-00002000 r--p 00000000 fe:00 4711                             /usr/b\n"
                           "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]\n";
  CHECK(MapsText(ParseMaps(text)) == text);
}

}  // namespace
}  // namespace tally
