// Which translation goes to which: entries by guest address and pending count, the jumps that wait for an entry to be
// made, and stubs that stand in for it.
//
// Nothing leads into new code before it is complete, for another task may execute the jump that is patched: patches
// wait until Publish, which makes those within new code first.
//
// A jump to code that is not translated yet goes to a stub, one trapping byte; when the program gets there the
// supervisor translates, and every jump that waited is patched. So only what is executed is translated, plus a little
// ahead (translator.h).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "supervisor/translator/code_cache.h"
#include "supervisor/translator/decode.h"

namespace tally {

// A translation: of a guest address, entered with so many instructions executed but not yet counted.
struct Entry {
  static constexpr std::uint32_t kMostPending = 200;

  GuestPc pc = 0;
  std::uint32_t pending = 0;

  [[nodiscard]] std::uint64_t key() const { return pc << 8 | pending; }
  static Entry FromKey(std::uint64_t key) { return {key >> 8, static_cast<std::uint32_t>(key & 0xff)}; }
};

class Linker {
 public:
  explicit Linker(CodeCache* cache) : cache_(cache) {}

  [[nodiscard]] std::optional<HostPc> Find(Entry entry) const;
  [[nodiscard]] bool IsWanted(Entry entry) const { return waiting_.contains(entry.key()); }
  // `entry` now begins at `at`: all who waited go there.
  void Define(Entry entry, HostPc at);
  // The jump whose displacement lies at `displacement_at` is to go to `entry`.
  void Link(HostPc displacement_at, Entry entry);
  // A stub for every entry that is waited for and has none. `new_stub` emits one and returns where.
  template <typename NewStub>
  void MakeStubs(NewStub new_stub) {
    for (const std::uint64_t key : without_stub_) {
      const auto found = waiting_.find(key);
      if (found == waiting_.end() || stubs_.contains(key)) continue;
      const HostPc stub = new_stub(Entry::FromKey(key));
      stubs_.emplace(key, stub);
      for (const HostPc site : found->second) Patch(site, stub);
    }
    without_stub_.clear();
  }
  // Entries linked to since the last call, oldest first: what to translate ahead.
  std::vector<Entry> TakeWanted();

  void Patch(HostPc displacement_at, HostPc to);
  void PatchNow(HostPc displacement_at, HostPc to);
  // `old`: the zone as it was before the new code was emitted into it.
  void Publish(const CodeCache::Zone& old);
  void Clear();

 private:
  struct Displacement {
    HostPc at;
    std::int32_t value;
  };
  Displacement DisplacementTo(HostPc at, HostPc to);
  void Write(Displacement displacement);

  CodeCache* cache_;
  std::vector<Displacement> waiting_patches_;
  std::unordered_map<std::uint64_t, HostPc> made_;
  std::unordered_map<std::uint64_t, std::vector<HostPc>> waiting_;
  std::unordered_map<std::uint64_t, HostPc> stubs_;
  std::vector<std::uint64_t> without_stub_;
  std::vector<Entry> wanted_;
};

}  // namespace tally
