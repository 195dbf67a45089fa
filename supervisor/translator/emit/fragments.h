// From a host address back to the guest: where in the program it is, and how many instructions were executed that the
// counters do not have yet, or the reverse. Faults and signals need it.
//
// A fragment is one translation of one block. Its code stands in the order of the code region, so the fragment of an address is
// found by halving. Within it stand copies of the block's instructions, each as long as it was, the last one in
// whatever form it took, and the code that adds; the record says where that is:
//
//   executed = pending at entry + instructions before this one      added = 0, or the fragment's sum behind its add
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "supervisor/translator/cache/control_area.h"
#include "supervisor/translator/cache/pool.h"
#include "supervisor/translator/emit/blocks.h"

namespace tally {

struct Fragment {
  HostPc begin = 0;
  const Block* block = nullptr;
  std::int16_t pending = 0;
  bool lent = false;  // it is entered with r11 lent
  bool near_end = false;     // of its task's turn (linker.h)
  bool on_way_back = false;  // it goes on to one caller (emit_way_back.cc), so it is no translation for others
  std::int16_t added = 0;
  // Of the code at its beginning that notes the block down, to its end and to where it is noted; 0: there is none.
  std::uint8_t note_length = 0;
  std::uint8_t noted_at = 0;
  // The code that adds, to the count of system calls too if the block ends in one: in front of which instruction it
  // stands, and its length.
  std::uint16_t add_before = 0;
  std::uint16_t add_length = 0;
  // In front of which instruction r11 is given back, behind what adds there; kNowhere: it is not.
  static constexpr std::uint16_t kNowhere = 0xffff;
  std::uint16_t back_before = kNowhere;
  // Offsets from begin; 0: none.
  std::uint16_t end = 0;
  std::uint16_t call_end = 0;  // behind a syscall instruction
  std::uint16_t trap_end = 0;  // behind a copied int3 or int1, which stop behind themselves

  // A trap that stands there is the program's own.
  [[nodiscard]] bool BeginsWithTrap() const { return trap_end == 1; }
};

// The guest's place for a host address.
struct GuestPlace {
  GuestPc pc = 0;
  std::int64_t uncounted = 0;  // to be added to the counters
  std::int64_t uncounted_calls = 0;
  // An instruction begins here, and the registers are the guest's own (but for r11, if it is lent).
  bool clean = false;
  bool lent = false;  // r11 is in control::kLentR11
  const Instruction* instruction = nullptr;
  const Block* block = nullptr;
  // Its block is noted down in the log, if there is one, with so many instructions that were not executed.
  bool noted = false;
  std::size_t not_executed = 0;
  // It stands in the code that notes it down, which is not done; as if that had not begun: 0: it does not.
  HostPc before_note = 0;
  bool at_call = false;     // at a syscall instruction, behind what stands in front of it
  bool after_call = false;  // right behind a syscall instruction; rcx is to be the next guest address
};

class Fragments {
 public:
  explicit Fragments(Pool* pool) : pool_(pool) {}

  // Fragments of one code region come in ascending order.
  void Add(HostPc region, const Fragment& fragment);

  std::optional<GuestPlace> PlaceOf(HostPc at) const;
  static GuestPlace PlaceIn(const Fragment& fragment, HostPc at);
  [[nodiscard]] std::optional<Fragment> At(HostPc at) const {
    const Fragment* const fragment = Holding(at);
    return fragment == nullptr ? std::nullopt : std::optional(*fragment);
  }
  // Bytes of the fragment that begins at `at`; 0: none does.
  [[nodiscard]] std::size_t LengthAt(HostPc at) const;
  template <typename Action>
  void ForEach(Action action) const {
    for (const Chunk& chunk : chunks_) {
      for (const Fragment& fragment : chunk.fragments) action(fragment);
    }
  }
  void Clear() { chunks_.clear(); }

 private:
  [[nodiscard]] const Fragment* Holding(HostPc at) const;
  static constexpr std::size_t kChunk = 1024;
  struct Chunk {
    HostPc region;
    std::span<Fragment> fragments;  // ascending; of kChunk at most
  };

  Pool* pool_;
  std::vector<Chunk> chunks_;
};

}  // namespace tally
