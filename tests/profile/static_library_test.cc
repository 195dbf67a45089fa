// Whose function it is: by the archives that programs are linked with.
#include "profile/hotspots/static_library.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

std::string Member(const std::string& name, const std::string& text) {
  return fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", name, 0, 0, 0, 644, text.size()) + text + (text.size() % 2 != 0 ? "\n" : "");
}

// Two symbols and two objects, one of which has a long name.
std::string SampleArchive() {
  const std::string symbols = std::string("\0\0\0\2\0\0\0\0\0\0\0\0", 12) + std::string("malloc\0free\0", 12);
  return "!<arch>\n" + Member("/", symbols) + Member("//", "first.o/\nof_a_long_name.o/\n") + Member("malloc.o/", "odd") + Member("/9", "");
}

StaticLibrary Library(const std::string& archive) {
  return {"libc", std::span(reinterpret_cast<const std::uint8_t*>(archive.data()), archive.size())};
}

TEST_CASE("static library: a global function is told by its name, a local one by its object", "[hotspots]") {
  const StaticLibrary library = Library(SampleArchive());
  CHECK(library.name() == "libc");
  CHECK(library.Has({.name = "free", .object = ""}));
  CHECK_FALSE(library.Has({.name = "solve", .object = ""}));
  CHECK(library.Has({.name = "_int_malloc", .object = "malloc.o"}));
  CHECK(library.Has({.name = "helper", .object = "of_a_long_name.o"}));
  CHECK_FALSE(library.Has({.name = "free", .object = "solution.c"}));  // its own, which only it sees
}

TEST_CASE("static library: of one that is cut off what is left is known, and nothing is read beyond it", "[hotspots]") {
  const std::string whole = SampleArchive();
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const StaticLibrary library = Library(std::string(whole, 0, length));
    CHECK_FALSE(library.Has({.name = "solve", .object = ""}));
  }
  const std::string many = "!<arch>\n" + Member("/", "\xff\xff\xff\xff");
  CHECK_FALSE(Library(many).Has({.name = "malloc", .object = ""}));
}

TEST_CASE("static library: this machine's C library has scanf and its parts", "[hotspots]") {
  const auto libraries = StaticLibrariesOfThisMachine();
  if (libraries.empty()) TALLY_SKIP("this machine has no libc.a");
  CHECK(libraries.front().name() == "libc");
  CHECK(libraries.front().Has({.name = "scanf", .object = ""}));
  CHECK(libraries.front().Has({.name = "_int_malloc", .object = "malloc.o"}));
}

TEST_CASE("static library: what a program loads is known by its file's name", "[hotspots]") {
  CHECK(LibraryOfFile("libc.so.6") == "libc");
  CHECK(LibraryOfFile("libc-2.31.so") == "libc");
  CHECK(LibraryOfFile("libm.so.6") == "libm");
  CHECK(LibraryOfFile("libcrypto.so.3").empty());
  CHECK(LibraryOfFile("libstdc++.so.6").empty());
}

}  // namespace
}  // namespace tally
