// From what was translated in a run to a file for the next one (code_object.h): of one mapping, what was
// loaded for it and what the journal tells of.
//
// Theory of operation. A chain, what was emitted at one go, is taken as it lies, hot part and cold part, so
// distances within either hold; all chains together become one piece of code, and every distance that the
// journal tells of is written anew: to another translation in the piece, to a stub, or as a jump out of the
// mapping. What was loaded is one more chain, with the lists of its file in place of a journal.
//
// Left out are chains that depend on more than the bytes of their mapping: those that run off its end or jump
// out of it. With them goes what would be wrong without them: a call whose return would find no branch target
// (branch_targets.h).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "supervisor/translator/emit/branch_targets.h"
#include "supervisor/translator/emit/linker.h"
#include "supervisor/translator/emit/translator.h"
#include "supervisor/translator/guest/journal.h"
#include "supervisor/translator/persist/code_object.h"
#include "supervisor/translator/persist/loaded_code.h"

namespace tally {

class ObjectMaker {
 public:
  // What there is to know; all of it outlives the maker.
  struct Sources {
    const Journal& journal;
    const Fragments& fragments;
    const BranchTargets& branch_targets;
    const InlineCaches& inline_caches;
    const AddressMap<Trap, 0>& traps;
    const Blocks& blocks;
    const GuestCode& code;
    CodeCache* cache;
  };

  // Of [begin, end), for which `loaded` was loaded (nullptr: nothing).
  ObjectMaker(const Sources& sources, GuestPc begin, GuestPc end, const LoadedCode::Piece* loaded);

  // Before anything is made: is there enough that was translated?
  static bool MayBeWorthwhile(const Journal& journal, GuestPc begin, GuestPc end, const LoadedCode::Piece* loaded);
  // The bytes of a file; nothing where too little is new.
  std::optional<std::vector<std::uint8_t>> Make(const ObjectKey& key);

 private:
  // A chain, or what was loaded.
  struct Part {
    struct Stretch {
      HostPc begin, end;
      std::uint32_t at = 0;  // in the file's code
    };
    Stretch hot, cold;
    bool good = true;
    std::vector<Fragment> fragments;
    std::vector<GuestPc> returns;  // of calls
    std::vector<HostPc> leads_to;  // in other parts, too
  };
  struct Place {
    HostPc begin = 0, end = 0;
    Part* part = nullptr;  // nullptr: of nobody
    Part::Stretch* stretch = nullptr;
  };

  [[nodiscard]] bool IsOurs(GuestPc pc) const { return pc >= begin_ && pc < end_; }
  [[nodiscard]] std::optional<Place> Find(HostPc at);
  void Search(HostPc at);
  // Where `at` lies in the file's code; nothing where it is not in it.
  std::optional<std::uint32_t> OffsetOf(HostPc at);
  [[nodiscard]] bool DependsOnMore(const Block& block) const;
  void TakeParts(const LoadedCode::Piece* loaded);
  void TakeFragments();
  void TakeTraps();
  void TakeTrap(HostPc at, const Trap& trap);
  void TakeSites();
  void TakeLoadedSites(const LoadedCode::Piece& loaded);
  void LeaveOut();
  [[nodiscard]] bool IsWorthwhile() const;
  void LayOut();
  void WriteFragments();
  // To what does not move with the code.
  void WriteDistances(const std::vector<HostPc>& sites, std::vector<std::uint32_t>* offsets);
  void WriteSites();
  bool WritePages();
  void Lead(std::uint32_t at, std::uint32_t to);

  const Sources from_;
  GuestPc begin_, end_;
  const LoadedCode::Piece* loaded_;
  std::vector<Part> parts_;                               // the first is what was loaded, else empty
  std::vector<Place> places_;                             // ascending
  Place found_;                                           // the last; what is asked for mostly lies side by side
  std::unordered_map<HostPc, std::uint64_t> entries_at_;  // a jump's displacement, and where it leads
  std::unordered_map<HostPc, HostPc> ways_back_at_;  // of some of them, where an inline cache leads to in place of that (emit_way_back.cc)
  std::unordered_set<HostPc> ways_back_;             // where fragments for one caller begin
  std::unordered_map<HostPc, HostPc> code_at_;
  std::vector<HostPc> data_at_, controls_at_;
  std::vector<BranchTargets::BranchTarget> branch_targets_;
  struct TrapAt {
    HostPc at;
    Trap trap;
    int used;
  };
  std::vector<TrapAt> traps_;
  HostPc base_ = 0;
  CodeObjectLists<VectorOf> lists_;
};

}  // namespace tally
