// Regions of the code cache (code_cache.h) for code that is mapped while the program runs, out of reach of those it began
// with: a JIT's below 4 GiB, a heap with code in it at an address of its own choice.
//
// Theory of operation. The memory of all code regions is one memfd, which the program has no descriptor of any more. But
// mremap(2) of nothing makes a second mapping of shared memory, with the same rights and as long as one asks for: from
// the last page of the code region before on, that is the next code region. A place is found by trying; what is free is held by a
// mapping of nothing until then, as other threads may map something meanwhile. Tables become wide (control_area.h) by
// mremap(2), too: a mapping of shared memory that grows shows more of it.
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
constexpr std::uint64_t kSize = CodeCache::kRegionSize + kPage;  // with the last page of the code region before
constexpr std::uint64_t kGibibyte = 1ULL << 30;                // far less than a code region reaches

// Holds kSize bytes of the program's address space, which end with a code region that code at `pc` can have; 0: there is no room.
HostPc HoldRoom(const Injector& injector, GuestPc pc) {
  constexpr std::uint64_t kStep = CodeCache::kRegionSize;
  constexpr std::uint64_t kLowest = kStep;
  for (HostPc region = CodeCache::PlaceFor(pc); region > kLowest && CodeCache::IsNear(region, pc); region -= kStep) {
    const std::int64_t result = injector.Call(SYS_mmap, {region - kPage, kSize, PROT_NONE,
                                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                                                         ~0ULL, 0});
    if (result >= 0) return region;
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
  if (cache.regions().size() == CodeCache::kRegions) {
    run_->violation = fmt::format("counter=translator does not execute code in more than {} places far from each other",
                                  CodeCache::kRegions);
    return false;
  }
  const Injector injector(tid_, space_->translator().gadget());
  const HostPc region = HoldRoom(injector, pc);
  if (region == 0) {
    run_->violation = fmt::format("counter=translator has no room in the address space near the code at {:#x}", pc);
    return false;
  }
  const HostPc last_page = cache.regions().back().base + CodeCache::kRegionSize - kPage;
  injector.MustCall("map one more region into the program", SYS_mremap,
                    {last_page, 0, kSize, MREMAP_MAYMOVE | MREMAP_FIXED, region - kPage});
  injector.MustCall("unmap the page in front of it", SYS_munmap, {region - kPage, kPage});
  cache.AddRegion(region);
  return true;
}

// Of each table the program keeps the first of its narrow ones, which grows where the others were. There is no other task.
void Guest::WidenTables() {
  if (!space_->control().is_narrow()) return;
  CallSeries calls;
  for (const std::uint64_t table : {control::kReturnTable, control::kJumpTable}) {
    constexpr std::uint64_t kNarrow = control::kNarrowBytes, kWide = control::kTableBytes;
    calls.Add("munmap narrow tables in the program", SYS_munmap, {table + kNarrow, kWide - kNarrow});
    calls.Add("mremap a table in the program", SYS_mremap, {table, kNarrow, kWide, 0});
  }
  space_->Make(calls, Injector(tid_, space_->translator().gadget()));
  space_->translator().WidenTables();
}

}  // namespace tally
