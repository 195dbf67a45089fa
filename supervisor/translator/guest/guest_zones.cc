// Zones of the code cache (code_cache.h) for code that is mapped while the program runs, out of reach of those it began
// with: a JIT's below 4 GiB, a heap with code in it at an address of its own choice.
//
// Theory of operation. The memory of all zones is one memfd, which the program has no descriptor of any more. But
// mremap(2) of nothing makes a second mapping of shared memory, with the same rights and as long as one asks for: from
// the last page of the zone before on, that is the next zone. A place is found by trying; what is free is held by a
// mapping of nothing until then, as other threads may map something meanwhile.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cerrno>

#include "base/error.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"

namespace tally {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kSize = CodeCache::kZoneSize + kPage;  // with the last page of the zone before
constexpr std::uint64_t kGibibyte = 1ULL << 30;                // far less than a zone reaches

// Holds kSize bytes of the program's address space, which end with a zone that code at `pc` can have; 0: there is no room.
HostPc HoldRoom(const Injector& injector, GuestPc pc) {
  constexpr std::uint64_t kStep = CodeCache::kZoneSize;
  constexpr std::uint64_t kLowest = kStep;
  for (HostPc zone = CodeCache::PlaceFor(pc); zone > kLowest && CodeCache::IsNear(zone, pc); zone -= kStep) {
    const std::int64_t result = injector.Call(SYS_mmap, {zone - kPage, kSize, PROT_NONE,
                                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                                                         ~0ULL, 0});
    if (result >= 0) return zone;
    if (result == -ENOMEM) return 0;  // by a limit
    if (result != -EEXIST) throw SystemError("mmap in the program", static_cast<int>(-result));
  }
  return 0;
}

}  // namespace

bool Guest::ReachCode(GuestPc begin, GuestPc end) {
  for (GuestPc pc = begin; pc < end; pc += kGibibyte) {
    if (!ReachCodeAt(pc)) return false;
  }
  return ReachCodeAt(end - 1);
}

bool Guest::ReachCodeAt(GuestPc pc) {
  CodeCache& cache = space_->cache();
  if (cache.Near(pc) != nullptr) return true;
  if (cache.zones().size() == CodeCache::kZones) {
    run_->violation = fmt::format("counter=translator does not execute code in more than {} places far from each other",
                                  CodeCache::kZones);
    return false;
  }
  const Injector injector(tid_, space_->translator().gadget());
  const HostPc zone = HoldRoom(injector, pc);
  if (zone == 0) {
    run_->violation = fmt::format("counter=translator has no room in the address space near the code at {:#x}", pc);
    return false;
  }
  const HostPc last_page = cache.zones().back().base + CodeCache::kZoneSize - kPage;
  injector.MustCall("map one more zone into the program", SYS_mremap,
                    {last_page, 0, kSize, MREMAP_MAYMOVE | MREMAP_FIXED, zone - kPage});
  injector.MustCall("unmap the page in front of it", SYS_munmap, {zone - kPage, kPage});
  cache.AddZone(zone);
  return true;
}

}  // namespace tally
