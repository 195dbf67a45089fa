#include "supervisor/translator/guest/guest_start.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <vector>

#include "base/error.h"
#include "base/process_maps.h"
#include "supervisor/machine/auxiliary_vector.h"
#include "supervisor/machine/kernel_pages.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/translator/guest/translated_run.h"

namespace tally {
namespace {

constexpr std::uint64_t kEndOfUserSpace = 1ULL << 47;

bool HasCode(const MapsLine& mapping) { return mapping.IsExecutable() && mapping.begin < kEndOfUserSpace; }
// The kernel's own pages are unmapped.
bool HasProgramsCode(const MapsLine& mapping) { return HasCode(mapping) && !IsKernels(mapping); }

std::vector<MapsLine> MapsWith(bool (*what)(const MapsLine&), const std::vector<MapsLine>& maps) {
  std::vector<MapsLine> out;
  std::copy_if(maps.begin(), maps.end(), std::back_inserter(out), what);
  return out;
}

// Of the two files that a program with a dynamic linker begins with, it begins in the linker.
bool IsLinker(const MapsLine& mapping, GuestPc entry, const std::vector<MapsLine>& all) {
  return mapping.Holds(entry) &&
         std::any_of(all.begin(), all.end(), [&](const MapsLine& other) { return other.name != mapping.name; });
}

// A memfd that the program created, and its number there.
struct ProgramMemory {
  SharedMemory memory;
  std::uint64_t descriptor;
};

// `name`: an address of the program's with a short string.
ProgramMemory CreateMemory(const Injector& injector, std::uint64_t name, std::size_t size) {
  const std::int64_t result = injector.Call(SYS_memfd_create, {name, 0});
  if (result == -EMFILE) throw NoDescriptorLeft{};
  if (result < 0) throw SystemError("memfd_create in the program", static_cast<int>(-result));
  const auto descriptor = static_cast<std::uint64_t>(result);
  return {SharedMemory(injector.FileOf(descriptor), size), descriptor};
}

// Where something of the parent's lies already, it is replaced.
enum class Place { kFree, kTaken };

constexpr std::uint64_t FixedAt(Place place) { return place == Place::kFree ? MAP_FIXED_NOREPLACE : MAP_FIXED; }

CallArguments MappingOf(const CodeCache::Region& region, std::uint64_t descriptor, Place place) {
  return {region.base, CodeCache::kRegionSize, PROT_READ | PROT_EXEC, MAP_SHARED | FixedAt(place), descriptor, region.offset};
}

constexpr const char* kMapRegion = "map the code cache into the program";
constexpr std::uint64_t kNothing = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

void MapControl(std::uint64_t descriptor, const ControlArea& control, Place place, CallSeries* calls) {
  calls->Add("fill the room of the control area", SYS_mmap,
             {control::kRoom, control::kRoomSize, PROT_NONE, kNothing | FixedAt(place), ~0ULL, 0});
  calls->Add("map the control area into the program", SYS_mmap,
             {control.address(), control.pages() * control::kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
              CodeSpace::kControlOffset + control::kTablesBytes});
  for (std::size_t i = 0; control.HasLogs() && i < control.pages(); ++i) {
    const std::uint64_t logs = CodeSpace::kControlOffset + ControlArea::SizeFor(control.pages(), false);
    calls->Add("map a log into the program", SYS_mmap,
               {control.Log(i).address(), TaskLog::kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
                logs + i * TaskLog::kBytes});
  }
  const std::uint64_t own_bytes = control.is_narrow() ? control::kNarrowBytes : control::kTableBytes;
  for (std::uint64_t at = 0; at < control::kTablesBytes; at += own_bytes) {
    const std::uint64_t table = at / control::kTableBytes * control::kTableBytes;
    calls->Add("map the tables into the program", SYS_mmap,
               {control::kReturnTable + at, std::min(own_bytes, control::kTablesBytes - at), PROT_READ, MAP_SHARED | FixedAt(place), descriptor,
                CodeSpace::kControlOffset + table});
  }
}

}  // namespace

std::shared_ptr<CodeSpace> TakeOverProgram(pid_t tid, const TranslatedRun& run) {
  if (!ChangeAuxiliaryVector(tid, run.machine.options())) throw TaskIsGone{};
  user_regs_struct registers{};
  if (!Registers(tid, &registers)) throw TaskIsGone{};
  const std::uint64_t entry = registers.rip;
  const std::vector<MapsLine> maps = MapsOf(tid);
  const std::vector<MapsLine> mappings = MapsWith(HasProgramsCode, maps);
  if (maps.empty()) throw SystemError(fmt::format("read /proc/{}/maps", tid), errno);
  if (mappings.empty()) throw GadgetFaults{};

  std::shared_ptr<CodeSpace> space;
  std::uint64_t descriptor = 0;
  {
    const BorrowedWord first_calls(tid, entry, BorrowedWord::kGadget);  // and read as a name, it has an end
    const Injector injector(tid, entry);
    ProgramMemory created = CreateMemory(injector, entry, CodeSpace::MemorySize(run.most_tasks, run.HasLogs()));
    descriptor = created.descriptor;
    space = std::make_shared<CodeSpace>(std::move(created.memory), run);
    const CodeCache::Region& first = space->cache().AddRegion(CodeCache::PlaceFor(entry));
    injector.MustCall(kMapRegion, SYS_mmap, MappingOf(first, descriptor, Place::kFree));
  }
  space->Begin(run.KeepsOneMore());
  CallSeries calls;
  // Where the vDSO was is the code region of all that is mapped later: libraries, a JIT's code.
  CodeCache& cache = space->cache();
  for (const MapsLine& mapping : MapsWith(HasCode, maps)) {
    if (cache.Near(mapping.begin) != nullptr) continue;
    calls.Add(kMapRegion, SYS_mmap, MappingOf(cache.AddRegion(CodeCache::PlaceFor(mapping.begin)), descriptor, Place::kFree));
  }
  MapControl(descriptor, space->control(), Place::kFree, &calls);
  calls.Add("close our descriptor in the program", SYS_close, {descriptor});
  for (const KernelPages& pages : FindKernelPages(maps)) {
    calls.Add("munmap the vDSO in the program", SYS_munmap, {pages.begin, pages.end - pages.begin});
  }
  for (const MapsLine& mapping : mappings) {
    if (mapping.end - mapping.begin > GuestCode::kLargest) throw NoRoomInProgram("copies of the program's code", ENOMEM);
    calls.Add("mprotect the program's code", SYS_mprotect, {mapping.begin, mapping.end - mapping.begin,
              static_cast<std::uint64_t>(PROT_READ | (mapping.IsWritable() ? PROT_WRITE : 0))});
  }
  space->Make(calls, Injector(tid, space->translator().gadget()));
  for (const MapsLine& mapping : mappings) {
    space->code().Add(mapping.begin, mapping.end, mapping.IsWritable(), false);
    if (IsLinker(mapping, entry, mappings)) space->code().NoteLibrary(mapping.begin, mapping.end);
    if (mapping.name == "[stack]") space->code().NoteGrowing(mapping.begin);
  }
  space->ActAs(tid);
  for (const MapsLine& mapping : mappings) {
    if (!mapping.IsShared()) space->translator().TakeMapping(mapping.begin, mapping.end);
  }
  return space;
}

std::shared_ptr<CodeSpace> TakeOverCopy(CodeSpace* parent, pid_t tid, const TranslatedRun& run) {
  const std::uint64_t gadget = parent->translator().gadget();
  const Injector injector(tid, gadget);  // the parent's until the first code region takes its place, with the same in it
  ProgramMemory created = CreateMemory(injector, gadget, CodeSpace::MemorySize(run.most_tasks, run.HasLogs()));
  auto space = std::make_shared<CodeSpace>(std::move(created.memory), run);
  for (const CodeCache::Region& region : parent->cache().regions()) space->cache().AddRegion(region.base);
  space->Begin(false);
  const auto& regions = space->cache().regions();
  injector.MustCall(kMapRegion, SYS_mmap, MappingOf(regions.front(), created.descriptor, Place::kTaken));
  CallSeries calls;
  for (std::size_t i = 1; i < regions.size(); ++i) calls.Add(kMapRegion, SYS_mmap, MappingOf(regions[i], created.descriptor, Place::kTaken));
  MapControl(created.descriptor, space->control(), Place::kTaken, &calls);
  calls.Add("close our descriptor in the program", SYS_close, {created.descriptor});
  space->Make(calls, injector);
  space->ActAs(tid);
  space->code().CopyRegions(parent->code());
  return space;
}

}  // namespace tally
