// Turns guest code into host code that does the same and counts.
//
// Theory of operation. A fragment is the translation of one block (blocks.h), entered with a number of instructions that
// were executed and not counted yet, its pending count. Most fragments do not count at all: they hand what is pending,
// plus their own length, to the next, which is then a translation of its own for that number. So a path of several
// blocks has one `add`, and a short loop unrolls itself. A fragment must count ("flush") before anything whose successor
// is not known here (return, indirect jump, system call), on backward jumps, and when too much is pending. In front of a call it counts, too,
// but where tasks take turns: there all additions go to one word, and each waits for the last; in libraries everywhere.
// The `add` goes where the flags are dead; nearly every block has such a place, usually before its last comparison.
// Where there is none, five instructions that leave the flags alone do it. A block has only so many translations with something pending; then
// an edge to it counts, and where that would have to leave the flags alone the block in front of it counts at a place of its own. A short block behind a comparison, that
// returns or jumps away, mostly has none; so the block with the comparison counts for both, and where it goes otherwise
// what is pending is negative.
//
// Returns, indirect jumps and such additions need a register. Most code seldom uses r11, so a fragment may be entered with
// r11 lent: what the program has in it is in control::kLentR11, the register is ours. Before the first instruction that
// names r11 it is given back, and lent again at the next call, return or indirect jump; jumps hand on whichever is so.
//
// Where tasks take turns (turns.h), fragments look at the budget where they add: what they add to is what is left of it. Not all of them do, so
// a budget that is found used up is so for some time, but never for more than a margin (fragment_plan.h). From there on the program executes
// translations of another kind, which count in each fragment, and look behind each instruction at which a turn may end. A turn ends behind the
// first of these at which more was executed than the budget and the margin, or in front of a system call: at a count that does not
// depend on how the program is translated.
//
// What is translated: the entry asked for, its fall-through successors at once behind it, and some entries ahead
// (eager_queue.h). The rest waits behind stubs (linker.h).
//
// Traps, single bytes 0xcc that only our code contains, bring the program to the supervisor: TrapAt tells what for.
//
// translator.cc has what is translated and forgotten when, emit_fragment.cc a fragment and where it leads, emit_end.cc its last instruction, emit_way_back.cc
// calls that return soon.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "supervisor/api/translation_options.h"
#include "supervisor/translator/cache/code_cache.h"
#include "supervisor/translator/cache/control_area.h"
#include "supervisor/translator/emit/address_map.h"
#include "supervisor/translator/emit/eager_queue.h"
#include "supervisor/translator/emit/blocks.h"
#include "supervisor/translator/emit/clock_code.h"
#include "supervisor/translator/emit/status_code.h"
#include "supervisor/translator/emit/emitter.h"
#include "supervisor/translator/emit/inline_cache.h"
#include "supervisor/translator/emit/branch_targets.h"
#include "supervisor/translator/emit/linker.h"
#include "supervisor/translator/emit/fragments.h"
#include "supervisor/translator/guest/guest_code.h"

namespace tally {

class BlockObserver;
class TranslationCache;
class VirtualCpu;
struct TranslatedRun;

struct Trap {
  enum class Kind : std::uint8_t {
    kStub,         // continue with entry
    kStale,        // the same, in place of a translation of code that was changed
    kReturnMiss,   // a return to an address without branch target
    kJumpMiss,     // an indirect jump; the address is in r11
    kInlineCache,  // an indirect jump, or call at entry.pc, that could remember its target, in r11
    kBadAddress,   // the system call in front of entry.pc, entry.pending bytes in front of the trap, failed with EFAULT
    kEmulate,      // instruction at entry.pc
    kSingleStep,        // instruction at entry.pc, of which a copy stands behind the trap
    kRefused,      // instruction at entry.pc
    kReturnAside,  // a return from a call that returns soon, elsewhere; the address is in r11, entry.pending instructions are not counted yet
    kTurnIsOver,   // the budget is used up; continue with entry near the end of the turn
    kTurnCall,     // in front of a system call that may be about other tasks
    kTurnEnds,     // continue with entry, in the next turn
    kTurnReturn,   // near the end of a turn: a return; the address is in r11
    kTurnJump,     // likewise an indirect jump or call
    kRunsOff,      // entry.pc is not executable: the program is to fault there
  };
  // May it stand in code of earlier runs (persist/code_object.h)? Others are about what was known when they were made.
  static constexpr bool CanBeKept(Kind kind) {
    switch (kind) {
      case Kind::kInlineCache: case Kind::kEmulate: case Kind::kSingleStep: case Kind::kBadAddress: case Kind::kRefused: case Kind::kReturnAside:
      case Kind::kTurnIsOver: case Kind::kTurnCall: return true;
      default: return false;
    }
  }
  Kind kind;
  Entry entry;
  // kEmulate, kSingleStep, kRefused: as it was translated. What stands at entry.pc now may be something else.
  const Instruction* instruction = nullptr;
};

class Translator {
 public:
  Translator(GuestCode* code, CodeCache* cache, ControlArea* control, const TranslatedRun& run);

