#include "supervisor/translator/emit/translator.h"

#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "base/error.h"
#include "supervisor/api/block_observer.h"
#include "supervisor/translator/emit/fragment_plan.h"
#include "supervisor/translator/guest/cpuid_answers.h"
#include "supervisor/translator/guest/translated_run.h"
#include "supervisor/translator/persist/translation_cache.h"
#include "supervisor/translator/turns/turn_calls.h"

namespace tally {
namespace {

constexpr std::uint8_t kTrap = 0xcc;
constexpr std::size_t kJumpSize = 5;  // jmp rel32
constexpr std::uint64_t kSyscallLength = 2;

static_assert(TranslationOptions::kMostPending + int{Blocks::kLongest} <= Entry::kMostPending);
static_assert(-int{Blocks::kLongest} >= Entry::kLeastPending);

// Must r11 be the program's in front of it? What the supervisor does, it does with all registers in place.
bool NeedsR11(const Instruction& instruction) {
  switch (instruction.flow) {
    case Flow::kEmulated: case Flow::kSavesX87: case Flow::kSingleStep: case Flow::kRefused: return true;
    case Flow::kFault: case Flow::kUndefined: return false;
    default: return instruction.names_r11;
  }
}

// The number of the system call at the end of a block, where the instruction before it sets it.
std::optional<std::uint32_t> CallNumber(const Block& block) {
  const std::size_t n = block.instructions.size();
  if (n < 2) return std::nullopt;
  const Instruction& before = block.instructions[n - 2];
  constexpr std::uint8_t kMovEax = 0xb8;  // mov eax, imm32
  if (before.length != 5 || before.bytes[0] != kMovEax) return std::nullopt;
  std::uint32_t number = 0;
  std::memcpy(&number, &before.bytes[1], sizeof number);
  return number;
}

// What is emitted while it lives belongs together.
class NotedChain {
 public:
  NotedChain(TranslationCache* kept, GuestPc pc, const CodeCache::Region* region)
      : journal_(kept == nullptr ? nullptr : kept->journal()), region_(region) {
    if (journal_ != nullptr) journal_->Begin(pc, region->hot, region->cold);
  }
  ~NotedChain() {
    if (journal_ != nullptr) journal_->End(region_->hot, region_->cold);
  }
  NotedChain(const NotedChain&) = delete;
  NotedChain& operator=(const NotedChain&) = delete;

