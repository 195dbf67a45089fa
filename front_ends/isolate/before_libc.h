// Texts, descriptors and files for code that runs before libc is started (client.h): no memory is had, nothing of libc is called.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "base/raw_call.h"

namespace tally::isolate::before_libc {

// ---- texts

inline std::size_t Length(const char* text) {
  std::size_t size = 0;
  while (text[size] != '\0') ++size;
  return size;
}

inline bool Same(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

// What follows `prefix` in `text`, or null.
inline const char* Behind(const char* text, const char* prefix) {
  while (*prefix != '\0') {
    if (*text++ != *prefix++) return nullptr;
  }
  return text;
}

inline bool Contains(const char* text, char wanted) {
  while (*text != '\0' && *text != wanted) ++text;
  return *text != '\0';
}

// Nothing but digits; else false.
inline bool ToNumber(const char* text, std::uint64_t* number) {
  *number = 0;
  for (const char* at = text; *at != '\0'; ++at) {
    if (*at < '0' || *at > '9' || at - text > 19) return false;
    *number = *number * 10 + static_cast<std::uint64_t>(*at - '0');
  }
  return *text != '\0';
}

// A path or a line that is put together piece by piece; one that does not fit is none. Longer ones are rare, and main's.
class Text {
 public:
  Text() { text_[0] = '\0'; }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  Text& Add(const char* piece) {
    for (; *piece != '\0'; ++piece) {
      if (size_ + 1 >= sizeof text_) {
        fits_ = false;
        return *this;
      }
      text_[size_++] = *piece;
    }
    text_[size_] = '\0';
    return *this;
  }
  Text& Add(std::uint64_t number) {
    char digits[21];
    char* first = digits + 20;
    *first = '\0';
    do {
      *--first = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    return Add(first);
  }
  Text& EndWord() {
    if (size_ < sizeof text_) ++size_;
    return *this;
  }
  [[nodiscard]] const char* c_str() const { return text_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool fits() const { return fits_; }

 private:
  std::size_t size_ = 0;
  bool fits_ = true;
  char text_[512];  // NOLINT(*-member-init): as much of it as is used
};

// The words of a message.
class Words {
 public:
  Words(const char* begin, std::size_t size) : at_(begin), end_(begin + size) {}
  // The next one, or null; what has no end is none.
  const char* Next() {
    const char* const word = at_;
    while (at_ < end_ && *at_ != '\0') ++at_;
    return at_ < end_ ? (++at_, word) : nullptr;
  }

 private:
  const char* at_;
  const char* end_;
};

// ---- calls

class Descriptor {
 public:
  explicit Descriptor(std::int64_t number) : number_(static_cast<int>(number)) {}
  ~Descriptor() {
    if (valid()) RawCall(SYS_close, number());
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] bool valid() const { return number_ >= 0; }
  [[nodiscard]] std::uint64_t number() const { return static_cast<std::uint64_t>(number_); }

 private:
  int number_;
};

inline std::int64_t Open(const char* path, std::uint64_t flags, std::uint64_t mode = 0) {
  return RawCall(SYS_openat, static_cast<std::uint64_t>(AT_FDCWD), Address(path), flags | O_CLOEXEC, mode);
}

inline std::int64_t Stat(const char* path, struct stat* status, std::uint64_t flags = 0) {
  return RawCall(SYS_newfstatat, static_cast<std::uint64_t>(AT_FDCWD), Address(path), Address(status), flags);
}

inline bool WriteAll(std::uint64_t descriptor, const char* text) {
  for (std::size_t left = Length(text); left > 0;) {
    const std::int64_t written = RawCall(SYS_write, descriptor, Address(text), left);
    if (written == -EINTR) continue;
    if (written <= 0) return false;
    text += written;
    left -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace tally::isolate::before_libc
