#include "supervisor/translator/translator.h"

#include <array>
#include <deque>

#include "base/error.h"

namespace tally {
namespace {

constexpr std::uint32_t kMostPending = 100;  // carried over an edge
constexpr int kMostVariants = 4;             // of one guest address
constexpr std::uint32_t kUnrolled = 64;      // instructions of a loop's body per add
constexpr std::size_t kAhead = 8;            // entries translated beyond the one asked for

static_assert(kMostPending + Blocks::kLongest <= Entry::kMostPending);

bool EndsKnown(Flow end) {
  return end == Flow::kNext || end == Flow::kConditional || end == Flow::kJump || end == Flow::kLoop;
}

// Is the last instruction executed within the unit, so that it counts there? A fault is counted by nobody.
bool LastCounts(const Block& block) { return block.end != Flow::kFault && block.end != Flow::kRefused; }

}  // namespace

// Where and how much a unit adds to the counter.
struct Translator::Plan {
  std::uint32_t total = 0;      // pending at its end, before adding
  bool flush = false;
  std::optional<std::size_t> before;  // the instruction in front of which the flags are dead

  // The last instruction in front of which no flag is alive. A handler sees the flags of an instruction that faults;
  // `even_by_handlers` asks for a place where not even that could tell.
  static std::optional<std::size_t> LastDead(const Block& block, isa::Flags live, bool even_by_handlers) {
    for (std::size_t i = block.instructions.size(); i-- > 0;) {
      const Instruction& instruction = block.instructions[i];
      live = static_cast<isa::Flags>((live & ~instruction.killed) | instruction.read);
      if (even_by_handlers && instruction.may_fault) live = isa::kAllFlags;
      if (live == isa::kNoFlags) return i;
    }
    return std::nullopt;
  }

