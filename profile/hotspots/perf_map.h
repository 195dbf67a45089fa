// What a runtime that makes code says of it: a text /tmp/perf-PID.map, a line "BEGIN SIZE NAME" for each piece of code, both numbers
// hexadecimal, as Linux' perf reads it (tools/perf/Documentation/jit-interface.txt). The Java machine writes one at its end, when asked to.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace tally {

class PerfMap {
 public:
  // Lines of any other shape are passed over: the program can write there, too.
  static PerfMap Parse(std::string_view text);

  // nullptr: of no piece.
  [[nodiscard]] const std::string* NameAt(std::uint64_t address) const;
  [[nodiscard]] std::size_t pieces() const { return pieces_.size(); }

 private:
  struct Piece {
    std::uint64_t begin, end;
    std::string name;
  };
  std::vector<Piece> pieces_;  // by begin
};

// The folder in which a run's runtime leaves its map. It is held open, for when the run is over nobody finds it any more.
class PerfMapFolder {
 public:
  // `task` is stopped. Said again, it does nothing.
  void Hold(pid_t task);
  // After the run; nullopt: there is not one map.
  [[nodiscard]] std::optional<PerfMap> Read() const;

 private:
  Fd folder_;
};

// How people call what the Java machine calls "int Sums.add(int[], int)", "Interpreter" or "I2C/C2I adapters": by the method, as its
// interpreter, as its stubs.
std::string NameInJava(std::string_view piece);

}  // namespace tally
