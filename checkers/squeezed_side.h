// SqueezedSide reads a cursor's text in its squeezed form (kernels.h), a chunk at a time, and can say which
// place of the original text a squeezed byte stands for.
#pragma once

#include <array>
#include <string_view>

#include "checkers/cursor.h"
#include "checkers/kernels.h"

namespace tally {

class SqueezedSide {
 public:
  // `in_word`: the byte before the cursor belongs to a word.
  SqueezedSide(Cursor& cursor, bool in_word, const Kernel& kernel) : cursor_(cursor), kernel_(kernel) {
    state_.in_word = in_word;
    chunk_state_ = state_;
    chunk_begin_ = word_end_ = cursor.at();
  }

  // The squeezed bytes not yet taken. Empty only at the end of the text.
  std::string_view Available();
  void Take(std::size_t bytes) { taken_ += bytes; }

  // Whether the last byte taken belongs to a word.
  [[nodiscard]] bool InWord() const;
  // Moves the cursor from the end of the chunk back to the place right after the last byte taken.
  void MoveCursorBack();

 private:
  static constexpr std::size_t kChunkBytes = 4096;  // both sides stay in the first-level cache

  Cursor& cursor_;  // stands at the end of the chunk
  const Kernel& kernel_;
  SqueezeState state_;

  const char* chunk_begin_;
  SqueezeState chunk_state_;  // at its beginning
  const char* word_end_;      // where the blanks began, while chunk_state_.pending
  std::size_t size_ = 0;
  std::size_t taken_ = 0;
  std::array<char, kChunkBytes + 1 + kSqueezeSlack> squeezed_;
};

}  // namespace tally