 private:
  Journal* journal_;
  const CodeCache::Region* region_;
};

}  // namespace

Translator::Translator(GuestCode* code, CodeCache* cache, ControlArea* control, const TranslatedRun& run)
    : code_(code), cache_(cache), control_(control), options_(run.options),
      cpu_(run.machine.Has(VirtualRule::kCpu) ? &run.machine.cpu() : nullptr), observer_(run.observer), notes_calls_(run.call_observer != nullptr), by_turns_(run.takes_turns), shared_(run.most_tasks > 1),
      blocks_(code, cache, &pool_, run.machine.cpu().level()), linker_(cache, &blocks_, &pool_), branch_targets_(&blocks_, &linker_, control, &pool_),
      clock_(run.machine.options().rules) {
  if (!run.store.IsOpen()) return;
  kept_ = std::make_unique<TranslationCache>(
      TranslationCache::Parts{code_, cache_, &blocks_, &linker_, &branch_targets_, &inline_caches_, &fragments_, &traps_}, run);
}

Translator::~Translator() = default;

void Translator::Begin() {
  EmitInto(const_cast<CodeCache::Region*>(&cache_->regions().front()));
  gadget_ = out_->here();
  out_->Bytes({0x0f, 0x05});  // syscall
  out_->Trap();
  out_->Byte(0);  // the end of a string, where one is needed
  const HostPc return_miss = out_->here();
  EmitTrap(Trap::Kind::kReturnMiss, {});
  const HostPc jump_miss = out_->here();
  EmitTrap(Trap::Kind::kJumpMiss, {});
  branch_targets_.SetMisses(return_miss, jump_miss);
  clock_.Emit(&*out_, *control_);
}

void Translator::EmitTrap(Trap::Kind kind, Entry entry, const Instruction* instruction) {
  traps_.At(out_->here()) = {kind, entry, instruction};
  out_->Trap();
}

std::optional<Trap> Translator::TrapAt(HostPc at) {
  if (const auto stub = cache_->StubWord(at)) return Trap{Trap::Kind::kStub, Entry::FromKey(*stub)};
  const Trap* const found = traps_.Find(at);
  if (found == nullptr) return std::nullopt;
  Trap trap = *found;
  const bool has_instruction = trap.kind == Trap::Kind::kEmulate || trap.kind == Trap::Kind::kSingleStep || trap.kind == Trap::Kind::kRefused;
  if (has_instruction && trap.instruction == nullptr) {  // of an earlier run's translation (translation_cache.h)
    const Block& block = *blocks_.At(trap.entry.pc);
    if (block.instructions.empty()) throw SystemError("translator: a trap that belongs to no instruction", 0);
    trap.instruction = &block.instructions.front();
  }
  return trap;
}

void Translator::TakeMapping(GuestPc begin, GuestPc end) {
  CodeCache::Region* const region = cache_->Near(begin);
  if (kept_ == nullptr || region == nullptr) return;
  const CodeCache::Region old = *region;
  if (!kept_->TakeMapping(begin, end)) return;
  linker_.MakeStubs(region);
  Publish(old);
}

void Translator::Keep() {
  if (kept_ != nullptr) kept_->Keep();
}

std::optional<GuestPlace> Translator::PlaceOf(HostPc at) const {
  if (const auto place = fragments_.PlaceOf(at)) return place;
  const std::optional<Fragment> fragment = kept_ == nullptr ? std::nullopt : kept_->FragmentAt(at);
  if (!fragment) return std::nullopt;
  return Fragments::PlaceIn(*fragment, at);
}

HostPc Translator::Translate(Entry asked) {
  if (const auto made = linker_.Find(asked)) return *made;
  return Emit(asked, std::nullopt);
}

// Where nothing is executable all that is emitted is a trap, which may stand anywhere.
CodeCache::Region* Translator::RegionFor(GuestPc pc) {
  if (CodeCache::Region* const near = cache_->Near(pc)) return near;
  if (code_->IsExecutable(pc)) throw SystemError("translator: code where no region reaches", 0);
  return const_cast<CodeCache::Region*>(&cache_->regions().front());
}

bool Translator::IsLong() const {
  const CodeCache::Region& region = *out_->region();
  return fragments_left_ == 0 || region.hot - hot_begin_ > CodeCache::kLongestChain || region.cold - cold_begin_ > CodeCache::kLongestChain;
}

HostPc Translator::Emit(Entry asked, std::optional<Table> branch_target) {
  CodeCache::Region* const region = RegionFor(asked.pc);
  const CodeCache::Region old = *region;
  EmitInto(region);
  fragments_left_ = asked.near_end() ? kMostFragmentsNearEnd : kMostFragments;
  hot_begin_ = region->hot;
  cold_begin_ = region->cold;
  eager_.Clear();
  in_library_ = code_->IsLibrary(asked.pc);
  likelihood_ = 1;
  {
    const NotedChain noted(asked.near_end() ? nullptr : kept_.get(), asked.pc, region);  // else it is not kept
    if (branch_target) branch_targets_.Emit(*branch_target, asked.pc, &*out_);
    GoOnWith(asked, true);
  }
  EmitEager(region);
  linker_.MakeStubs(region);
  Publish(old);
  return linker_.Find(asked).value();
}

void Translator::EmitEager(const CodeCache::Region* region) {
  std::size_t left = options_.eager * (in_library_ ? EagerQueue::kInLibraries : 1);
  for (; left != 0; --left) {
    const std::optional<EagerQueue::Wanted> next = eager_.Next();
    if (!next || IsLong()) return;
    // What lies near another code region is left to a stub.
    if (linker_.Find(next->entry) || cache_->Near(next->entry.pc) != region) continue;
    likelihood_ = next->likelihood;
    const NotedChain noted(kept_.get(), next->entry.pc, region);
    GoOnWith(next->entry, false);
  }
}

void Translator::EmitInto(CodeCache::Region* region) {
  out_.emplace(region, shared_, by_turns_, kept_ == nullptr ? nullptr : kept_->journal());
}

void Translator::Publish(const CodeCache::Region& old) {
  linker_.Publish(old);
  branch_targets_.Publish();
}

void Translator::GoOnWith(std::optional<Entry> next, bool is_asked) {
  for (; next; is_asked = false) {
    // What addresses memory relative to itself must lie in its own code region.
    const bool elsewhere = !is_asked && cache_->Near(next->pc) != out_->region();
    if (linker_.Find(*next) || likelihood_ < EagerQueue::kLeast || elsewhere || IsLong()) {
      JumpTo(*next);
      return;
    }
    --fragments_left_;
    next = EmitFragment(*next);
  }
}

std::optional<Entry> Translator::EmitFragment(Entry entry) {
  Block* const found = blocks_.At(entry.pc);
  const Block& block = *found;
  const bool hands_on = !entry.near_end() && likelihood_ >= EagerQueue::kHandsOn;
  const FragmentPlan plan = PlanFragment(found, entry.uncounted(), hands_on, in_library_, &blocks_, *code_, options_, by_turns_);
  bool lent = entry.lent;
  Fragment fragment{.begin = out_->here(), .block = &block, .pending = static_cast<std::int16_t>(entry.uncounted()), .lent = lent};
  linker_.Define(entry, fragment.begin);
  EmitNote(&fragment);

  const bool is_call = block.end == Flow::kSystemCall;
  const auto add = [&](std::size_t before, bool keep_flags) {
    const HostPc begin = out_->here();
    const int n = plan.total + plan.ahead;
    keep_flags ? out_->AddToCounterKeepingFlags(n, lent) : out_->AddToCounter(n);
    if (by_turns_ && n != 0 && !entry.near_end()) {
      EmitTurnCheck(Trap::Kind::kTurnIsOver, {block.instructions[before].pc, entry.pending + static_cast<int>(before) - n, lent}, keep_flags);
    }
    if (block.end == Flow::kPopsFlags) out_->NoteUnusualFlags();
    if (is_call) keep_flags ? out_->CountSystemCallKeepingFlags(lent) : out_->CountSystemCall();
    fragment.added = static_cast<std::int16_t>(n);
    fragment.add_before = static_cast<std::uint16_t>(before);
    fragment.add_length = static_cast<std::uint16_t>(out_->here() - begin);
  };
  if (plan.flush && !plan.before) add(0, true);
  const std::size_t n = block.instructions.size();
  const bool last_is_special = block.end != Flow::kNext && !block.runs_off;
  for (std::size_t i = 0; i < n; ++i) {
    if (plan.flush && plan.before == i) add(i, false);
    if (lent && NeedsR11(block.instructions[i])) {
      out_->LoadR11(control::kLentR11);
      fragment.back_before = static_cast<std::uint16_t>(i);
      lent = false;
    }
    if (i + 1 == n && last_is_special) break;
    out_->Copy(block.instructions[i]);
  }
  const std::optional<Entry> next = entry.near_end() ? EmitEndNearEnd(block, lent, &fragment)
                                                     : EmitEnd(block, State{plan.flush ? -plan.ahead : plan.total, lent}, &fragment);
  // A jump alone takes no code, and other blocks little. Where code may change there must be room for the trap of Invalidate, which would
  // stand in another fragment, and for the jump of Redirect.
  const auto may_change = [&] { return code_->MayChange(entry.pc) || (n != 0 && code_->MayChange(block.next() - 1)); };
  while (out_->OffsetFrom(fragment.begin) < kJumpSize && may_change()) out_->Byte(0x90);  // nop
  if (fragment.end == 0) fragment.end = out_->OffsetFrom(fragment.begin);
  if (n != 0) fragments_.Add(out_->region()->base, fragment);
  return next;
}

void Translator::EmitTurnCheck(Trap::Kind kind, Entry entry, bool keep_flags) {
  const HostPc over = keep_flags ? out_->IfBudgetIsOverKeepingFlags() : out_->IfBudgetIsOver();
  // A stub stands in the cold part itself.
  const std::optional<HostPc> past = out_->is_cold() ? std::optional(out_->JumpForGood()) : std::nullopt;
  const Emitter::Cold cold(&*out_);
  linker_.Patch(over, out_->here());
  if (keep_flags) out_->LoadRcx(control::kSpillRcx);
  EmitTrap(kind, entry);
  if (past) linker_.Patch(*past, out_->here());
}

void Translator::EmitNote(Fragment* fragment) {
  if (observer_ == nullptr) return;
  const Block& block = *fragment->block;
  std::vector<std::uint8_t> lengths;
  for (const Instruction& instruction : block.instructions) lengths.push_back(instruction.length);
  if (!IsNotedWhole(block)) lengths.pop_back();
  if (lengths.empty()) return;
  using End = ObservedBlock::End;
  const bool calls = block.end == Flow::kCall || block.end == Flow::kIndirectCall;
  const bool returns = block.end == Flow::kReturn || block.end == Flow::kReturnPop;
  const End end = calls ? End::kCall : returns ? End::kReturn : End::kPlain;
  const HostPc noted = out_->NoteBlock(observer_->AddBlock(code_->process(), {block.pc, lengths, end}), fragment->lent);
  fragment->noted_at = static_cast<std::uint8_t>(noted - fragment->begin);
  fragment->note_length = static_cast<std::uint8_t>(out_->OffsetFrom(fragment->begin));
}

// Edges and ends ---------------------------------------------------------------------------------------

void Translator::JumpTo(Entry entry) { linker_.Link(out_->Jump(), entry); }

void Translator::Want(Entry entry, double likelihood) {
  if (!linker_.Find(entry)) eager_.Want(entry, likelihood);
}

double Translator::DivideLikelihood() {
  if (!in_library_) return 1;
  const double taken = likelihood_ * EagerQueue::kTaken;
  likelihood_ -= taken;
  return taken;
}

void Translator::LendR11(bool lent_already) {
  if (!lent_already) out_->StoreR11(control::kLentR11);
}

void Translator::Flush(GuestPc before, State state) {
  const bool keep_flags = blocks_.LiveIn(before) != isa::kNoFlags;
  keep_flags ? out_->AddToCounterKeepingFlags(state.pending, state.lent) : out_->AddToCounter(state.pending);
  if (by_turns_) EmitTurnCheck(Trap::Kind::kTurnIsOver, {before, 0, state.lent}, keep_flags);
}

Entry Translator::EdgeTo(const Block& from, GuestPc pc, State state, bool* flush) {
  *flush = false;
  const Entry counted{pc, 0, state.lent};
  if (state.pending == 0) return counted;
  Block& to = *blocks_.At(pc);
  const Entry entry{pc, state.pending, state.lent};
  // Entries from outside count first, so that the loop's own variants can unroll it.
  if (const Loop loop = blocks_.LoopAround(&to, in_library_); loop.length != 0 && loop.length * 2 <= options_.unrolled) {
    if (blocks_.IsIn(loop, from.pc)) return entry;
    *flush = true;
    return counted;
  }
  const bool counted_ahead = state.pending < 0 && pc == from.next();
  if (counted_ahead || linker_.Knows(entry)) return entry;
  if (to.variants < options_.variants) {
    ++to.variants;
    return entry;
  }
  *flush = true;
  return counted;
}

Entry Translator::FallTo(const Block& from, GuestPc pc, State state) {
  bool flush = false;
  const Entry entry = EdgeTo(from, pc, state, &flush);
  if (flush) Flush(pc, state);
  return entry;
}

Entry Translator::EmitTaken(HostPc displacement_at, const Block& block, State state) {
  bool flush = false;
  Entry entry = EdgeTo(block, block.last().target(), state, &flush);
  if (state.pending > 0 && IsWayOut(blocks_.At(block.pc), in_library_, &blocks_)) {
    flush = true;
    entry = {block.last().target(), 0, state.lent};
  }
  Want(entry, DivideLikelihood());
  if (!flush) {
    linker_.Link(displacement_at, entry);
    return entry;
  }
  const Emitter::Cold cold(&*out_);
  const HostPc stub = out_->here();
  Flush(entry.pc, state);
  JumpTo(entry);
  linker_.Patch(displacement_at, stub);
  return entry;
}

void Translator::EmitDispatch() {
  out_->StoreRcx(control::kSpillRcx);
  out_->DispatchThrough(Table::kJump);
}

// What a jump or call through a fixed place in memory (a procedure linkage table's) finds there now, it will probably
// find when it comes.
void Translator::EmitInlineCache(const Instruction& instruction) {
  const HostPc trap = inline_caches_.Emit(cache_, &*out_);
  traps_.At(trap) = {Trap::Kind::kInlineCache, {}};
  if (instruction.rip_displacement_at == 0 || instruction.fs) return;
  const GuestPc target = code_->WordAt(instruction.RipTarget());
  if (!code_->IsExecutable(target)) return;
  linker_.Link(inline_caches_.Expect(trap, target, cache_), {target, 0, true});
  Want({target, 0, true}, likelihood_);
}

std::optional<Entry> Translator::EmitCall(const Block& block, bool lent) {
  const GuestPc back = block.next();
  LendR11(lent);
  if (block.end == Flow::kCall) {
    out_->PushReturnAddress(back);
    const Entry callee{block.last().target(), 0, true};
    JumpTo(callee);
    Want(callee, likelihood_);
  } else {
    out_->LoadTarget(block.last());
    out_->PushReturnAddress(back);
    EmitInlineCache(block.last());
  }
  if (branch_targets_.Has(Table::kReturn, back) || !code_->IsExecutable(back)) return std::nullopt;
  return Entry{back, 0, true};
}

std::optional<Entry> Translator::EmitEnd(const Block& block, State state, Fragment* fragment) {
  const bool lent = state.lent;
  if (block.runs_off) {
    EmitTrap(Trap::Kind::kRunsOff, {block.next(), 0, lent});
    return std::nullopt;
  }
  const Instruction& last = block.last();
  switch (block.end) {
    case Flow::kNext: return FallTo(block, block.next(), state);
    case Flow::kJump:
      if (by_turns_) out_->Byte(0x90);  // nop: a place of its own, for GoFurther
      return FallTo(block, last.target(), state);
    case Flow::kConditional:
      EmitTaken(out_->JumpIf(last.condition), block, state);
      return FallTo(block, block.next(), state);
    case Flow::kLoop:
      EmitTaken(out_->Loop(last), block, state);
      return FallTo(block, block.next(), state);
    case Flow::kCall:
    case Flow::kIndirectCall: {
      const std::optional<Entry> next = EmitCall(block, lent);
      fragment->end = out_->OffsetFrom(fragment->begin);
      if (next) branch_targets_.Emit(Table::kReturn, next->pc, &*out_);
      return next;
    }
    case Flow::kIndirectJump:
      LendR11(lent);
      out_->LoadTarget(last);
      if (last.rip_displacement_at != 0) {
        EmitInlineCache(last);
      } else {
        EmitDispatch();
      }
      return std::nullopt;
    case Flow::kReturn:
      LendR11(lent);
      out_->PopIntoR11();
      out_->DispatchThrough(Table::kReturn);
      return std::nullopt;
    case Flow::kReturnPop:
      LendR11(lent);
      out_->PopIntoR11();
      out_->DropFromStack(last.pop());
      EmitDispatch();
      return std::nullopt;
    case Flow::kSystemCall: {
      const auto number = CallNumber(block);
      const bool stops = by_turns_ ? MayConcernOthers(number) : shared_ && number == SYS_set_tid_address;
      constexpr std::uint8_t kTrapSize = 1;
      out_->StoreEax(control::kCallNumber);
      if (notes_calls_) {
        out_->NoteCall();
      } else {
        clock_.EmitCall(number, stops ? kTrapSize : 0, &*out_);
      }
      if (stops) EmitTrap(Trap::Kind::kTurnCall, {last.pc});
      out_->Copy(last);
      fragment->call_end = out_->OffsetFrom(fragment->begin);
      EmitFailureCheck(fragment->begin + fragment->call_end - kSyscallLength, block.next());
      if (notes_calls_) out_->NoteCallEnd();
      out_->SetRcx(block.next());
      return Entry{block.next()};
    }
    case Flow::kEmulated: EmitEmulated(last); return Entry{block.next()};
    case Flow::kFault:
      out_->Copy(last);
      fragment->trap_end = out_->OffsetFrom(fragment->begin);
      out_->Trap();  // belongs to nobody: the next fragment must not begin where a trap stops
      return std::nullopt;
    case Flow::kUndefined:
      out_->Bytes({0x0f, 0x0b});  // ud2
      out_->Trap();
      return std::nullopt;
    case Flow::kPopsFlags:
      out_->Copy(last);
      return FallTo(block, block.next(), state);
    case Flow::kSavesX87Here:
      out_->Copy(last);
      out_->ZeroX87Pointers(last);
      return FallTo(block, block.next(), state);
    case Flow::kSavesX87:
    case Flow::kSingleStep:
      EmitTrap(Trap::Kind::kSingleStep, {last.pc}, &last);
      out_->Copy(last);
      out_->Trap();  // nobody goes on there
      return std::nullopt;
    case Flow::kRefused: EmitTrap(Trap::Kind::kRefused, {last.pc}, &last); return std::nullopt;
  }
  return std::nullopt;
}

// No more is translated than is executed: nobody comes back this way soon.
std::optional<Entry> Translator::EmitEndNearEnd(const Block& block, bool lent, Fragment* fragment) {
  const auto go_on_at = [&](GuestPc pc) {
    if (MayEndTurn(block)) EmitTurnCheck(Trap::Kind::kTurnEnds, {pc, 0, lent}, true);
    return Entry{pc, Entry::kNearEnd, lent};
  };
  const auto lend = [&] { LendR11(std::exchange(lent, true)); };
  if (!block.runs_off) {
    const Instruction& last = block.last();
    switch (block.end) {
      case Flow::kJump: return go_on_at(last.target());
      case Flow::kConditional:
      case Flow::kLoop: {
        const HostPc taken = block.end == Flow::kLoop ? out_->Loop(last) : out_->JumpIf(last.condition);
        {
          const Emitter::Cold cold(&*out_);
          linker_.Patch(taken, out_->here());
          JumpTo(go_on_at(last.target()));
        }
        return go_on_at(block.next());
      }
      case Flow::kCall:
        lend();
        out_->PushReturnAddress(block.next());
        return go_on_at(last.target());
      case Flow::kIndirectCall:
      case Flow::kIndirectJump:
        lend();
        out_->LoadTarget(last);
        if (block.end == Flow::kIndirectCall) out_->PushReturnAddress(block.next());
        EmitTrap(Trap::Kind::kTurnJump, {});
        return std::nullopt;
      case Flow::kReturn:
      case Flow::kReturnPop:
        lend();
        out_->PopIntoR11();
        if (block.end == Flow::kReturnPop) out_->DropFromStack(last.pop());
        EmitTrap(block.end == Flow::kReturn ? Trap::Kind::kTurnReturn : Trap::Kind::kTurnJump, {});
        return std::nullopt;
      case Flow::kSystemCall:  // counted already
        EmitTrap(Trap::Kind::kTurnEnds, {last.pc, -1, lent});
        return std::nullopt;
      default: break;
    }
  }
  std::optional<Entry> next = EmitEnd(block, State{0, lent}, fragment);
  if (next) next->pending = Entry::kNearEnd;
  return next;
}

// A call may fail because the program may not write its own code at the moment (guest_code.h).
void Translator::EmitFailureCheck(HostPc call, GuestPc next) {
  const HostPc succeeded = out_->UnlessRaxIs(-EFAULT);
  EmitTrap(Trap::Kind::kBadAddress, {next, static_cast<int>(out_->here() - call)});
  out_->EndShortJump(succeeded);
}

void Translator::EmitEmulated(const Instruction& i) {
  constexpr std::uint8_t kCpuid = 0xa2, kRdtsc = 0x31, kRdtscp = 0xf9;
  const std::uint8_t opcode = i.bytes[i.length - 1U];
  const bool is_rdtscp = i.modrm_at != 0 && i.bytes[i.modrm_at - 1U] == 0x01 && opcode == kRdtscp;
  if (cpu_ != nullptr && i.modrm_at == 0 && opcode == kCpuid) {
    EmitCpuid(i);
    return;
  }
  const bool is_clock = clock_.AnswersRdtsc() && (is_rdtscp || (i.modrm_at == 0 && opcode == kRdtsc));
  if (is_clock) ClockCode::EmitRdtsc(&*out_);
  EmitTrap(Trap::Kind::kEmulate, {i.pc}, &i);
  if (is_clock && is_rdtscp) out_->SetRcx(0);
}

void Translator::EmitCpuid(const Instruction& cpuid) {
  const HostPc away = out_->Jump();
  const HostPc back = out_->here();
  const Emitter::Cold cold(&*out_);
  linker_.Patch(away, out_->here());
  for (const HostPc answered : EmitCpuidAnswers(*cpu_, &*out_)) linker_.Patch(answered, back);
  EmitTrap(Trap::Kind::kEmulate, {cpuid.pc}, &cpuid);
  linker_.Patch(out_->Jump(), back);
}

void Translator::AddBranchTarget(Table table, GuestPc pc) {
  if (!branch_targets_.Has(table, pc)) Emit({pc, 0, true}, table);
}

bool Translator::ExpectMadeCode() {
  if (branch_targets_.are_careful()) return false;
  branch_targets_.BeCareful();
  return true;
}

void Translator::MakeStale(Block* block) {
  for (Destination* d = &block->destination; d != nullptr; d = d->next) {
    if (!d->translated) continue;
    traps_.At(d->at) = {Trap::Kind::kStale, {block->pc, d->pending, d->lent}};
    *cache_->Ours(d->at) = kTrap;
    d->translated = false;
  }
}

void Translator::Invalidate(GuestPc begin, GuestPc end) {
  blocks_.Renew(begin, end, [this](Block* block) { MakeStale(block); });
}

void Translator::Renew(GuestPc pc) {
  Block* const block = blocks_.Known(pc);
  if (!block->decoded || !block->instructions.empty()) return;
  MakeStale(block);
  blocks_.RenewEmpty(block);
}

void Translator::Redirect(HostPc at, HostPc to) {
  if (fragments_.LengthAt(at) < kJumpSize) return;
  linker_.PatchNow(at + 1, to);
  *cache_->Ours(at) = 0xe9;  // jmp rel32
}

void Translator::TakeTurns() {
  by_turns_ = true;
  Restart();
}

void Translator::Restart() {
  // A program may ask for this without end, and each time all that is kept is compared with its code.
  if (++restarts_ > kMostRestarts) {
    Clear();
    return;
  }
  const auto mappings = kept_ == nullptr ? std::vector<std::pair<GuestPc, GuestPc>>{} : kept_->Mappings();
  Keep();
  Clear();
  if (!mappings.empty()) kept_->BeginAnew();
  for (const auto& [begin, end] : mappings) TakeMapping(begin, end);
}

void Translator::Clear() {
  ++forgotten_;
  if (kept_ != nullptr) kept_->Forget();
  traps_.Clear();
  inline_caches_.Clear();
  fragments_.Clear();
  branch_targets_.Clear();
  linker_.Clear();
  blocks_.Clear();
  pool_.Clear();
  cache_->Empty();
  Begin();
}

}  // namespace tally
