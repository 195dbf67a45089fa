// What stat(2), statx(2) and their like say of a file, as the virtual machine has it: nothing of when and where this machine's file
// system got it. Python makes integers of every time that it is told, Erlang dates, and Ruby counts the entries of folders by their links.
//
//   a folder         from the first day of the virtual clock, 4096 bytes, one link, as btrfs has it: who counts subfolders knows that (find(1))
//   a regular file   has one time, when it was written, in whole seconds. A package's files bring that with them, and who keeps what was
//                    compiled beside its source (Python) compares it. Such a file takes as many blocks as it is large
//   of this run      what lies in its box, or was put there, and what was written since it began, is of the first day as well
//   all others       of the first day
//
// Blocks for reading and writing are 4096 bytes. Numbers of files and devices, and links of regular files, are the file system's:
// programs know files by them. But what was put into the box as it is is of the box's device: ld.so compares devices before numbers.
//
// Where instructions are translated that is done behind the call, in the code cache (translator/emit/status_code.h); else the
// supervisor brings the call to its end, and changes what was written.
#pragma once

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "supervisor/tracing/tracee.h"

namespace tally {

// By what files of a run are known.
struct FilesOfRun {
  struct Number {
    dev_t device = 0;  // 0: none
    ino_t file = 0;
    bool operator==(const Number&) const = default;
  };
  static constexpr std::size_t kMostPlaced = 8;

  std::int64_t began = 0;  // in seconds since 1970, by this machine's clock
  dev_t box = 0;           // the device of the run's own root; 0: it has none
  std::array<Number, kMostPlaced> placed{};  // files of this machine's that lie in the box as they are, the first few

  void Place(const std::string& path);
  // The program is stopped before it executes anything.
  void Begin(pid_t tid);
};

inline constexpr std::int64_t kFirstDay = 1'704'067'200;  // 2024-01-01, 00:00:00 UTC (virtual_clock.h)
inline constexpr std::int64_t kFileBlock = 4096;          // bytes
inline constexpr int kPlacedBit = 48;                     // of the number of a file that was placed: no other of the box has it
inline constexpr std::int64_t kStatusBlock = 512;         // the unit of st_blocks (stat(2))

void MakeVirtual(const FilesOfRun& files, struct stat* status);
// `asked`: the mask of the call. Of times that were not asked for newer kernels say nothing (fs/stat.c, fill_mg_cmtime).
void MakeVirtual(const FilesOfRun& files, std::uint32_t asked, struct statx* status);

// The calls that tell it.
inline constexpr std::uint32_t kStatusCalls[] = {SYS_stat, SYS_fstat, SYS_lstat, SYS_newfstatat, SYS_statx};
bool TellsStatus(std::uint64_t number);

// Changes what such a call, which has succeeded, has written.
void MakeWrittenVirtual(const FilesOfRun& files, pid_t tid, const StoppedCall& call);

}  // namespace tally
