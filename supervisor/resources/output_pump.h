// Counts and bounds what a program writes into a pipe or a terminal, where RLIMIT_FSIZE does not reach: the
// program gets a pipe of ours, and we move its bytes on.
// Regular files need no pump: the kernel bounds them and fstat counts them.
#pragma once

#include <poll.h>

#include <optional>
#include <vector>

#include "base/fd.h"
#include "base/units.h"

namespace tally {

class OutputPump {
 public:
  // `target` is borrowed. With a limit, at most one byte more than it is moved on.
  OutputPump(int target, std::optional<Bytes> limit);

  [[nodiscard]] int program_end() const { return program_end_.get(); }
  void CloseProgramEnd() { program_end_.Reset(); }

  // Adds the descriptor to wait for; none when the stream has ended or the limit is passed.
  void AddTo(std::vector<pollfd>* fds) const;
  // Moves what is there. False: that was nothing, and who reads it is as before. Safe to call at any time.
  bool Move();
  // After the program's end: everything that is still in the pipe.
  void Drain();

  [[nodiscard]] bool over_limit() const { return limit_ && moved_ > *limit_; }
  [[nodiscard]] bool waits_for_reader() const { return open_ && target_full_; }
  [[nodiscard]] Bytes moved() const { return moved_; }

 private:
  bool MoveSome();  // false: nothing more to move now

  int target_;
  std::optional<Bytes> limit_;
  Fd source_;
  Fd program_end_;
  Bytes moved_;
  bool open_ = true;
  bool target_full_ = false;
};

}  // namespace tally
