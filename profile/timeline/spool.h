// What a run says while it goes on, as files: for each thread its calls, its stops, what its translation took and the names in its calls, each in
// order of time, for that is how a thread does things. Nothing of it stays in memory, and no file stays open, however
// many threads there are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "supervisor/api/call_observer.h"

namespace tally {

struct SpooledStop {
  Ticks begin = 0, end = 0;
  std::uint64_t idle = 0;  // of a translation: nanoseconds before it (CallObserver::Translated)
};

struct SpooledName {
  Ticks when = 0;  // it was told
  std::uint32_t number = 0;  // of the call
  std::uint32_t length = 0;  // of the name, which follows
};

class Spool {
 public:
  explicit Spool(std::string folder) : folder_(std::move(folder)) {}

  // SystemError where the disk is full.
  void AddCalls(std::uint32_t thread, std::span<const ObservedCall> calls) const;
  void AddStop(std::uint32_t thread, const SpooledStop& stop) const;
  void AddTranslations(std::uint32_t thread, std::span<const SpooledStop> translations) const;
  void AddNames(std::uint32_t thread, std::string_view encoded) const;  // SpooledName and name, any number of them

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string CallsOf(std::uint32_t thread) const;
  [[nodiscard]] std::string StopsOf(std::uint32_t thread) const;
  [[nodiscard]] std::string TranslationsOf(std::uint32_t thread) const;
  [[nodiscard]] std::string NamesOf(std::uint32_t thread) const;

 private:
  std::string folder_;
};

// A file read from its beginning in pieces; it is open only while a piece is read. An absent one is empty.
class SpoolReader {
 public:
  explicit SpoolReader(std::string path) : path_(std::move(path)) {}
  // The next `size` bytes, at most kPiece, which stay there until the next Peek; nullptr: so many do not follow.
  const char* Peek(std::size_t size);
  void Skip(std::size_t size) { position_ += size; }

 private:
  static constexpr std::size_t kPiece = 16384;
  std::string path_;
  std::uint64_t offset_ = 0;  // in the file, of what follows the piece
  std::size_t position_ = 0;  // in the piece
  std::string piece_;
  bool ended_ = false;
};

// The same for a file of equal things.
template <typename T>
class SpooledThings {
 public:
  explicit SpooledThings(std::string path) : reader_(std::move(path)) {}
  // The next one, or nullptr.
  const T* Peek() {
    if (!next_) {
      const char* bytes = reader_.Peek(sizeof(T));
      if (bytes == nullptr) return nullptr;
      __builtin_memcpy(&next_.emplace(), bytes, sizeof(T));
    }
    return &*next_;
  }
  void Skip() {
    reader_.Skip(sizeof(T));
    next_.reset();
  }

 private:
  SpoolReader reader_;
  std::optional<T> next_;
};

// Which name belongs to which call: the last that was told for such a call before it returned. A call that is made again
// after a signal is told again, so there may be more names than calls; one that named nothing readable has none.
class SpooledNames {
 public:
  explicit SpooledNames(std::string path) : reader_(std::move(path)) {}
  // The calls in order. nullopt: it named nothing.
  std::optional<std::string> NameFor(std::uint64_t number, Ticks returned);

 private:
  SpoolReader reader_;
};

}  // namespace tally
