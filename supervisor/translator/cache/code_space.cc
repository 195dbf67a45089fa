#include "supervisor/translator/cache/code_space.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "supervisor/translator/guest/guest.h"

namespace tally {
CodeSpace::CodeSpace(SharedMemory memory, const TranslatedRun& run)
    : memory_(std::move(memory)),
      cache_(&memory_, run.options.region_bytes),
      control_(&memory_, kControlOffset, run.most_tasks, run.HasLogs(), run.most_tasks == 1 && run.options.narrow_until != 0),
      translator_(&code_, &cache_, &control_, run),
      page_used_(run.most_tasks),
      proof_(run.proof),
      files_(run.machine.calls().files()) {}

void CodeSpace::ActAs(pid_t tid) {
  code_.SetProcess(tid, [this, tid](GuestPc begin, GuestPc end, bool writable) {
    const std::uint64_t rights = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    // Whatever the kernel refuses here it refuses for what the program has mapped: too much, nothing, huge pages.
    CallArguments arguments{begin, end - begin, rights};
    arguments[kProofArgument] = proof_;
    return Injector(tid, translator_.gadget()).Call(SYS_mprotect, arguments) == 0;
  });
}

void CodeSpace::Make(const CallSeries& calls, const Injector& injector) {
  const CodeCache::Region& region = cache_.regions().front();
  const auto& words = calls.words();
  std::memcpy(region.ours + (region.hot - region.base), words.data(), words.size() * sizeof words.front());
  injector.MustCallAll(calls, translator_.series(), region.hot);
}

bool CodeSpace::MustForget() const {
  if (world_stops_ != 0) return false;
  if (translator_.KnowsTooMuch()) return true;
  const auto& regions = cache_.regions();
  return std::any_of(regions.begin(), regions.end(), [](const CodeCache::Region& region) { return region.IsNearlyFull(); });
}

CounterPage CodeSpace::Enter(Guest* guest) {
  const auto free = std::find(page_used_.begin(), page_used_.end(), false);
  if (free == page_used_.end()) throw TaskIsGone{};  // more tasks than allowed: Watch is about to end the run
  const auto i = static_cast<std::size_t>(free - page_used_.begin());
  const CounterPage page = control_.Page(i);
  page.Clear();
  StatusCode::Tell(files_, page);
  if (control_.HasLogs()) control_.Log(i).Clear();
  page_used_[i] = true;
  guests_.push_back(guest);
  return page;
}

void CodeSpace::Leave(Guest* guest) {
  guests_.erase(std::remove(guests_.begin(), guests_.end(), guest), guests_.end());
  page_used_[IndexOf(guest->page())] = false;
}

std::vector<Guest*> CodeSpace::GuestsIn(std::uint64_t memory) const {
  std::vector<Guest*> out;
  std::copy_if(guests_.begin(), guests_.end(), std::back_inserter(out),
               [&](const Guest* guest) { return guest->memory() == memory; });
  return out;
}

CodeSpace::StoppedWorld::StoppedWorld(CodeSpace* space, const Guest* by, std::optional<std::uint64_t> memory) : space_(space) {
  ++space_->world_stops_;
  for (Guest* const guest : memory ? space->GuestsIn(*memory) : space->guests_) {
    if (guest != by && guest->Stop()) stopped_.push_back(guest);
  }
}

CodeSpace::StoppedWorld::~StoppedWorld() {
  for (Guest* const guest : stopped_) guest->GoOnAfterStop();
  --space_->world_stops_;
}

}  // namespace tally
