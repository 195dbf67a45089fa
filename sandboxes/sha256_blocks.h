// What SHA-256 does with each 64 bytes (FIPS 180-4, 6.2.2): by the processor's own instructions where it has them (Intel SHA extensions,
// 2013; AMD since Zen), ten times as fast, or in plain C++.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tally {

using Sha256State = std::array<std::uint32_t, 8>;

// `count` blocks of 64 bytes each.
void Sha256Blocks(Sha256State* state, const unsigned char* blocks, std::size_t count);

// The two, for their test.
bool CpuHasSha256();
void Sha256BlocksByInstructions(Sha256State* state, const unsigned char* blocks, std::size_t count);
void Sha256BlocksInPlainCode(Sha256State* state, const unsigned char* blocks, std::size_t count);

}  // namespace tally
