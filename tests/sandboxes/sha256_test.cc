#include "sandboxes/sha256.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "tests/support/skip.h"

namespace tally {
namespace {

std::string Sum(std::string_view data) {
  Sha256 sum;
  sum.Update(data);
  return sum.Finish();
}

TEST_CASE("sha256: the standard's own examples", "[sha256]") {
  CHECK(Sum("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(Sum("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(Sum("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  Sha256 pieces;
  for (int i = 0; i < 1000; ++i) pieces.Update(std::string(1000, 'a'));
  CHECK(pieces.Finish() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("sha256: the processor's instructions and plain code come to the same state", "[sha256]") {
  if (!CpuHasSha256()) TALLY_SKIP("this processor has no SHA instructions; plain code alone sums here");
  std::minstd_rand random(7);
  std::string blocks(64 * 40, '\0');
  for (int round = 0; round < 1000; ++round) {
    std::generate(blocks.begin(), blocks.end(), [&] { return static_cast<char>(random()); });
    Sha256State instructions, plain;
    std::generate(plain.begin(), plain.end(), [&] { return static_cast<std::uint32_t>(random() * 3); });
    instructions = plain;
    const auto* data = reinterpret_cast<const unsigned char*>(blocks.data());
    Sha256BlocksByInstructions(&instructions, data, round % 41);
    Sha256BlocksInPlainCode(&plain, data, round % 41);
    REQUIRE(instructions == plain);
  }
}

TEST_CASE("sha256: a sum does not depend on the pieces in which it is fed", "[sha256]") {
  std::minstd_rand random(8);
  std::string text(1000, '\0');
  std::generate(text.begin(), text.end(), [&] { return static_cast<char>(random()); });
  for (int round = 0; round < 500; ++round) {
    const std::string_view whole(text.data(), random() % text.size());
    Sha256 pieces;
    for (std::string_view rest = whole; !rest.empty();) {
      const std::size_t size = std::min<std::size_t>(rest.size(), random() % 150);
      pieces.Update(rest.substr(0, size));
      rest.remove_prefix(size);
    }
    REQUIRE(pieces.Finish() == Sum(whole));
  }
}

}  // namespace
}  // namespace tally
