// The ends from which a solution reads, held until its interactor has ended. What an interactor says to one that has ended is lost, and no
// harm: with nobody at the other end the broken pipe would kill it in the middle of its verdict, or not, by the clock. An interactor that
// speaks without end has it broken after all.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/fd.h"

namespace tally {

// So much is heard of what each process of the solution has left unread. Four times what a pipe holds (pipe(7)).
inline constexpr std::size_t kMostUnheard = 256 << 10;

class Unheard {
 public:
  // `end`: as the solution has it, or one of its own.
  void Hold(Fd end) { held_.push_back({std::move(end), 0}); }
  // After the solution has ended: makes room for more, and closes what nobody writes to any more or too much. Waits for nothing.
  void MakeRoom();

 private:
  struct Held {
    Fd end;
    std::size_t heard;
  };
  std::vector<Held> held_;
};

}  // namespace tally