  ~Translator();
  Translator(const Translator&) = delete;
  Translator& operator=(const Translator&) = delete;

  // Emits what every program needs into the first code region: a place for injected system calls and the ends of chains.
  void Begin();
  [[nodiscard]] HostPc gadget() const { return gadget_; }  // syscall; trap
  [[nodiscard]] HostPc series() const { return series_; }  // CallSeries::kCode
  // Does what is noted down about the program's code take too much of our memory? Then translations are to be forgotten.
  [[nodiscard]] bool KnowsTooMuch() const { return pool_.taken() + linker_.Bytes() > kMostNotes; }

  // [begin, end) has become executable, is no shared memory, and a code region is near: what earlier runs translated there is
  // used again (translation_cache.h).
  void TakeMapping(GuestPc begin, GuestPc end);
  // After the run: what was translated is kept for others.
  void Keep();

  // The code region near `pc` must exist. Where the translation of `entry` begins.
  HostPc Translate(Entry entry);
  // Are there too many branch targets for narrow tables (control_area.h)?
  [[nodiscard]] bool NeedsWideTables() const { return control_->is_narrow() && branch_targets_.size() > options_.narrow_until; }
  // The program has them wide, too. It must not be on its way through a table.
  void WidenTables();
  // Makes sure that the next return or indirect jump to `pc` finds it.
  void AddBranchTarget(Table table, GuestPc pc);

  [[nodiscard]] std::optional<Trap> TrapAt(HostPc at);
  // The inline cache that trapped at `at`, of the call at `call` (0: of a jump), goes to `target` from now on; if it has remembered enough, through
  // the table. The result is where the task goes on.
  HostPc Remember(HostPc at, GuestPc call, GuestPc target);
  [[nodiscard]] const ClockCode& clock() const { return clock_; }
  [[nodiscard]] const StatusCode& status() const { return status_; }
  bool FlagsMayBeLost(GuestPc pc) { return branch_targets_.FlagsMayBeLost(pc); }
  bool AreFlagsDeadAt(GuestPc pc) { return blocks_.LiveIn(pc) == isa::kNoFlags; }
  [[nodiscard]] std::optional<GuestPlace> PlaceOf(HostPc at) const;
  // Is rcx in control::kCallRcx where the block's system call stands?
  [[nodiscard]] bool SpillsRcxBeforeCall(const Block& block) const;

  // The program may write code in [begin, end) from now on, or has changed its rights: translations of it begin with a trap. They come back when
  // the program comes to one of them, and what is there then is what they were made from: compilers write new code beside old. A task that is
  // inside one executes it to its end, as a processor may that fetched it before.
  void SetAside(GuestPc begin, GuestPc end);
  // The same where nothing could be executed behind the trap at `at` when it was emitted, and something can now.
  void RenewBefore(HostPc at);
  // The program trapped at `at`, the beginning of such a translation, and `to` is the new one: from now on it goes there
  // by itself. No task may be inside the old one.
  void Redirect(HostPc at, HostPc to);

