// SHA-256 (FIPS 180-4), fed piece by piece. Ours, because no other part of Tally needs a cryptographic
// library and an archive is summed once in its life.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sandboxes/sha256_blocks.h"

namespace tally {

class Sha256 {
 public:
  void Update(std::string_view data);
  // 64 lower-case hexadecimal digits. Ends the sum.
  std::string Finish();

 private:
  Sha256State state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace tally
