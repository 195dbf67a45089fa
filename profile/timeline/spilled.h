// A list that grows on disk: its bytes are a file's that is mapped, so that what is in memory of it is the kernel's to say, however long
// it gets. The file has no name, and is gone with the list.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/fd.h"
#include "base/mapping.h"

namespace tally {

// The bytes. They move when it grows.
class SpilledBytes {
 public:
  // In `folder`. SystemError where no file can be made there.
  explicit SpilledBytes(const std::string& folder);
  // At least so many, new ones 0; twice as many as before where they are more. SystemError where the disk is full.
  void Reserve(std::size_t size);
  [[nodiscard]] char* data() const { return static_cast<char*>(mapping_.data()); }

 private:
  std::string folder_;
  Fd file_;
  Mapping mapping_;
};

template <typename T>
class Spilled {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Spilled(const std::string& folder) : bytes_(folder) {}
  void Add(const T* items, std::size_t count) {
    bytes_.Reserve((size_ + count) * sizeof(T));
    __builtin_memcpy(bytes_.data() + size_ * sizeof(T), items, count * sizeof(T));
    size_ += count;
  }
  // So many, new ones 0.
  void Resize(std::size_t size) {
    bytes_.Reserve(size * sizeof(T));
    size_ = size;
  }
  // Until the next one is added.
  [[nodiscard]] T& at(std::size_t i) const { return reinterpret_cast<T*>(bytes_.data())[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string_view bytes() const { return {bytes_.data(), size_ * sizeof(T)}; }

 private:
  SpilledBytes bytes_;
  std::size_t size_ = 0;
};

}  // namespace tally
