#include "supervisor/translator/guest_start.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/tracee.h"
#include "supervisor/translator/auxiliary_vector.h"
#include "supervisor/translator/injection.h"

namespace tally {
namespace {

constexpr std::uint64_t kEndOfUserSpace = 1ULL << 47;

struct ExecutableMapping {
  std::uint64_t begin, end;
  bool writable;
  bool vdso;
};

std::vector<ExecutableMapping> ExecutableMappings(pid_t tid) {
  const std::string maps = sys::TryReadFile(fmt::format("/proc/{}/maps", tid)).value_or("");
  std::vector<ExecutableMapping> out;
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    char rights[5] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights) != 3) continue;
    if (rights[2] == 'x' && begin < kEndOfUserSpace) {
      out.push_back({begin, end, rights[1] == 'w', line.find("[vdso]") != std::string::npos});
    }
  }
  if (out.empty()) throw SystemError(fmt::format("read /proc/{}/maps", tid), errno);
  return out;
}

// The word at `address` for the time this lives: private copies of code pages are made by the kernel (ptrace(2)).
class BorrowedWord {
 public:
  BorrowedWord(pid_t tid, std::uint64_t address, std::uint32_t code) : tid_(tid), address_(address) {
    errno = 0;
    before_ = ::ptrace(PTRACE_PEEKTEXT, tid, address, nullptr);
    if (errno != 0) throw TaskIsGone{};
    Poke((before_ & ~0xffffffffL) | static_cast<long>(code));
  }
  ~BorrowedWord() { Poke(before_); }
  BorrowedWord(const BorrowedWord&) = delete;
  BorrowedWord& operator=(const BorrowedWord&) = delete;

 private:
  void Poke(long word) const { ::ptrace(PTRACE_POKETEXT, tid_, address_, word); }
  pid_t tid_;
  std::uint64_t address_;
  long before_ = 0;
};

void MapZone(const Injector& injector, const CodeCache::Zone& zone) {
  injector.MustCall("map the code cache into the program", SYS_mmap,
                    {zone.base, CodeCache::kZoneSize, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED_NOREPLACE,
                     static_cast<std::uint64_t>(kCacheDescriptor), zone.offset});
}

void MapControl(const Injector& injector, const ControlArea& control_area) {
  const auto map = [&](std::uint64_t offset, std::uint64_t size, int rights) {
    injector.MustCall("map the control area into the program", SYS_mmap,
                      {control_area.address() + offset, size, static_cast<std::uint64_t>(rights),
                       MAP_SHARED | MAP_FIXED_NOREPLACE, static_cast<std::uint64_t>(kControlDescriptor), offset});
  };
  map(0, 4096, PROT_READ | PROT_WRITE);
  map(control::kReturnTable, 2ULL * control::kTableBytes, PROT_READ);
}

}  // namespace

void TakeOver(pid_t tid, GuestCode* code, CodeCache* cache, const ControlArea& control, Translator* translator) {
  user_regs_struct registers{};
  if (!Registers(tid, &registers)) throw TaskIsGone{};
  const std::uint64_t entry = registers.rip;
  ChangeAuxiliaryVector(tid, registers.rsp);
  const std::vector<ExecutableMapping> mappings = ExecutableMappings(tid);

  cache->AddZone(CodeCache::PlaceFor(entry));
  {
    const BorrowedWord first_call(tid, entry, 0x00cc'050f);  // syscall; int3
    MapZone(Injector(tid, entry), cache->zones().front());
  }
  translator->Begin();
  const Injector injector(tid, translator->gadget());
  // The vDSO's is the zone of all that is mapped later: libraries, a JIT's code.
  for (const ExecutableMapping& mapping : mappings) {
    if (cache->Near(mapping.begin) == nullptr) MapZone(injector, cache->AddZone(CodeCache::PlaceFor(mapping.begin)));
  }
  MapControl(injector, control);
  for (const int descriptor : {kCacheDescriptor, kControlDescriptor}) {
    injector.MustCall("close our descriptors in the program", SYS_close, {static_cast<std::uint64_t>(descriptor)});
  }
  for (const ExecutableMapping& mapping : mappings) {
    injector.MustCall("mprotect the program's code", SYS_mprotect, {mapping.begin, mapping.end - mapping.begin,
                       static_cast<std::uint64_t>(PROT_READ | (mapping.writable ? PROT_WRITE : 0))});
    if (!mapping.vdso) code->Add(mapping.begin, mapping.end, mapping.writable);
  }
}

}  // namespace tally
