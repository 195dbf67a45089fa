// TokenWalk compares two texts by three means, the cheapest that still advances: equal bytes are equal tokens
// and go by at the speed of memory; where the bytes differ, the exact rules decide token by token; and where
// they differ all the time, both sides are squeezed into a form in which equal tokens are equal bytes again.
// Only the exact rules ever say "mismatch": the other two merely move both cursors on.
#pragma once

#include <optional>

#include "checkers/cursor.h"
#include "checkers/kernels.h"
#include "checkers/tokens.h"

namespace tally {

class TokenWalk {
 public:
  TokenWalk(Cursor expected, Cursor got, const Kernel& kernel);

  // Compares from the beginning; call it once.
  std::optional<TokenMismatch> Run();

 private:
  void MatchBytes();
  void MatchSqueezed();
  void NoteResync();
  // Both cursors stand where a token begins; what lies before `matched_until` has matched.
  TokenMismatch MismatchHere(const char* matched_until, std::size_t same_bytes = 0);
  std::uint64_t CountLineFeeds(const char* until) const;

  const Kernel& kernel_;
  Cursor expected_;
  Cursor got_;
  bool in_word_ = false;  // the byte before each cursor belongs to the same word, matched so far

  // How often the bytes differed of late, and how far to squeeze before equal bytes are tried again.
  const char* window_begin_;
  int resyncs_ = 0;
  std::size_t stretch_;
};

}  // namespace tally
