// Named pipes by which programs in sandboxes of their own talk: two for each of the solution's processes. Each program opens its ends by
// their names, which waits for the other side (fifo(7)). So when a program has ended, its side is opened and closed for it now and then:
// who waits for it goes on, and finds the end.
#pragma once

#include <string>
#include <vector>

#include "supervisor/sandbox/sandbox.h"

namespace tally {

class Fifos {
 public:
  // Made in `folder`, for everybody.
  Fifos(std::string folder, unsigned processes);

  // To be seen by process `i`, or by who talks to all of them: the same names in both.
  [[nodiscard]] std::vector<PlacedFile> Placed(unsigned i) const;
  [[nodiscard]] std::vector<PlacedFile> PlacedForAll() const;
  // Inside: what the solution's process writes to, and what it reads from.
  [[nodiscard]] static std::string FromSolution(unsigned i);
  [[nodiscard]] static std::string ToSolution(unsigned i);

  // Outside.
  [[nodiscard]] std::string HostFromSolution(unsigned i) const { return Host(FromSolution(i)); }
  [[nodiscard]] std::string HostToSolution(unsigned i) const { return Host(ToSolution(i)); }

  // One side of them has ended.
  void Release(unsigned i) const;
  void ReleaseAll() const;

 private:
  [[nodiscard]] std::string Host(const std::string& inside) const;

  std::string folder_;
  unsigned processes_;
};

}  // namespace tally
