// A copy of a text with memory around it that faults when touched: a comparison that reads one byte too many
// does not pass by luck.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string_view>

#include "base/mapping.h"

namespace tally {

class GuardedText {
 public:
  enum class Flush { kAtItsBegin, kAtItsEnd };  // with the guard

  GuardedText(std::string_view text, Flush flush) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t room = (text.size() + page - 1) / page * page;
    const std::size_t whole = room + 2 * page;
    mapping_ = Mapping(::mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), whole);
    char* const begin = static_cast<char*>(mapping_.data()) + page;
    if (room > 0) ::mprotect(begin, room, PROT_READ | PROT_WRITE);
    char* const at = flush == Flush::kAtItsBegin ? begin : begin + room - text.size();
    if (!text.empty()) std::memcpy(at, text.data(), text.size());
    text_ = {at, text.size()};
  }

  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  Mapping mapping_;
  std::string_view text_;
};

}  // namespace tally
