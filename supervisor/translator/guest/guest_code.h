// The guest memory map, as far as code goes: which addresses the program believes executable, and their bytes.
//
// In truth none of it is executable: the engine takes PROT_EXEC away from every mapping (so an escape from the
// translation faults) and notes here that the program has it.
//
// Code that the program may also write (a JIT's, or a stack's) is guarded: before its bytes are read for translation
// the program loses the right to write them. Its next write there faults, and the engine sets the translations aside
// (Translator::SetAside) and then gives the right back. So what is executed is always what is in memory. A system call that writes there fails with
// EFAULT; where it can be, it is made again (guest_calls.cc).
//
// Code that lies in no file is made by the program, though it may not be writable at the moment: compilers that keep to "either writable or
// executable" change the rights of the same memory hundreds of times. Each time translations of it are set aside, and no others.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/mapping.h"
#include "supervisor/x86/decode.h"

namespace tally {

class GuestCode {
 public:
  struct Range {
    GuestPc begin, end;
  };
  struct Part {
    GuestPc begin, end;
    bool writable, made;
  };
  // Gives a range of the program's memory the right to be written, or takes it away. False: not all of it is there, or there
  // can be no more mappings.
  using Protector = std::function<bool(GuestPc begin, GuestPc end, bool writable)>;

  void SetProcess(pid_t process, Protector protect) {
    process_ = process;
    protect_ = std::move(protect);
  }

  [[nodiscard]] pid_t process() const { return process_; }

  // A mapping larger than this is not executed: what is noted down of it grows with its size.
  static constexpr std::uint64_t kLargest = 4ULL << 30;
  // `made`: by the program, for it lies in no file.
  void Add(GuestPc begin, GuestPc end, bool writable, bool made);
  // [begin, end) is of a file that is not the program itself. It may do no more for that; its translations are others
  // (eager_queue.h).
  void NoteLibrary(GuestPc begin, GuestPc end) { libraries_.push_back({begin, end}); }
  [[nodiscard]] bool IsLibrary(GuestPc pc) const;
  // Some of it is, or was, memory that a second process, or a second mapping, would share.
  void NoteShared() { is_shared_ = true; }
  [[nodiscard]] bool IsShared() const { return is_shared_; }
  // In a process that begins as a copy of another: what is executable there is executable here. Nothing is guarded.
  void CopyRegions(const GuestCode& other);
  void Remove(GuestPc begin, GuestPc end);
  // The mapping with the code at `begin` grows downwards from there, as a stack does.
  void NoteGrowing(GuestPc begin) { growing_.push_back(begin); }
  // Of those, the code with the next beginning above `pc`.
  [[nodiscard]] std::optional<Part> GrowingAbove(GuestPc pc) const;
  // That code has grown, and begins at `begin` now.
  void Grow(const Part& code, GuestPc begin);
  // Code that the program may write came here from elsewhere, guarded or not; now it is not.
  void AddMoved(GuestPc begin, GuestPc end);
  [[nodiscard]] bool IsExecutable(GuestPc pc) const { return Find(pc) != nullptr; }
  [[nodiscard]] bool IsWritable(GuestPc pc) const { return IsExecutable(pc) && Find(pc)->writable; }
  [[nodiscard]] bool IsMade(GuestPc pc) const { return IsExecutable(pc) && Find(pc)->made; }
  // May it be other code some day, without all translations being forgotten?
  [[nodiscard]] bool MayChange(GuestPc pc) const {
    const Region* const region = Find(pc);
    return region != nullptr && (region->writable || region->made);
  }
  // Where what is executable, or may be written of it, is another than at `address`; the end of everything at last.
  [[nodiscard]] GuestPc NextChange(GuestPc address) const;
  // Is `pc` in the mapping of `beside`, which the program may not write and has not made?
  [[nodiscard]] bool IsFixedBeside(GuestPc beside, GuestPc pc) const;
  // The end of a mapping of its own that begins there, with no neighbour that became one with it, not to be written and not made.
  [[nodiscard]] std::optional<GuestPc> EndOfFixed(GuestPc begin) const;
  [[nodiscard]] bool IsFixedRegion(GuestPc begin, GuestPc end) const { return EndOfFixed(begin) == end; }
  // Is there code that the program may write?
  [[nodiscard]] bool HasWritable() const;
  [[nodiscard]] bool Overlaps(GuestPc begin, GuestPc end) const;
  // What is executable in [begin, end), piece by piece.
  [[nodiscard]] std::vector<Part> PartsIn(GuestPc begin, GuestPc end) const;
  // Is what is executable in [begin, end), if anything is, made by the program?
  [[nodiscard]] bool IsAllMade(GuestPc begin, GuestPc end) const;

