// What of a code space comes from earlier runs, and what of it is kept for later ones (code_object.h, base/file_cache.h).
//
// Theory of operation. TakeMapping is told of each mapping when it becomes executable, and loads what there
// is for it. From then on the journal notes what is translated. After the run Keep makes files of it, mapping
// by mapping, where enough is new. A mapping is left alone, at both ends, if the program may write it or a
// neighbour became one with it; once translations were forgotten nothing of the code space is kept.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/file_cache.h"
#include "supervisor/translator/guest/journal.h"
#include "supervisor/translator/persist/loaded_code.h"
#include "supervisor/translator/persist/object_maker.h"

namespace tally {

struct TranslatedRun;

class TranslationCache {
 public:
  struct Parts {
    GuestCode* code;
    CodeCache* cache;
    Blocks* blocks;
    Linker* linker;
    BranchTargets* branch_targets;
    InlineCaches* inline_caches;
    Fragments* fragments;
    AddressMap<Trap, 0>* traps;
  };

  TranslationCache(const Parts& parts, const TranslatedRun& run);
  TranslationCache(const TranslationCache&) = delete;
  TranslationCache& operator=(const TranslationCache&) = delete;

  [[nodiscard]] Journal* journal() { return forgotten_ ? nullptr : &journal_; }
  // True: translations were loaded that are to be published.
  bool TakeMapping(GuestPc begin, GuestPc end);
  [[nodiscard]] std::optional<Fragment> FragmentAt(HostPc at) const { return loaded_.FragmentAt(at); }
  [[nodiscard]] const object::Trap* TrapAt(HostPc at) const { return loaded_.TrapAt(at); }
  // All translations are.
  void Forget();
  void Keep();
  // Of the mappings it was told of, where they begin and end now; none once translations were forgotten. Of a library whose data lies in
  // the same segment of its file as its code, the dynamic linker maps all and then the data anew.
  [[nodiscard]] std::vector<std::pair<GuestPc, GuestPc>> Mappings() const;
  // All translations were forgotten, and from now on they are made otherwise (TranslationKey).
  void BeginAnew();

 private:
  struct Taken {
    GuestPc begin, end;
    std::optional<ObjectKey> key;  // not where it reaches beyond its file, or has become one with a neighbour
  };
  [[nodiscard]] std::optional<ObjectKey> KeyOf(GuestPc begin, GuestPc end) const;
  void HangIn(const LoadedCode::Piece& piece);

  Parts parts_;
  const TranslatedRun& run_;
  ObjectKey key_;
  Journal journal_;
  LoadedCode loaded_;
  std::vector<Taken> taken_;
  bool forgotten_ = false;
};

// What decides how any code is translated, this executable of ours included.
ObjectKey TranslationKey(const TranslatedRun& run);

}  // namespace tally
