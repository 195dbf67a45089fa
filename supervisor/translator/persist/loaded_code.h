// Translations of earlier runs, in the code cache of this one.
//
// Theory of operation. When a mapping becomes executable and there is a file for it (code_object.h) whose
// bytes are the mapping's, its code is copied behind what is translated already, its distances are corrected,
// and its branch targets are hung into their chains: from then on the program runs there as if it had been
// translated just now. All else waits until it is asked for. A block that somebody asks for is told of its
// translations then (Adopt), a place in the code is decoded when a signal falls there (FragmentAt), or a trap of ours (TrapAt). So what a
// start costs grows with what is in the file, but by nanoseconds. Jumps into a mapping that is not there yet
// stand at stubs, as always.
//
// When translations are forgotten, these are forgotten with them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/mapping.h"
#include "supervisor/translator/cache/code_cache.h"
#include "supervisor/translator/emit/blocks.h"
#include "supervisor/translator/emit/linker.h"
#include "supervisor/translator/emit/fragments.h"
#include "supervisor/translator/persist/code_object.h"

namespace tally {

class LoadedCode {
 public:
  struct Piece {
    Mapping file;
    CodeObject object;  // of that file
    HostPc base = 0;
    HostPc stubs = 0;

    [[nodiscard]] HostPc At(std::uint32_t offset) const { return base + offset; }
    [[nodiscard]] bool Holds(HostPc at) const { return at >= base && at < base + object.code.size(); }
  };

  LoadedCode(const CodeCache* cache, Blocks* blocks, Linker* linker) : cache_(cache), blocks_(blocks), linker_(linker) {}

  // Is the program's memory what the translations were made from?
  static bool Matches(const CodeObject& object, const GuestCode& code);
  // Copies the code into `region`; nullptr where there is no room. Its branch targets are the caller's to
  // hang in, and its jumps out of the mapping are linked; nothing leads to it before all that is published.
  const Piece* Load(Mapping file, const CodeObject& object, CodeCache::Region* region);
  // Blocks that are known already learn of what was loaded.
  void AdoptKnown(const Piece& piece);

  void Adopt(Block* block) const;
  [[nodiscard]] std::optional<Fragment> FragmentAt(HostPc at) const;
  // nullptr: none was there when it was kept.
  [[nodiscard]] const object::Trap* TrapAt(HostPc at) const;
  [[nodiscard]] const Piece* Of(GuestPc begin) const;
  void Clear() { pieces_.clear(); }

 private:
  [[nodiscard]] const Piece* Holding(HostPc at) const;
  void Adopt(Block* block, const Piece& piece) const;
  bool CorrectData(const CodeObject& object, HostPc base, std::uint8_t* code) const;

  const CodeCache* cache_;
  Blocks* blocks_;
  Linker* linker_;
  std::vector<Piece> pieces_;
};

}  // namespace tally
