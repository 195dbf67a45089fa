// Mapping owns one mmap'ed range: move-only, unmapped on destruction. An empty file maps to an empty range.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <string_view>
#include <utility>

namespace tally {

class Mapping {
 public:
  Mapping() = default;
  // Takes over a range that mmap returned.
  Mapping(void* address, std::size_t size) noexcept : address_(address), size_(size) {}
  Mapping(Mapping&& other) noexcept
      : address_(std::exchange(other.address_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept {
    if (this != &other) {
      Reset();
      address_ = std::exchange(other.address_, nullptr);
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { Reset(); }

  [[nodiscard]] void* data() const noexcept { return address_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::string_view text() const noexcept {
    return {static_cast<const char*>(address_), size_};
  }

 private:
  void Reset() noexcept {
    if (address_ != nullptr) ::munmap(std::exchange(address_, nullptr), std::exchange(size_, 0));
  }

  void* address_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tally
