#include "supervisor/translator/emit/translator.h"

#include <iterator>
#include <utility>
#include <vector>

#include "base/error.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/translated_run.h"
#include "supervisor/translator/persist/translation_cache.h"

namespace tally {
namespace {

constexpr std::uint8_t kTrap = 0xcc;

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
      cpu_(run.machine.Has(VirtualRule::kCpu) ? &run.machine.cpu() : nullptr), observer_(run.observer), notes_calls_(run.call_observer != nullptr), by_turns_(run.takes_turns), shared_(run.most_tasks > 1), one_at_a_time_(run.may_take_turns),
      blocks_(code, cache, &pool_, run.machine.cpu().level()), linker_(cache, &blocks_, &pool_), branch_targets_(&blocks_, &linker_, control, &pool_),
      clock_(run.machine.options().rules), status_(run.machine.options().rules),
      state_components_(static_cast<std::uint32_t>(run.machine.state_components())) {
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
  series_ = out_->here();
  out_->Bytes(CallSeries::kCode);
  const HostPc return_miss = out_->here();
  EmitTrap(Trap::Kind::kReturnMiss, {});
  const HostPc jump_miss = out_->here();
  EmitTrap(Trap::Kind::kJumpMiss, {});
  branch_targets_.SetMisses(return_miss, jump_miss);
  clock_.Emit(&*out_, *control_);
  status_.Emit(&*out_, *control_);
}

void Translator::EmitTrap(Trap::Kind kind, Entry entry, const Instruction* instruction) {
  traps_.At(out_->here()) = {kind, entry, instruction};
  out_->Trap();
}

std::optional<Trap> Translator::TrapAt(HostPc at) {
  if (const auto stub = cache_->StubWord(at)) return Trap{Trap::Kind::kStub, Entry::FromKey(*stub)};
  std::optional<Trap> found = KnownTrapAt(at);
  if (!found) return std::nullopt;
  Trap& trap = *found;
  const bool has_instruction = trap.kind == Trap::Kind::kEmulate || trap.kind == Trap::Kind::kSingleStep || trap.kind == Trap::Kind::kRefused;
  if (has_instruction && trap.instruction == nullptr) {  // of an earlier run's translation (translation_cache.h)
    const Block& block = *blocks_.At(trap.entry.pc);
    if (block.instructions.empty()) throw SystemError("translator: a trap that belongs to no instruction", 0);
    trap.instruction = &block.instructions.front();
  }
  return found;
}

std::optional<Trap> Translator::KnownTrapAt(HostPc at) const {
  if (const Trap* const found = traps_.Find(at)) return *found;
  if (const object::Trap* const loaded = kept_ == nullptr ? nullptr : kept_->TrapAt(at)) return Trap{static_cast<Trap::Kind>(loaded->kind), Entry::FromKey(loaded->key)};
  std::optional<Fragment> fragment = fragments_.At(at);
  if (!fragment && kept_ != nullptr) fragment = kept_->FragmentAt(at);
  if (!fragment || fragment->begin != at || fragment->BeginsWithTrap()) return std::nullopt;
  return Trap{Trap::Kind::kStale, {fragment->block->pc, fragment->near_end ? Entry::kNearEnd : fragment->pending, fragment->lent}};
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
  BringBack(asked.pc);
  if (const auto made = linker_.Find(asked)) {
    Publish(*RegionFor(asked.pc));
    return *made;
  }
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

template <typename Emission>
void Translator::EmitAll(GuestPc pc, int most_fragments, bool is_kept, Emission emit) {
  CodeCache::Region* const region = RegionFor(pc);
  const CodeCache::Region old = *region;
  EmitInto(region);
  fragments_left_ = most_fragments;
  hot_begin_ = region->hot;
  cold_begin_ = region->cold;
  eager_.Clear();
  in_library_ = code_->IsLibrary(pc);
  likelihood_ = 1;
  {
    const NotedChain noted(is_kept ? kept_.get() : nullptr, pc, region);
    emit();
  }
  EmitEager(region);
  EmitReturnsTo(region);
  linker_.MakeStubs(region);
  Publish(old);
}

HostPc Translator::Emit(Entry asked, std::optional<Table> branch_target) {
  EmitAll(asked.pc, asked.near_end() ? kMostFragmentsNearEnd : kMostFragments, !asked.near_end(), [&] {
    if (branch_target) branch_targets_.Emit(*branch_target, asked.pc, &*out_);
    GoOnWith(asked, true);
  });
  // What a call near a turn's end returns to has a branch target as what any other does (branch_targets.h).
  for (const GuestPc back : std::exchange(called_near_end_, {})) {
    if (code_->IsExecutable(back) && !RegionFor(back)->IsNearlyFull()) AddBranchTarget(Table::kReturn, back);
  }
  return linker_.Find(asked).value();
}

// What an inline cache leads to is counted already (EmitCall).
HostPc Translator::TranslateCallee(GuestPc call, GuestPc target) {
  const Block& caller = *blocks_.At(call);
  in_library_ = code_->IsLibrary(call);
  if (caller.end != Flow::kIndirectCall || !ReturnsSoon(caller, target)) return Translate({target, 0, true});
  HostPc begin = 0;
  EmitAll(call, kMostFragments, true, [&] {
    begin = out_->here();
    EmitChain(EmitWayBack(BeginWayBack(caller, target, {0, true})), false);
    EmitWaysAside();
  });
  return begin;
}

HostPc Translator::Remember(HostPc at, GuestPc call, GuestPc target) {
  if (inline_caches_.UsedAt(at) == InlineCaches::kWays) {
    InlineCaches::BeDone(at, cache_);
    return at;
  }
  const HostPc host = call == 0 ? Translate({target, 0, true}) : TranslateCallee(call, target);
  return inline_caches_.Remember(at, target, host, cache_, &linker_);
}

void Translator::EmitEager(const CodeCache::Region* region) {
  std::size_t left = options_.eager * (in_library_ ? EagerQueue::kInLibraries : 1);
  for (; left != 0; --left) {
    const std::optional<EagerQueue::Wanted> next = eager_.Next();
    if (!next || IsLong()) return;
    // What lies near another code region is left to a stub.
    BringBack(next->entry.pc);
    if (linker_.Find(next->entry) || cache_->Near(next->entry.pc) != region) continue;
    likelihood_ = next->likelihood;
    const NotedChain noted(kept_.get(), next->entry.pc, region);
    GoOnWith(next->entry, false);
  }
}

// Other returns to behind such a call find it in the table.
void Translator::EmitReturnsTo(const CodeCache::Region* region) {
  while (!called_on_way_.empty()) {
    const GuestPc back = called_on_way_.back();
    called_on_way_.pop_back();
    if (branch_targets_.Has(Table::kReturn, back)) continue;
    const NotedChain noted(kept_.get(), back, region);
    branch_targets_.Emit(Table::kReturn, back, &*out_);
    GoOnWith(Entry{back, 0, true}, false);
  }
}

void Translator::EmitInto(CodeCache::Region* region) {
  const Emitter::Style style{.shared = shared_ && !one_at_a_time_, .by_turns = by_turns_, .bmi2 = options_.bmi2, .by_eip = options_.by_eip > 0, .wide = shared_};
  out_.emplace(region, style, kept_ == nullptr ? nullptr : kept_->journal());
}

void Translator::Publish(const CodeCache::Region& old) {
  linker_.Publish(old);
  branch_targets_.Publish();
}

// Behind what a compiler has written so far, and behind calls that do not return.
bool Translator::IsBlank(GuestPc pc) {
  const std::span<const std::uint8_t> code = code_->BytesAt(pc);
  return code.size() < 2 || (code[0] == 0 && code[1] == 0);  // add %al, (%rax)
}

void Translator::GoOnWith(std::optional<Entry> next, bool is_asked) {
  EmitChain(next, is_asked);
  EmitWaysAside();
}

void Translator::EmitChain(std::optional<Entry> next, bool is_asked) {
  for (; next; is_asked = false) {
    // What addresses memory relative to itself must lie in its own code region.
    const bool elsewhere = !is_asked && cache_->Near(next->pc) != out_->region();
    const bool is_left = likelihood_ < EagerQueue::kLeast || elsewhere || IsLong();
    if (!is_left && !is_asked) BringBack(next->pc);  // which reads the code, and guards it
    if (is_left || linker_.Find(*next) || (!is_asked && IsBlank(next->pc))) {
      JumpTo(*next);
      return;
    }
    --fragments_left_;
    next = EmitFragment(*next);
    if (way_back_) next = EmitWayBack(*std::exchange(way_back_, std::nullopt));
  }
}

void Translator::AddBranchTarget(Table table, GuestPc pc) {
  if (!branch_targets_.Has(table, pc)) Emit({pc, 0, true}, table);
}

void Translator::WidenTables() {
  branch_targets_.Widen();
  Publish(cache_->regions().front());
}

// The fragment that begins there tells the rest (KnownTrapAt), where there is one and its own code does not begin with a trap.
void Translator::MakeStale(Block* block) {
  for (Destination* d = &block->destination; d != nullptr; d = d->next) {
    if (!d->translated) continue;
    std::uint8_t* const first = cache_->Ours(d->at);
    const bool is_noted = std::exchange(*first, kTrap) == kTrap || block->instructions.empty();
    if (is_noted) traps_.At(d->at) = {Trap::Kind::kStale, {block->pc, d->pending, d->lent}};
    d->translated = false;
  }
}

// One that begins with a trap anyway is made anew.
void Translator::SetAside(GuestPc begin, GuestPc end) {
  blocks_.Renew(begin, end, [this](Block* block) {
    const bool may_come_back = !block->runs_off && !block->instructions.empty();
    for (const Destination* d = &block->destination; may_come_back && d != nullptr; d = d->next) {
      const std::uint8_t byte = *cache_->Ours(d->at == 0 ? gadget_ : d->at);
      if (d->translated && byte != kTrap) aside_[block->pc / GuestCode::kChunk].push_back({block, d->at, byte});
    }
    MakeStale(block);
  });
}

void Translator::BringBack(GuestPc pc) {
  const auto found = aside_.find(pc / GuestCode::kChunk);
  if (found == aside_.end() || code_->BytesAt(pc).empty()) return;
  const std::vector<Aside> all = std::move(found->second);
  found->second = {};
  for (const Aside& aside : all) {
    Block* const block = blocks_.Known(aside.block->pc);
    Destination* d = &block->destination;
    while (d != nullptr && d->at != aside.at) d = d->next;
    if (d == nullptr || d->translated) continue;  // it was made anew
    if (block != aside.block) continue;  // it is another
    if (block->pc == pc) code_->BytesAt(block->next() - 1);  // it is read now anyway; of others that would guard more
    const std::optional<bool> is_back = block->decoded ? true : blocks_.TakeBack(block);
    if (!is_back) found->second.push_back(aside);
    if (!is_back.value_or(false)) continue;
    *cache_->Ours(d->at) = aside.byte;
    linker_.Revive(d);
  }
  if (found->second.empty()) aside_.erase(found);
}

void Translator::RenewBefore(HostPc at) {
  const Trap* const trap = traps_.Find(at);
  const std::optional<GuestPlace> place = fragments_.PlaceOf(at);
  for (const GuestPc pc : {place ? place->block->pc : trap->entry.pc, trap->entry.pc}) {
    Block* const block = blocks_.Known(pc);
    if (!block->decoded || !block->runs_off) continue;
    MakeStale(block);
    blocks_.Renew(block);
  }
}

void Translator::Redirect(HostPc at, HostPc to) {
  if (fragments_.LengthAt(at) < Emitter::kJumpSize) return;
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
  aside_.clear();
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