  Plan(const Block& block, std::uint32_t pending, isa::Flags live) {
    const std::size_t n = block.instructions.size();
    total = pending + static_cast<std::uint32_t>(n);
    if (!LastCounts(block) && !block.runs_off) --total;
    before = LastDead(block, live, true);
    if (!before) before = LastDead(block, live, false);
    flush = !EndsKnown(block.end) || total > kMostPending;
    if (flush || !before || block.end == Flow::kNext || block.instructions.empty()) return;
    const GuestPc target = block.last().target;
    if (target > block.pc) return;
    const bool self = target == block.pc && total + n <= kUnrolled;
    flush = !self;
  }
};

Translator::Translator(GuestCode* code, CodeCache* cache, ControlArea* control, bool shared)
    : code_(code), cache_(cache), shared_(shared), blocks_(code), linker_(cache), landings_(&blocks_, &linker_, control) {}

void Translator::Begin() {
  out_.emplace(const_cast<CodeCache::Zone*>(&cache_->zones().front()), shared_);
  gadget_ = out_->here();
  out_->Bytes({0x0f, 0x05});  // syscall
  out_->Trap();
  out_->Byte(0);  // the end of a string, where one is needed
  const HostPc return_miss = out_->here();
  EmitTrap(Trap::Kind::kReturnMiss, {});
  const HostPc jump_miss = out_->here();
  EmitTrap(Trap::Kind::kJumpMiss, {});
  landings_.SetMisses(return_miss, jump_miss);
}

void Translator::EmitTrap(Trap::Kind kind, Entry entry) {
  traps_[out_->here()] = {kind, entry};
  out_->Trap();
}

std::optional<Trap> Translator::TrapAt(HostPc at) const {
  const auto found = traps_.find(at);
  if (found == traps_.end()) return std::nullopt;
  return found->second;
}

HostPc Translator::Translate(Entry asked) {
  if (const auto made = linker_.Find(asked)) return *made;
  CodeCache::Zone* const zone = cache_->Near(asked.pc);
  if (zone == nullptr) throw SystemError("translator: code where no zone reaches", 0);
  const CodeCache::Zone old = *zone;
  out_.emplace(zone, shared_);
  linker_.TakeWanted();
  std::deque<Entry> work{asked};
  for (std::size_t done = 0; !work.empty() && (done < kAhead || !linker_.Find(asked)); ++done) {
    const Entry entry = work.front();
    work.pop_front();
    // What lies near another zone is left to a stub.
    if (!linker_.Find(entry) && cache_->Near(entry.pc) == zone) EmitFrom(entry);
    for (const Entry& wanted : linker_.TakeWanted()) work.push_back(wanted);
  }
  linker_.MakeStubs([this](Entry entry) {
    const Emitter::Cold cold(&*out_);
    const HostPc at = out_->here();
    EmitTrap(Trap::Kind::kStub, entry);
    return at;
  });
  Publish(old);
  return linker_.Find(asked).value();
}

void Translator::Publish(const CodeCache::Zone& old) {
  linker_.Publish(old);
  landings_.Publish();
}

void Translator::EmitFrom(Entry entry) {
  std::optional<Entry> next = entry;
  bool first = true;
  while (next) {
    if (linker_.Find(*next)) {
      if (!first) JumpTo(*next);
      return;
    }
    first = false;
    next = EmitUnit(*next);
  }
}

std::optional<Entry> Translator::EmitUnit(Entry entry) {
  const Block& block = blocks_.At(entry.pc);
  const Plan plan(block, entry.pending, blocks_.LiveOut(entry.pc));
  Unit unit{.begin = out_->here(), .block = &block, .pending = entry.pending, .starts = {}};
  linker_.Define(entry, unit.begin);

  const auto added = [&] {
    unit.added = plan.total;
    unit.add_end = out_->here();
  };
  const bool is_call = block.end == Flow::kSystemCall;
  if (plan.flush && !plan.before) {
    out_->AddToCounterKeepingFlags(plan.total);
    if (is_call) out_->CountSystemCallKeepingFlags();
    added();
  }
  const std::size_t n = block.instructions.size();
  const bool last_is_special = block.end != Flow::kNext && !block.runs_off;
  for (std::size_t i = 0; i < n; ++i) {
    if (plan.flush && plan.before == i) {
      out_->AddToCounter(plan.total);
      if (is_call) out_->CountSystemCall();
      added();
    }
    unit.starts.push_back(static_cast<std::uint16_t>(out_->here() - unit.begin));
    if (i + 1 == n && last_is_special) break;
    out_->Copy(block.instructions[i]);
  }
  const std::optional<Entry> next = EmitEnd(block, plan.flush ? 0 : plan.total, &unit);
  if (unit.end == 0) unit.end = out_->here();
  if (n != 0) units_.Add(out_->zone()->base, std::move(unit));
  return next;
}

// Edges and ends ---------------------------------------------------------------------------------------

void Translator::JumpTo(Entry entry) { linker_.Link(out_->Jump(), entry); }

void Translator::Flush(GuestPc before, std::uint32_t n) {
  if (blocks_.LiveIn(before) == isa::kNoFlags) {
    out_->AddToCounter(n);
  } else {
    out_->AddToCounterKeepingFlags(n);
  }
}

Entry Translator::EdgeTo(const Block& from, GuestPc pc, std::uint32_t pending, bool* flush) {
  *flush = false;
  if (pending == 0) return {pc, 0};
  const Block& to = blocks_.At(pc);
  const bool is_loop = to.end == Flow::kConditional && to.last().target == pc && to.instructions.size() * 2 <= kUnrolled;
  const Entry entry{pc, pending};
  if (is_loop) {  // entries from outside count first, so that the loop's own variants can unroll it
    if (from.pc == pc) return entry;
    *flush = true;
    return {pc, 0};
  }
  if (linker_.Find(entry) || linker_.IsWanted(entry)) return entry;
  if (variants_[pc] < kMostVariants) {
    ++variants_[pc];
    return entry;
  }
  *flush = true;
  return {pc, 0};
}

Entry Translator::FallTo(const Block& from, GuestPc pc, std::uint32_t pending) {
  bool flush = false;
  const Entry entry = EdgeTo(from, pc, pending, &flush);
  if (flush) Flush(pc, pending);
  return entry;
}

Entry Translator::EmitTaken(HostPc displacement_at, const Block& block, std::uint32_t pending) {
  bool flush = false;
  const Entry entry = EdgeTo(block, block.last().target, pending, &flush);
  if (!flush) {
    linker_.Link(displacement_at, entry);
    return entry;
  }
  const Emitter::Cold cold(&*out_);
  const HostPc stub = out_->here();
  Flush(entry.pc, pending);
  JumpTo(entry);
  linker_.Patch(displacement_at, stub);
  return entry;
}

void Translator::EmitDispatch(bool with_inline_cache) {
  if (with_inline_cache) {
    traps_[inline_caches_.Emit(cache_, &*out_)] = {Trap::Kind::kInlineCache, {}};
    return;
  }
  out_->StoreR11(control::kTarget);
  out_->DispatchThrough(Table::kJump);
}

std::optional<Entry> Translator::EmitCall(const Block& block, bool direct) {
  const GuestPc back = block.next();
  if (direct) {
    out_->PushReturnAddress(back);
    JumpTo({block.last().target, 0});
  } else {
    out_->StoreR11(control::kSpillR11);
    out_->LoadTarget(block.last());
    out_->PushReturnAddress(back);
    EmitDispatch(true);
  }
  if (landings_.Has(Table::kReturn, back) || !code_->IsExecutable(back)) return std::nullopt;
  return Entry{back, 0};
}

std::optional<Entry> Translator::EmitEnd(const Block& block, std::uint32_t pending, Unit* unit) {
  if (block.runs_off) {
    EmitTrap(Trap::Kind::kRunsOff, {block.next(), 0});
    return std::nullopt;
  }
  const Instruction& last = block.last();
  switch (block.end) {
    case Flow::kNext: return FallTo(block, block.next(), pending);
    case Flow::kJump: return FallTo(block, last.target, pending);
    case Flow::kConditional:
      EmitTaken(out_->JumpIf(last.condition), block, pending);
      return FallTo(block, block.next(), pending);
    case Flow::kLoop:
      EmitTaken(out_->Loop(last), block, pending);
      return FallTo(block, block.next(), pending);
    case Flow::kCall:
    case Flow::kIndirectCall: {
      const std::optional<Entry> next = EmitCall(block, block.end == Flow::kCall);
      unit->end = out_->here();
      if (next) landings_.Emit(Table::kReturn, next->pc, &*out_);
      return next;
    }
    case Flow::kIndirectJump:
      out_->StoreR11(control::kSpillR11);
      out_->LoadTarget(last);
      EmitDispatch(last.rip_displacement_at != 0);
      return std::nullopt;
    case Flow::kReturn:
      out_->StoreR11(control::kSpillR11);
      out_->LoadReturnAddress();
      out_->DispatchThrough(Table::kReturn);
      return std::nullopt;
    case Flow::kReturnPop:
      out_->StoreR11(control::kSpillR11);
      out_->PopIntoR11(last.pop);
      EmitDispatch(false);
      return std::nullopt;
    case Flow::kSystemCall:
      out_->Copy(last);
      unit->call_end = out_->here();
      out_->SetRcx(block.next());
      return Entry{block.next(), 0};
    case Flow::kEmulated:
      EmitTrap(Trap::Kind::kEmulate, {last.pc, 0});
      return Entry{block.next(), 0};
    case Flow::kFault:
      out_->Copy(last);
      unit->trap_end = out_->here();
      out_->Trap();  // belongs to nobody: the next unit must not begin where a trap stops
      return std::nullopt;
    case Flow::kRefused: EmitTrap(Trap::Kind::kRefused, {last.pc, 0}); return std::nullopt;
  }
  return std::nullopt;
}

void Translator::AddLanding(Table table, GuestPc pc) {
  if (landings_.Has(table, pc)) return;
  const HostPc body = Translate(pc);
  const CodeCache::Zone old = *cache_->Near(pc);
  out_.emplace(cache_->Near(pc), shared_);
  landings_.Emit(table, pc, &*out_);
  linker_.Patch(out_->Jump(), body);
  Publish(old);
}

void Translator::Clear() {
  traps_.clear();
  variants_.clear();
  inline_caches_.Clear();
  units_.Clear();
  landings_.Clear();
  linker_.Clear();
  blocks_.Clear();
  cache_->Empty();
  Begin();
}

}  // namespace tally
