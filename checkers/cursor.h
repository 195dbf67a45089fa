// Cursor is one side of a comparison: a text and how far it has been read. It tells a PagesBehind what has
// been read for good, so that a mapped file of any size is compared in constant memory.
#pragma once

#include <cstddef>
#include <string_view>

#include "checkers/byte_class.h"

namespace tally {

class PagesBehind {
 public:
  virtual ~PagesBehind() = default;
  virtual void Passed(std::string_view text) = 0;
};

// No loop of a comparison reads further than this without moving its cursor.
inline constexpr std::size_t kSliceBytes = std::size_t{2} << 20;
// So much before a cursor is not yet passed, because it may be looked at again. (A page touched after it was
// given back stays for good, and brings its neighbours.)
inline constexpr std::size_t kKeptBytes = std::size_t{64} << 10;

class Cursor {
 public:
  explicit Cursor(std::string_view text, PagesBehind* behind = nullptr)
      : begin_(text.data()), end_(text.data() + text.size()), at_(begin_), passed_(begin_), behind_(behind) {}

  [[nodiscard]] const char* begin() const { return begin_; }
  [[nodiscard]] const char* end() const { return end_; }
  [[nodiscard]] const char* at() const { return at_; }
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] bool AtEnd() const { return at_ == end_; }
  [[nodiscard]] bool AtWord() const { return at_ != end_ && IsWord(*at_); }
  [[nodiscard]] bool AtLineFeed() const { return at_ != end_ && *at_ == '\n'; }

  void Advance(std::size_t bytes) { MoveTo(at_ + bytes); }

  // Moving back is allowed: what was passed can be read again, and will be passed again.
  void MoveTo(const char* to) {
    at_ = to;
    if (at_ < passed_) passed_ = at_;
    if (behind_ != nullptr && at_ - passed_ >= static_cast<std::ptrdiff_t>(kSliceBytes + kKeptBytes))
      Release();
  }

  void SkipBlanks() {
    SkipWhile([](char byte) { return IsBlank(byte); });
  }
  void SkipWord() {
    SkipWhile([](char byte) { return IsWord(byte); });
  }
  void SkipBlanksAndLineFeeds() {
    SkipWhile([](char byte) { return !IsWord(byte); });
  }

  void BackToWordStart() {
    const char* read_from = at_;
    while (at_ != begin_ && IsWord(at_[-1])) {
      --at_;
      if (behind_ != nullptr && read_from - at_ == static_cast<std::ptrdiff_t>(kSliceBytes)) {
        behind_->Passed({at_, kSliceBytes});
        read_from = at_;
      }
    }
    MoveTo(at_);
  }

 private:
  template <typename Predicate>
  void SkipWhile(Predicate skipped) {
    for (;;) {
      const char* const stop = left() > kSliceBytes ? at_ + kSliceBytes : end_;
      const char* to = at_;
      while (to != stop && skipped(*to)) ++to;
      MoveTo(to);
      if (to != stop || to == end_) return;
    }
  }

  void Release() {
    const char* const to = at_ - kKeptBytes;
    behind_->Passed({passed_, static_cast<std::size_t>(to - passed_)});
    passed_ = to;
  }

  const char* begin_;
  const char* end_;
  const char* at_;
  const char* passed_;
  PagesBehind* behind_;
};

}  // namespace tally