  // From now on tasks take turns (turns.h): forgets every translation, for those to come ask when a turn is over. The program must
  // stand outside.
  void TakeTurns();
  // Code changed, or is to be translated another way from now on: all that is translated is forgotten, and what earlier runs
  // translated that way is used. The program must stand outside.
  void Restart();

  // Forgets every translation, because code changed or the cache is full; the program must stand outside.
  void Clear();
  [[nodiscard]] std::uint64_t forgotten() const { return forgotten_; }  // so many times

 private:
  // A program may begin a block at every byte of its code, each with kLongest instructions.
  static constexpr std::size_t kMostNotes = 256U << 20;
  // Blocks of one chain: with what is decoded for their flags (blocks.h) 300 KiB each at most.
  static constexpr int kMostFragments = 200;
  static constexpr int kMostFragmentsNearEnd = 8;
  static constexpr std::size_t kMostReturns = 4096;  // with more branch targets the size of the code costs more than returns do
  static constexpr int kMostForks = 8;  // of the ways back of one call
  static constexpr int kVariantsByTurns = 4;  // times as many
  // What is handed on from fragment to fragment.
  struct State {
    int pending;
    bool lent;
  };
  std::optional<Trap> KnownTrapAt(HostPc at) const;
  CodeCache::Region* RegionFor(GuestPc pc);
  void MakeStale(Block* block);
  void BringBack(GuestPc pc);
  void EmitInto(CodeCache::Region* region);
  void Publish(const CodeCache::Region& old);
  // The translation of `asked`, if there is none yet, and some of what it leads to; a branch target for it if asked for.
  HostPc Emit(Entry asked, std::optional<Table> branch_target);
  // The translation of `target`, behind the indirect call at `call`; for that alone, where it returns soon.
  HostPc TranslateCallee(GuestPc call, GuestPc target);
  // What is emitted at one go: what emit() emits, which begins with `pc`, and what that asks for.
  template <typename Emission>
  void EmitAll(GuestPc pc, int most_fragments, bool is_kept, Emission emit);
  // Is what begins there hardly code?
  bool IsBlank(GuestPc pc);
  // The code emitted so far ends where `next` is to follow, if anything.
  void GoOnWith(std::optional<Entry> next, bool is_asked);
  void EmitChain(std::optional<Entry> next, bool is_asked);
  // Is this translation as long as one may be?
  [[nodiscard]] bool IsLong() const;
  // Emits one fragment; the entry that follows it, or nothing where it ends in a jump.
  std::optional<Entry> EmitFragment(Entry entry);
  std::optional<Entry> EmitEnd(const Block& block, State state, Fragment* fragment);
  std::optional<Entry> EmitCall(const Block& block, State state);
  // The tables through which what a call leads to may come back (branch_targets.h), those without a branch target for it.
  struct Backs {
    bool by_return = false, by_jump = false;
  };
  [[nodiscard]] Backs MissingBacks(const Block& call) const;
  void EmitBacks(const Block& call);
  // Where a call that returns soon goes on (emit_way_back.cc).
  struct WayBack {
    const Block* caller;
    GuestPc pc;      // where it goes on
    State state;
    int left;        // instructions it may have
    int depth = 0;   // of the stack (x86/stack_depth.h)
    HostPc from = 0;  // the displacement of the jump to it; 0: it follows
  };
  bool ReturnsSoon(const Block& call, GuestPc target);
  // Through such a call, without a look at the budget of a turn?
  [[nodiscard]] bool HandsOnThroughCall(int pending) const;
  WayBack BeginWayBack(const Block& call, GuestPc target, State state);
  Entry EmitWayBack(const WayBack& way);
  GuestPc EmitWayFork(const Block& block, const WayBack& way);
  Entry EmitReturn(const WayBack& way, State state);
  void EmitWaysAside();
  void EmitReturnsTo(const CodeCache::Region* region);
  Entry EmitTaken(HostPc displacement_at, const Block& block, State state);
  void LinkEdge(HostPc displacement_at, GuestPc pc, const Block& from, State state);
  // The same where it is known already; `flush`: it counts first.
  void LinkEdge(HostPc displacement_at, Entry entry, bool flush, State state);
  Entry FallTo(const Block& from, GuestPc pc, State state);
  void EmitNote(Fragment* fragment);
  std::optional<Entry> EmitEndNearEnd(const Block& block, bool lent, Fragment* fragment);
  // A look at the budget: where it is used up, the task traps.
  void EmitTurnCheck(Trap::Kind kind, Entry entry, bool keep_flags);
  void LendR11(bool lent_already);
  void EmitReturn(const Block& block);
  void EmitDispatch();
  void EmitInlineCache(const Instruction& instruction);
  void EmitCpuid(const Instruction& cpuid);
  void EmitFailureCheck(HostPc call, GuestPc next);
  void EmitMended(const Block& block);
  void EmitEmulated(const Instruction& instruction);
  void EmitTrap(Trap::Kind kind, Entry entry, const Instruction* instruction = nullptr);
  void JumpTo(Entry entry);
  void Want(Entry entry, double likelihood);
  void EmitEager(const CodeCache::Region* region);
  // Divides the likelihood between the two ways of a conditional jump; the result is that of the jump taken.
  double DivideLikelihood();
  void Flush(GuestPc before, State state);
  // What becomes of what is pending where a block leads to the one at `pc`.
  enum class Edge : std::uint8_t {
    kCounted,      // nothing is
    kHandsOn,      // a translation that begins with it is there, or may be made
    kHandsOnAnew,  // the same, and is one of the few that each block may have
    kFlushes,
  };
  Edge EdgeOf(const Block& from, GuestPc pc, State state);
  // Would the way on behind `block`, which has a place where the flags are dead, have to count and keep them?
  bool FlushesDearlyBehind(const Block& block, State state);
  bool CountsToReturnSoon(const Block& block, int pending);
  // The entry to go to at `pc`; `flush` when the edge must count first.
  Entry EdgeTo(const Block& from, GuestPc pc, State state, bool* flush);

