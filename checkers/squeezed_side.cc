#include "checkers/squeezed_side.h"

#include <algorithm>

namespace tally {

std::string_view SqueezedSide::Available() {
  while (taken_ == size_ && !cursor_.AtEnd()) {
    // Where the blanks at the end of the chunk began, unless they go on from a chunk before.
    if (state_.pending && (size_ > 0 || !chunk_state_.pending)) {
      word_end_ = cursor_.at();
      while (IsBlank(word_end_[-1])) --word_end_;
    }
    chunk_begin_ = cursor_.at();
    chunk_state_ = state_;
    const std::size_t bytes = std::min(cursor_.left(), kChunkBytes);
    size_ = kernel_.squeeze(state_, chunk_begin_, bytes, squeezed_.data());
    taken_ = 0;
    cursor_.Advance(bytes);
  }
  return {squeezed_.data() + taken_, size_ - taken_};
}

bool SqueezedSide::InWord() const {
  if (taken_ > 0) return IsWord(squeezed_[taken_ - 1]);
  return chunk_state_.in_word || chunk_state_.pending;
}

void SqueezedSide::MoveCursorBack() {
  if (taken_ == 0) {  // the last byte taken lies before this chunk
    cursor_.MoveTo(chunk_state_.pending ? word_end_ : chunk_begin_);
    return;
  }
  // The squeeze once more, byte by byte, until as many bytes have come out.
  SqueezeState state = chunk_state_;
  const char* at = chunk_begin_;
  for (std::size_t emitted = 0; emitted < taken_; ++at) {
    switch (ClassOf(*at)) {
      case ByteClass::kBlank:
        state = {false, state.pending || state.in_word};
        break;
      case ByteClass::kLineFeed:
        state = {};
        ++emitted;
        break;
      case ByteClass::kWord:
        if (state.pending && ++emitted == taken_) {  // the separator was the last: stay before the word
          cursor_.MoveTo(at);
          return;
        }
        state = {true, false};
        ++emitted;
        break;
    }
  }
  cursor_.MoveTo(at);
}

}  // namespace tally
