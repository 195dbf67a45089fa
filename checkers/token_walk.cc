#include "checkers/token_walk.h"

#include <algorithm>

#include "checkers/squeezed_side.h"

namespace tally {
namespace {

// So many differences in a row decide whether it is time to squeeze.
constexpr int kWindowResyncs = 16;

// A stretch doubles while the bytes keep differing: leaving one costs a chunk's work.
constexpr std::size_t kFirstStretch = std::size_t{64} << 10;
constexpr std::size_t kLongestStretch = std::size_t{4} << 20;

Token TakeToken(Cursor& cursor) {
  if (cursor.AtEnd()) return {Token::Kind::kEndOfFile, {}};
  if (cursor.AtLineFeed()) return {Token::Kind::kEndOfLine, {}};
  const char* const begin = cursor.at();
  cursor.SkipWord();
  return {Token::Kind::kWord, {begin, static_cast<std::size_t>(cursor.at() - begin)}};
}

}  // namespace

TokenWalk::TokenWalk(Cursor expected, Cursor got, const Kernel& kernel)
    : kernel_(kernel),
      expected_(expected),
      got_(got),
      window_begin_(expected.at()),
      stretch_(kFirstStretch) {}

std::optional<TokenMismatch> TokenWalk::Run() {
  for (;;) {
    MatchBytes();
    if (in_word_ && (expected_.AtWord() || got_.AtWord())) {
      // The word goes on on one side only, or differently. So far it was the same, so it has one length.
      const char* const differ_at = expected_.at();
      expected_.BackToWordStart();
      const auto same_bytes = static_cast<std::size_t>(differ_at - expected_.at());
      got_.MoveTo(got_.at() - same_bytes);
      return MismatchHere(expected_.at(), same_bytes);
    }
    in_word_ = false;
    expected_.SkipBlanks();
    got_.SkipBlanks();
    if (expected_.AtEnd() || got_.AtEnd()) {
      const char* const matched_until = expected_.at();
      expected_.SkipBlanksAndLineFeeds();
      got_.SkipBlanksAndLineFeeds();
      if (expected_.AtEnd() && got_.AtEnd()) return std::nullopt;
      return MismatchHere(matched_until);
    }
    // Now each side is at a word or at an LF.
    if (*expected_.at() != *got_.at()) return MismatchHere(expected_.at());
    NoteResync();
  }
}

// Equal bytes have equal meaning as long as both sides agree on what came before, which they do here.
void TokenWalk::MatchBytes() {
  for (;;) {
    const std::size_t size = std::min({expected_.left(), got_.left(), kSliceBytes});
    const std::size_t same = kernel_.common_prefix(expected_.at(), got_.at(), size);
    if (same == 0) return;
    expected_.Advance(same);
    got_.Advance(same);
    in_word_ = IsWord(expected_.at()[-1]);
    if (same != size) return;
  }
}

void TokenWalk::NoteResync() {
  if (++resyncs_ < kWindowResyncs) return;
  if (expected_.at() - window_begin_ < kWindowResyncs * kernel_.squeeze_below) {
    MatchSqueezed();
    stretch_ = std::min(stretch_ * 2, kLongestStretch);
  } else {
    stretch_ = kFirstStretch;
  }
  resyncs_ = 0;
  window_begin_ = expected_.at();
}

void TokenWalk::MatchSqueezed() {
  const char* const stop = expected_.at() + std::min(stretch_, expected_.left());
  SqueezedSide expected(expected_, in_word_, kernel_);
  SqueezedSide got(got_, in_word_, kernel_);
  while (expected_.at() < stop) {
    const std::string_view a = expected.Available();
    const std::string_view b = got.Available();
    const std::size_t size = std::min(a.size(), b.size());
    if (size == 0) break;
    const std::size_t same = kernel_.common_prefix(a.data(), b.data(), size);
    expected.Take(same);
    got.Take(same);
    if (same != size) break;
  }
  in_word_ = expected.InWord();
  expected.MoveCursorBack();
  got.MoveCursorBack();
}

// The rest happens once per comparison, but on texts that may be larger than memory: these loops, too, read
// through cursors, slice by slice.
TokenMismatch TokenWalk::MismatchHere(const char* matched_until, std::size_t same_bytes) {
  return {1 + CountLineFeeds(matched_until), TakeToken(expected_), TakeToken(got_), same_bytes};
}

std::uint64_t TokenWalk::CountLineFeeds(const char* until) const {
  Cursor cursor = expected_;
  cursor.MoveTo(cursor.begin());
  std::uint64_t count = 0;
  while (cursor.at() != until) {
    const std::size_t size = std::min(static_cast<std::size_t>(until - cursor.at()), kSliceBytes);
    count += kernel_.count_line_feeds(cursor.at(), size);
    cursor.Advance(size);
  }
  return count;
}

}  // namespace tally
