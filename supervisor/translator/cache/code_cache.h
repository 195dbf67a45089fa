// Where translated code lies: code regions of memory that the supervisor writes and the program executes.
//
// Theory of operation. An instruction that addresses memory relative to itself is copied with a new displacement; 32
// bits reach 2 GiB. So each neighbourhood of guest code (the executable, and far from it the dynamic linker with the
// libraries) gets a code region within that reach, and no data access ever needs another register. A code region has a hot part,
// code in the order it was first reached, a cold part for what is seldom executed: literals, thunks, and a part for
// stubs (linker.h), each a trapping byte and a word that says what it stands for.
//
// The supervisor's mapping is writable, the program's readable and executable; both are the same memfd.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/shared_memory.h"
#include "supervisor/translator/cache/control_area.h"
#include "supervisor/x86/decode.h"

namespace tally {

class CodeCache {
 public:
  static constexpr std::uint64_t kRegionSize = 64ULL << 20;
  static constexpr std::uint64_t kHotSize = 44ULL << 20;
  static constexpr std::uint64_t kColdSize = 12ULL << 20;
  static constexpr std::uint64_t kStubs = kHotSize + kColdSize;
  static constexpr std::uint64_t kStubSize = 16;
  static constexpr std::size_t kRegions = 6;
  // What one translation may add to any part of a code region: a chain of blocks (Translator::Emit) ends with a stub after so much,
  // and no block's code is longer than a fragment. A code region is nearly full while there is still room for several of them, so that
  // it is full at no time but when translations are forgotten.
  static constexpr std::uint64_t kLongestFragment = 4 << 10;
  static constexpr std::uint64_t kLongestChain = 64 << 10;
  static constexpr std::uint64_t kMargin = 1 << 20;
  static_assert(8 * (kLongestChain + kLongestFragment) <= kMargin);
  static constexpr std::size_t kFirstRegions = 3;  // the most that a program begins with: its own, its loader's, the vDSO's

  struct Region {
    HostPc base = 0;
    std::uint8_t* ours = nullptr;
    std::uint64_t offset = 0;  // in the shared memory
    HostPc hot = 0;            // where the next hot byte goes
    HostPc cold = 0;
    HostPc stubs = 0;
    HostPc full = 0;  // for hot code

    [[nodiscard]] bool Contains(HostPc at) const { return at >= base && at < base + kRegionSize; }
    [[nodiscard]] bool IsNearlyFull() const;
    // For so many bytes, and still not nearly full?
    [[nodiscard]] bool HasRoom(std::uint64_t hot_bytes, std::uint64_t stub_bytes) const;
    // Each takes bytes off its part. There is room (kMargin); without it they throw, and nothing is ever written elsewhere.
    std::uint8_t* ClaimHot(std::uint64_t size) { return Claim(&hot, size, base + kHotSize - kOverCopied); }
    std::uint8_t* ClaimCold(std::uint64_t size) { return Claim(&cold, size, base + kStubs - kOverCopied); }
    HostPc AddStub(std::uint64_t word);

   private:
    // Instructions are copied with as many bytes as the longest has (Emitter::Copy).
    static constexpr std::uint64_t kOverCopied = kLongestInstruction;
    std::uint8_t* Claim(HostPc* at, std::uint64_t size, HostPc end) {
      if (*at + size > end) Overrun();
      std::uint8_t* const claimed = ours + (*at - base);
      *at += size;
      return claimed;
    }
    [[noreturn]] static void Overrun();
  };

  // `memory` begins with kSize bytes for it. A code region is nearly full after `region_bytes` of
  // hot code, at most kHotSize without room for one more translation.
  CodeCache(const SharedMemory* memory, std::uint64_t region_bytes) : memory_(memory), region_bytes_(region_bytes) {}
  static constexpr std::uint64_t kSize = kRegions * kRegionSize;

  // Where a code region for code at `pc` would have to lie.
  static HostPc PlaceFor(GuestPc pc);
  // Does a code region at `base` reach the neighbourhood of `pc`?
  static bool IsNear(HostPc base, GuestPc pc);
  Region& AddRegion(HostPc base);
  // The code region whose code reaches `pc`'s neighbourhood; nullptr: there is none yet.
  Region* Near(GuestPc pc);
  // Can code at `pc`, translated, address `data` relative to itself?
  bool Reaches(GuestPc pc, GuestPc data);
  [[nodiscard]] const Region* Holding(HostPc at) const;
  // The word of the stub at `at`; nothing where there is no stub.
  [[nodiscard]] std::optional<std::uint64_t> StubWord(HostPc at) const;
  // Our view of a host address; it must be in a code region.
  std::uint8_t* Ours(HostPc at);
  // Copies `code` to `at` in `region`, where nothing is yet: our view of it.
  std::uint8_t* CopyIn(const Region& region, HostPc at, std::span<const std::uint8_t> code) const;
  [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }
  [[nodiscard]] std::uint64_t UsedBytes() const;
  void Empty();  // forgets all code; code regions stay where they are

 private:
  const SharedMemory* memory_;
  std::uint64_t region_bytes_;
  std::vector<Region> regions_;
};

}  // namespace tally
