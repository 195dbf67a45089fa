// The bytes of one HTTP/1.1 request, read as far as a small server needs. Pure: the caller gathers bytes and asks
// again. What is not supported is refused with a status, never guessed: no chunked bodies, no folded headers, no two
// lengths.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tally {

struct HttpLimits {
  std::size_t head = 8 << 10;  // bytes of the request line and headers
  std::size_t body = 16 << 20;
};

struct HttpRequest {
  std::string method, target;
  std::string content_type;  // lower case, without parameters
  std::string body;
  bool keep_alive = true;
};

struct HttpParse {
  enum class State { kIncomplete, kComplete, kRefused };
  State state = State::kIncomplete;
  HttpRequest request;          // of kComplete
  std::size_t size = 0;         // of kComplete: how many bytes it took
  bool wants_continue = false;  // of kIncomplete: the client waits for "100 Continue" before it sends its body
  int status = 400;             // of kRefused
  std::string reason;           // of kRefused, for the client
};

HttpParse ParseHttpRequest(std::string_view bytes, const HttpLimits& limits);

}  // namespace tally
