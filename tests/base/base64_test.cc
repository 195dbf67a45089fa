#include "base/base64.h"

#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("base64: the examples of RFC 4648, there and back", "[base64]") {
  const std::pair<const char*, const char*> examples[] = {{"", ""},         {"f", "Zg=="},         {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},  {"foob", "Zm9vYg=="},  {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : examples) {
    CHECK(EncodeBase64(bytes) == text);
    CHECK(DecodeBase64(text) == bytes);
  }
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  CHECK(DecodeBase64(EncodeBase64(all)) == all);
}

TEST_CASE("base64: what is none is refused, not guessed", "[base64]") {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "Z=g=", "Zg==Zg==", "Zm9v\n", "Zm9-", "Zh==", "===="}) {
    CAPTURE(text);
    CHECK_FALSE(DecodeBase64(text).has_value());
  }
}

}  // namespace
}  // namespace tally
