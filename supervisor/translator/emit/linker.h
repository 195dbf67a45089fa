// Which translation goes to which: entries by guest address and pending count, the jumps that wait for an entry to be
// made, and stubs that stand in for it.
//
// Nothing leads into new code before it is complete, for another task may execute the jump that is patched: patches
// wait until Publish, which makes those within new code first.
//
// A jump to code that is not translated yet goes to a stub (code_cache.h), which traps; when the program gets there the
// supervisor translates, and every jump that waited is patched. So only what is executed is translated, plus a little
// ahead (translator.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "supervisor/translator/cache/arena.h"
#include "supervisor/translator/cache/code_cache.h"
#include "supervisor/translator/emit/blocks.h"
#include "supervisor/translator/guest/journal.h"
#include "supervisor/x86/decode.h"

namespace tally {

// A translation: of a guest address, entered with so many instructions executed but not yet counted, or counted but not
// yet executed if negative, and with r11 lent (translator.h) or not.
struct Entry {
  static constexpr int kMostPending = 200;
  static constexpr int kLeastPending = -50;
  // Nothing is pending, and the program is near the end of its turn: the fragment ends it where one may end (translator.h).
  static constexpr int kNearEnd = 205;
  static_assert(kNearEnd > kMostPending && kNearEnd - kLeastPending <= 0xff);

  GuestPc pc = 0;
  int pending = 0;
  bool lent = false;

  [[nodiscard]] bool near_end() const { return pending == kNearEnd; }
  [[nodiscard]] int uncounted() const { return near_end() ? 0 : pending; }

  [[nodiscard]] std::uint64_t key() const {
    return pc << 9 | std::uint64_t{lent} << 8 | static_cast<std::uint8_t>(pending - kLeastPending);
  }
  static Entry FromKey(std::uint64_t key) {
    const auto pc = static_cast<GuestPc>(static_cast<std::int64_t>(key) >> 9);  // of the kernel's half, too
    return {pc, static_cast<int>(key & 0xff) + kLeastPending, (key >> 8 & 1) != 0};
  }
};

class Linker {
 public:
  Linker(CodeCache* cache, Blocks* blocks, Pool* pool) : cache_(cache), blocks_(blocks), storage_(pool) {}

  void SetJournal(Journal* journal) { journal_ = journal; }

  [[nodiscard]] std::optional<HostPc> Find(Entry entry) const;
  // Has anything been linked to `entry`, or is it made?
  [[nodiscard]] bool Knows(Entry entry) const;
  // `entry` now begins at `at`: all who waited go there.
  void Define(Entry entry, HostPc at);
  // A translation that began with a trap for some time goes on from there again.
  void Revive(Destination* destination) { Arrive(destination, destination->at); }
  // The jump whose displacement lies at `displacement_at` is to go to `entry`.
  void Link(HostPc displacement_at, Entry entry);
  // Code that was not emitted here (loaded_code.h) has a translation of `block`, or else a stub at `at` where the jumps
  // with displacements at `waiting` wait for one.
  void Adopt(Block* block, Entry entry, HostPc at, bool translated, const std::vector<HostPc>& waiting);
  // Stubs in `region` for every entry that is waited for and has none.
  void MakeStubs(CodeCache::Region* region);

  void Patch(HostPc displacement_at, HostPc to);
  void PatchNow(HostPc displacement_at, HostPc to);
  // `old`: the code region as it was before the new code was emitted into it.
  void Publish(const CodeCache::Region& old);
  void Clear();
  // Of memory that is not the pool's.
  [[nodiscard]] std::size_t Bytes() const { return sites_.capacity() * sizeof(Site); }

 private:
  struct Site {
    HostPc displacement_at;
    std::uint32_t next;
  };
  struct Displacement {
    HostPc at;
    std::int32_t value;
  };
  void Arrive(Destination* destination, HostPc at);
  void Await(Destination* destination, HostPc displacement_at);
  void PatchLater(HostPc displacement_at, HostPc to) { patches_.push_back(DisplacementTo(displacement_at, to)); }
  Displacement DisplacementTo(HostPc at, HostPc to);
  HostPc ThunkFor(HostPc to, CodeCache::Region* region);
  void Write(Displacement displacement);
  [[nodiscard]] static Destination* Search(Block* block, Entry entry);
  Destination* Of(Block* block, Entry entry);
  Destination* Of(Entry entry) { return Of(blocks_->Known(entry.pc), entry); }
  // The last of those that wait; 0: nobody does.
  std::uint32_t PatchAll(const Destination& destination);

  CodeCache* cache_;
  Blocks* blocks_;
  Journal* journal_ = nullptr;
  Arena<Destination> storage_;
  std::array<std::unordered_map<HostPc, HostPc>, CodeCache::kRegions> thunks_;  // in each code region, by where they lead
  std::vector<Displacement> patches_;
  std::vector<Site> sites_{{}};  // the first stands for none
  std::uint32_t free_ = 0;       // a list of sites that nobody waits at any more
  std::vector<Entry> without_stub_;
};

}  // namespace tally
