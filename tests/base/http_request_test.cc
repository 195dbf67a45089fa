// The bytes of HTTP requests: those that clients send, in any pieces, and those that nobody should.
#include "base/http_request.h"

#include "tests/support/catch.h"

namespace tally {
namespace {

using State = HttpParse::State;

const std::string kPost =
    "POST /v1/deliveries HTTP/1.1\r\nHost: x\r\ncontent-TYPE:  Application/JSON; charset=utf-8 \r\nContent-Length: "
    "5\r\n\r\nhello";

HttpParse Parse(const std::string& bytes, const HttpLimits& limits = {}) { return ParseHttpRequest(bytes, limits); }

int Refusal(const std::string& bytes, const HttpLimits& limits = {}) {
  const HttpParse parse = Parse(bytes, limits);
  return parse.state == State::kRefused ? parse.status : 0;
}

TEST_CASE("http: a request arrives with its body and says how long it was", "[http]") {
  const HttpParse parse = Parse(kPost + "GET /");
  REQUIRE(parse.state == State::kComplete);
  CHECK(parse.request.method == "POST");
  CHECK(parse.request.target == "/v1/deliveries");
  CHECK(parse.request.content_type == "application/json");
  CHECK(parse.request.body == "hello");
  CHECK(parse.request.keep_alive);
  CHECK(parse.size == kPost.size());
}

TEST_CASE("http: in whatever pieces it comes, it is incomplete until its last byte", "[http]") {
  for (std::size_t size = 0; size < kPost.size(); ++size) {
    CAPTURE(size);
    CHECK(Parse(kPost.substr(0, size)).state == State::kIncomplete);
  }
}

TEST_CASE("http: a client that waits for permission to send its body is seen once it waits", "[http]") {
  const std::string head = "POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n";
  CHECK(Parse(head).wants_continue);
  CHECK_FALSE(Parse(head + "a").wants_continue);
  CHECK(Refusal("GET / HTTP/1.1\r\nExpect: miracles\r\n\r\n") == 417);
}

TEST_CASE("http: who closes says so, or speaks 1.0", "[http]") {
  CHECK_FALSE(Parse("GET / HTTP/1.0\r\n\r\n").request.keep_alive);
  CHECK(Parse("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").request.keep_alive);
  CHECK_FALSE(Parse("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").request.keep_alive);
}

TEST_CASE("http: what is no request is refused", "[http]") {
  for (const char* bytes :
       {"\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET x HTTP/1.1\r\n\r\n",
        "GET  HTTP/1.1\r\n\r\n", "G@T / HTTP/1.1\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n",
        "GET / HTTP/1.1\r\nA: 1\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\nA : 1\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length:\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        "GET / HTTP/1.1\r\nA: \x01\r\n\r\n"}) {
    CAPTURE(bytes);
    CHECK(Refusal(bytes) == 400);
  }
  CHECK(Refusal("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n") == 411);
}

TEST_CASE("http: too much is refused before it is here", "[http]") {
  const HttpLimits small{.head = 64, .body = 4};
  CHECK(Refusal("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n", small) == 413);
  CHECK(Refusal("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", small) == 413);
  CHECK(Refusal("GET / HTTP/1.1\r\nA: " + std::string(64, 'a'), small) == 431);
  CHECK(Refusal(std::string(65, 'a'), small) == 431);
  CHECK(Parse("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd", small).state == State::kComplete);
}

}  // namespace
}  // namespace tally