  GuestCode* code_;
  CodeCache* cache_;
  ControlArea* control_;
  const TranslationOptions options_;
  const VirtualCpu* cpu_;  // answers cpuid; nullptr: the supervisor is asked
  BlockObserver* const observer_;  // nullptr: nobody is told what is executed
  const bool notes_calls_;
  bool by_turns_;          // tasks take turns
  const bool shared_;      // there may be other tasks
  const bool one_at_a_time_;  // from the second on they take turns, so nobody executes the cache while it is changed
  Pool pool_;
  Blocks blocks_;
  Linker linker_;
  BranchTargets branch_targets_;
  ClockCode clock_;
  StatusCode status_;
  const std::uint32_t state_components_;  // those of xsave that the virtual processor has
  InlineCaches inline_caches_{&pool_};
  Fragments fragments_{&pool_};
  AddressMap<Trap, 0> traps_{&pool_};  // all but stubs
  struct Aside {
    const Block* block;  // as it was
    HostPc at;
    std::uint8_t byte;  // in place of which the trap stands
  };
  std::unordered_map<GuestPc, std::vector<Aside>> aside_;  // by address, of as much as is guarded at once
  std::unique_ptr<TranslationCache> kept_;  // nullptr: nothing is
  std::optional<Emitter> out_;  // while translating
  EagerQueue eager_;
  std::optional<WayBack> way_back_;      // of the fragment just emitted
  int forks_left_ = 0;
  std::vector<WayBack> ways_aside_;      // to be emitted behind it
  std::vector<GuestPc> called_on_way_;   // what calls that return soon return to, likewise
  std::vector<GuestPc> called_near_end_;  // what calls near a turn's end return to, of this translation
  bool in_library_ = false;
  double likelihood_ = 1;  // of what is emitted now (eager_queue.h)
  int fragments_left_ = 0;     // of this translation
  HostPc hot_begin_ = 0, cold_begin_ = 0;
  HostPc gadget_ = 0, series_ = 0;
  std::uint64_t forgotten_ = 0;
  static constexpr int kMostRestarts = 16;
  int restarts_ = 0;
};

}  // namespace tally
