// What each descriptor of a process stands for, as its calls say it. The table is a copy of the kernel's as far as calls
// can be seen: a descriptor that came in a message (SCM_RIGHTS) shows only when it is used.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "profile/timeline/objects.h"

namespace tally {

class Descriptors {
 public:
  void Open(int fd, ObjectNumber object, bool close_on_exec) { open_[fd] = {object, close_on_exec}; }
  void Close(int fd) { open_.erase(fd); }
  void CloseRange(std::uint64_t first, std::uint64_t last);
  void SetCloseOnExec(int fd, bool close_on_exec);
  void SetCloseOnExec(std::uint64_t first, std::uint64_t last);
  void CloseOnExec();  // a program was executed

  [[nodiscard]] std::optional<ObjectNumber> Of(int fd) const;
  // Those that the kernel gives to the next two, in order.
  [[nodiscard]] std::array<int, 2> LowestFree() const;

 private:
  struct Descriptor {
    ObjectNumber object;
    bool close_on_exec;
  };
  std::map<int, Descriptor> open_;
};

}  // namespace tally
