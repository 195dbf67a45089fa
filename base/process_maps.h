// What a process has mapped: /proc/PID/maps (proc(5)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tally {

struct MapsLine {
  std::uint64_t begin, end;
  std::string rights;  // "r-xp"
  std::uint64_t offset;  // in its file
  std::string name;  // of the file; "[stack]" and the like; "" for none

  std::string device_and_file;  // as the kernel wrote it behind the offset, with the space in front

  [[nodiscard]] bool IsWritable() const { return rights[1] == 'w'; }
  [[nodiscard]] bool IsExecutable() const { return rights[2] == 'x'; }
  [[nodiscard]] bool IsShared() const { return rights[3] == 's'; }
  [[nodiscard]] bool Holds(std::uint64_t address) const { return begin <= address && address < end; }
};

// Of a text like that file's, by rising addresses.
std::vector<MapsLine> ParseMaps(const std::string& text);
// Nothing where there is no such task.
std::vector<MapsLine> MapsOf(pid_t tid);
// Where the heap that brk(2) moves begins (start_brk of /proc/PID/stat). 0: there is no such task, or it is not ours to know.
std::uint64_t HeapBegin(pid_t tid);

}  // namespace tally
