// Memory that another process may map too: a memfd and our mapping of it. Zero where nobody wrote yet.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/fd.h"
#include "base/mapping.h"

namespace tally {

class SharedMemory {
 public:
  // `name` appears in /proc/PID/maps. SystemError when the host has no memory.
  SharedMemory(const char* name, std::size_t size);

  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] std::uint8_t* data() const { return static_cast<std::uint8_t*>(memory_.data()); }
  [[nodiscard]] std::size_t size() const { return memory_.size(); }

 private:
  Fd fd_;
  Mapping memory_;
};

}  // namespace tally
