#include "supervisor/translator/address_space.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>

#include "base/error.h"
#include "supervisor/translator/guest.h"
#include "supervisor/translator/injection.h"
#include "supervisor/translator/virtual_machine.h"

namespace tally {
AddressSpace::AddressSpace(SharedMemory memory, const VirtualMachine& machine, std::size_t tasks)
    : memory_(std::move(memory)),
      cache_(memory_.data()),
      control_(memory_.data() + kControlOffset, tasks),
      translator_(&code_, &cache_, &control_, machine.Has(VirtualRule::kCpu) ? &machine.cpu() : nullptr, tasks > 1),
      page_used_(tasks) {}

void AddressSpace::ActAs(pid_t tid) {
  code_.SetProcess(tid, [this, tid](GuestPc begin, GuestPc end, bool writable) {
    const std::uint64_t rights = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    Injector(tid, translator_.gadget()).MustCall("mprotect the program's code", SYS_mprotect, {begin, end - begin, rights});
  });
}

bool AddressSpace::IsNearlyFull() const {
  const auto& zones = cache_.zones();
  return std::any_of(zones.begin(), zones.end(), [](const CodeCache::Zone& zone) { return zone.IsNearlyFull(); });
}

CounterPage AddressSpace::Enter(Guest* guest) {
  const auto free = std::find(page_used_.begin(), page_used_.end(), false);
  if (free == page_used_.end()) throw SystemError("translator: more tasks than were announced", 0);
  const auto i = static_cast<std::size_t>(free - page_used_.begin());
  const CounterPage page = control_.Page(i);
  page.Clear();
  page_used_[i] = true;
  guests_.push_back(guest);
  return page;
}

void AddressSpace::Leave(Guest* guest) {
  guests_.erase(std::remove(guests_.begin(), guests_.end(), guest), guests_.end());
  page_used_[(guest->page().address() - control_.address()) / control::kPageBytes] = false;
}

AddressSpace::Halt::Halt(AddressSpace* space, const Guest* by) {
  for (Guest* const guest : space->guests_) {
    if (guest != by && guest->Halt()) halted_.push_back(guest);
  }
}

AddressSpace::Halt::~Halt() {
  for (Guest* const guest : halted_) guest->GoOnAfterHalt();
}

}  // namespace tally
