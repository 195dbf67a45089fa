// gzip (RFC 1952), from one file into another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tally::filetracker {

struct Sums {
  std::uint64_t size = 0;  // of what is not compressed
  std::string sha256;
};

// Both read `from` from its beginning. SystemError: what is no gzip, or is cut off; what cannot be written.
Sums Compress(int from, int to);
// `most`: bytes of what comes out; more is damaged.
Sums Decompress(int from, int to, std::optional<std::uint64_t> most);
// What is not compressed, likewise.
Sums Copy(int from, int to);

}  // namespace tally::filetracker
