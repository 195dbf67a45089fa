// A process of ours between a program's stdout and stderr and where they go: it keeps no more of each than was asked for, throws the rest
// away, and counts. So a program that writes too much is not stopped, as runguard has it.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>

#include "base/fd.h"
#include "base/units.h"

namespace tally::runguard {

struct StreamCount {
  std::uint64_t read = 0, passed = 0;  // bytes
  int error = 0;                       // errno of a write; then nothing more was passed
};

class Pump {
 public:
  // Borrowed descriptors of where the streams go.
  Pump(int out, int error, std::optional<Bytes> most);
  ~Pump();
  Pump(const Pump&) = delete;
  Pump& operator=(const Pump&) = delete;

  // The program's ends.
  [[nodiscard]] int out() const { return ends_[0].get(); }
  [[nodiscard]] int error() const { return ends_[1].get(); }

  // After the program's end: of stdout and stderr. SystemError where something could not be written.
  std::array<StreamCount, 2> Finish();

 private:
  std::array<Fd, 2> ends_;
  Fd counts_;
  pid_t process_ = -1;
};

}  // namespace tally::runguard
