// Memory that another process maps too: a memfd and our mapping of it. Zero where nobody wrote yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/fd.h"
#include "base/mapping.h"

namespace tally {

class SharedMemory {
 public:
  // Makes `memfd` as large as `size`. SystemError when the host has no memory.
  SharedMemory(Fd memfd, std::size_t size);

  [[nodiscard]] std::uint8_t* data() const { return static_cast<std::uint8_t*>(memory_.data()); }
  [[nodiscard]] std::size_t size() const { return memory_.size(); }

  // While the file is open it is written to, which costs half of what faulting pages in costs, for they need not be zero first.
  // [at, at + size) becomes `word` again and again; both are multiples of eight.
  void Fill(std::size_t at, std::size_t size, std::uint64_t word) const;
  // [at, at + bytes.size()) becomes `bytes`, more of which is about to be written.
  void Write(std::size_t at, std::span<const std::uint8_t> bytes) const;
  [[nodiscard]] int file() const { return file_.get(); }
  void CloseFile() { file_.Reset(); }  // what is mapped stays

 private:
  Fd file_;
  Mapping memory_;
};

}  // namespace tally