  // The bytes from `pc` on: at least one instruction's worth, or to where code ends; empty where nothing is executable. Until
  // the next call.
  std::span<const std::uint8_t> BytesAt(GuestPc pc);
  // Was what begins at `pc` read since it could be written last, and is it these bytes? nullopt: it was not.
  [[nodiscard]] std::optional<bool> WasReadAs(GuestPc pc, std::span<const std::uint8_t> bytes) const;
  // Our copy of the page at `page`; empty where it was not read yet.
  [[nodiscard]] std::span<const std::uint8_t> CopyOfPage(GuestPc page) const;
  // The pages at `pages`, as they are now, one behind the other. False: not all of them can be read.
  bool ReadPages(std::span<const GuestPc> pages, std::uint8_t* to) const;
  static constexpr std::size_t kPage = 4096;
  // Guarded at once. What compilers write lies beside what they wrote a moment ago: of 16 KiB, four times as many translations are set aside
  // at each write, and come back one by one.
  static constexpr std::size_t kChunk = 4 << 10;
  // The eight bytes at an address of the program's data; 0 where there are none.
  [[nodiscard]] std::uint64_t WordAt(GuestPc address) const;
  // While this is on, bytes are read as they are now and nothing is guarded; what is translated must not outlive it.
  void ReadUnguarded(bool on);
  // What is guarded, if anything is.
  [[nodiscard]] std::vector<Range> Guarded() const;
  // What is guarded together with `address`; nothing: that is not guarded.
  [[nodiscard]] std::optional<Range> GuardedWith(GuestPc address) const;
  // The program may write there again, of what the two before tell of. Nobody may come to translations of it any more, for another thread
  // writes, and executes what it wrote, as soon as it may.
  void Unguard(Range guarded);
  // The same of what is guarded together with `address`; false: that is not guarded.
  bool UnguardWith(GuestPc address);

 private:
  struct Region {
    GuestPc begin, end;
    bool writable, made;
    Mapping bytes;           // our copy, of what was read
    std::vector<bool> read;  // by chunk
  };
  [[nodiscard]] const Region* Find(GuestPc pc) const;
  // What is left of a region, and as much of the next as one instruction can have there.
  std::span<const std::uint8_t> AcrossBorder(std::span<const std::uint8_t> before, GuestPc border);
  // Chunks that cannot be written are read so many at once; most of a library is never executed.
  static constexpr std::size_t kReadAtOnce = 4;
  void ReadChunk(Region* region, std::size_t chunk) const;
  static Range ChunkOf(const Region& region, std::size_t chunk);
  void Protect(Range range, bool writable) const;
  static void AppendGuarded(const Region& region, std::vector<Range>* out);
  void GuardAgain(const std::vector<Range>& guarded);

  pid_t process_ = -1;
  Protector protect_;
  bool unguarded_ = false;
  bool is_shared_ = false;
  std::vector<Region> regions_;  // sorted; neighbours of equal rights are one
  std::vector<Range> libraries_;
  std::vector<GuestPc> growing_;
  std::array<std::uint8_t, kLongestInstruction> across_{};
};

}  // namespace tally
