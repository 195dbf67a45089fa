// Netstrings (https://cr.yp.to/proto/netstrings.txt): LENGTH:BYTES, one behind the other, as they come over a socket.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tally {

std::string Netstring(std::string_view text);

class Netstrings {
 public:
  explicit Netstrings(std::size_t longest) : longest_(longest) {}

  void Add(std::string_view bytes) { bytes_ += bytes; }
  // The next that is whole. UserError: what came is no netstring, or too long; then nothing that follows makes sense.
  std::optional<std::string> Take();

 private:
  std::size_t longest_;
  std::string bytes_;
};

}  // namespace tally
