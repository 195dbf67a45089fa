// The folder in which translations wait for the next run (code_object.h), one file for each mapping of code:
//   TALLY_TRANSLATION_CACHE=off            none
//   TALLY_TRANSLATION_CACHE=FOLDER         that one
//   else $TALLY_CACHE/translations; for root /var/cache/tally/translations; else ~/.cache/tally/translations
//
// The folder and its files are the user's alone (0700, 0600); one that is not is not used. A file appears
// whole or not at all. Whoever writes one makes room for it: beyond the limit the files go that were not used
// for longest. Nothing here throws: a folder that cannot be made, a full disk and a file that vanishes mean
// that something is translated again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/fd.h"
#include "base/mapping.h"
#include "base/units.h"

namespace tally {

class TranslationStore {
 public:
  // "": none.
  explicit TranslationStore(const std::string& folder, Bytes most = kMost);
  static constexpr Bytes kMost = Bytes::MiB(512);

  [[nodiscard]] bool IsOpen() const { return folder_.valid(); }
  // A file's bytes, and that it was used.
  [[nodiscard]] std::optional<Mapping> Read(const std::string& name) const;
  void Write(const std::string& name, std::span<const std::uint8_t> bytes) const;

 private:
  void MakeRoom() const;

  Fd folder_;
  Bytes most_;
};

// Where the environment says; "" for none. UserError where it says what cannot be.
std::string TranslationFolder();

}  // namespace tally
