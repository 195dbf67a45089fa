// System calls of a task in translation that concern the translation: what is executable, and the return from a handler.
#include <asm/prctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/process_maps.h"
#include "supervisor/machine/large_mappings.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"
#include "supervisor/translator/turns/turns.h"
#include "supervisor/translator/guest/own_ranges.h"

namespace tally {
namespace {

constexpr std::uint64_t kPage = 4096;

bool IsShared(pid_t tid, std::uint64_t address) {
  for (const MapsLine& mapping : MapsOf(tid)) {
    if (mapping.Holds(address)) return mapping.IsShared();
  }
  return false;
}

// What of [begin, end) is there, piece by piece.
std::vector<GuestCode::Range> MappedIn(pid_t tid, std::uint64_t begin, std::uint64_t end) {
  std::vector<GuestCode::Range> out;
  for (const MapsLine& mapping : MapsOf(tid)) {
    const GuestCode::Range part{std::max(mapping.begin, begin), std::min(mapping.end, end)};
    if (part.begin >= part.end) continue;
    if (!out.empty() && out.back().end == part.begin) out.back().end = part.end;
    else out.push_back(part);
  }
  return out;
}

// Where the first page in [begin, end) is that is not there. mprotect fails there, and has changed the rights of those before.
std::uint64_t EndOfMapped(pid_t tid, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t at = begin;
  for (const MapsLine& mapping : MapsOf(tid)) {
    if (mapping.Holds(at)) at = std::min(mapping.end, end);
  }
  return at;
}

// Of the one that holds `address`: where the rights of a mapping that grows downwards change to.
std::uint64_t BeginOfMapping(pid_t tid, std::uint64_t address) {
  for (const MapsLine& mapping : MapsOf(tid)) {
    if (mapping.Holds(address)) return mapping.begin;
  }
  return address;
}

// Shared memory without a file, which nobody but the program can map once more (PHP's JIT has its code there), and which it has not
// mapped twice itself.
bool IsMappedOnce(pid_t tid, std::uint64_t begin, std::uint64_t end) {
  const std::vector<MapsLine> all = MapsOf(tid);
  for (const MapsLine& mapping : all) {
    if (mapping.end <= begin || end <= mapping.begin || !mapping.IsShared()) continue;
    if (!mapping.name.starts_with("/dev/zero (deleted)")) return false;
    const std::uint64_t size = mapping.end - mapping.begin;
    for (const MapsLine& other : all) {
      const bool is_same_memory = &other != &mapping && other.device_and_file == mapping.device_and_file && other.offset < mapping.offset + size &&
                                  mapping.offset < other.offset + (other.end - other.begin);
      if (is_same_memory) return false;
    }
  }
  return true;
}

// When it fails with EFAULT nothing has happened, or nothing that cannot happen twice. Others have done something before they write what they
// did. To mremap(2) a mapping of which we guard a part is two (vma_to_resize).
bool IsRepeatable(std::uint64_t number) {
  switch (number) {
    case SYS_read: case SYS_pread64: case SYS_readv: case SYS_preadv: case SYS_preadv2:
    case SYS_stat: case SYS_fstat: case SYS_lstat: case SYS_newfstatat: case SYS_statx: case SYS_statfs: case SYS_fstatfs:
    case SYS_getdents: case SYS_getdents64: case SYS_readlink: case SYS_readlinkat: case SYS_getcwd:
    case SYS_pipe: case SYS_pipe2: case SYS_poll: case SYS_ppoll: case SYS_select: case SYS_pselect6: case SYS_epoll_wait:
    case SYS_clock_gettime: case SYS_clock_getres: case SYS_gettimeofday: case SYS_time: case SYS_times:
    case SYS_getrusage: case SYS_getrlimit: case SYS_getitimer: case SYS_getrandom: case SYS_uname: case SYS_sysinfo:
    case SYS_getcpu: case SYS_sched_getaffinity: case SYS_getgroups: case SYS_getresuid: case SYS_getresgid:
    case SYS_rt_sigpending: case SYS_arch_prctl: case SYS_mremap: return true;
    default: return false;
  }
}

bool IsAboutGs(const StoppedCall& call) {
  const std::int32_t code = Int32(call.arguments[0]);
  return code == ARCH_SET_GS || code == ARCH_GET_GS;
}

bool HasFailed(const user_regs_struct& r) {
  const auto result = static_cast<std::int64_t>(r.rax);
  return result < 0 && result > -static_cast<std::int64_t>(kPage);
}

}  // namespace

void Guest::HandleCall(const StoppedCall& call) {
  if (const std::string why = WhyRefused(call, space_->cache()); !why.empty()) {
    run_->violation = why;
    return;
  }
  if (ChangesCode(call) && space_->GuestsIn(memory_).size() != space_->tasks()) {
    UnshareCodeCache(call);
    return;
  }
  switch (call.number) {
    case SYS_rt_sigreturn: ReturnFromHandler(); return;
    case SYS_open:
    case SYS_openat:
    case SYS_openat2:
    case SYS_chdir:
    case SYS_symlink:
    case SYS_symlinkat: HideInProc(call); return;
    case SYS_execve:
    case SYS_execveat: WaitInKernel(BehindCall()); return;
    case SYS_rt_sigaction: ChangeAction(call); return;
    case SYS_arch_prctl:
      if (IsAboutGs(call)) AnswerAboutGs(call);
      return;
    case SYS_munmap: Unmap(call); return;
    case SYS_mremap: Move(call); return;
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_pkey_mprotect: ChangeRights(call); return;
    default: return;
  }
}

// The call that translated code made at `call` failed with EFAULT. Where the program has code that it may write, but not
// at the moment, that may be the reason, and it is made again. Where it happened it is in translated code still, though
// that may be invalid now: to make it anew would guard its bytes again, and those may lie beside what is to be written.
void Guest::MakeCallAgain(HostPc call, GuestPc next, user_regs_struct* r) {
  const std::uint64_t number = page_.Word(control::kCallNumber) & 0xffff'ffff;
  const std::vector<GuestCode::Range> guarded = IsRepeatable(number) ? space_->code().Guarded() : std::vector<GuestCode::Range>{};
  if (guarded.empty()) {
    CompleteCall(*r);
    r->rcx = next;
    GoTo(r, next);
    return;
  }
  for (const GuestCode::Range& range : guarded) LetWrite(range);
  r->rip = call;
  r->rax = number;
  Set(*r);
}

// To the exit of the call the program is stopped in.
user_regs_struct Guest::FinishCall() {
  // Anything else is a signal of the call's own: a damaged frame, a kill.
  if (!RunToStop(PTRACE_SYSCALL, tid_, 0, WaitStatus::Kind::kSyscallStop)) throw TaskIsGone{};
  return Get();
}

void Guest::ReturnFromHandler() {
  user_regs_struct r = FinishCall();
  if (r.cs != kCodeSegment) {  // a frame of the program's own making
    run_->violation = "counter=translator does not return from a signal handler into 32-bit code";
    return;
  }
  SeeFlags(r);
  GoTo(&r, r.rip);
}

// Of code that the program made nothing relies on what lies beside it; of other code (blocks.h) all is made anew.
Guest::Renewal Guest::RenewalFor(bool code_changed, bool all_made) {
  if (!code_changed) return Renewal::kNone;
  return all_made ? Renewal::kOfChanged : Renewal::kAll;
}

// mmap, mprotect: PROT_EXEC is what the program believes, not what it gets. That it may read in its place: as on any
// processor without protection keys, and the virtual CPU has none; and so may we.
void Guest::ChangeRights(const StoppedCall& call) {
  const bool placed = ChoosesLargePlace(call) && !Populates(call);  // it was perhaps given an address, which it is not to see in its registers
  if (!ChangesCode(call) && !placed) return;                        // none of our affairs, and nobody waits for its end
  const std::uint64_t rights = call.arguments[2];
  const bool executable = (rights & PROT_EXEC) != 0;
  if (Populates(call) && WholePages(call.arguments[1]) > GuestCode::kLargest) {
    run_->violation = "counter=translator does not populate a mapping of more than 4 GiB where code is";
    return;
  }
  user_regs_struct r = Get();
  r.rdx &= ~static_cast<std::uint64_t>(PROT_EXEC);
  if (executable) r.rdx |= PROT_READ;
  Set(r);
  r = FinishCall();
  r.rdx = rights;
  RestoreArguments(call, &r);
  const bool maps = call.number == SYS_mmap;
  std::uint64_t begin = maps ? r.rax : call.arguments[0];
  std::uint64_t end = begin + WholePages(call.arguments[1]);
  if (HasFailed(r)) end = maps || static_cast<std::int64_t>(r.rax) != -ENOMEM ? begin : EndOfMapped(tid_, begin, end);
  if (begin == end) {
    Set(r);
    return;
  }
  if (!maps && (rights & PROT_GROWSDOWN) != 0) begin = BeginOfMapping(tid_, begin);
  const bool is_file = maps && (call.arguments[3] & MAP_ANONYMOUS) == 0;
  const bool known = space_->code().Overlaps(begin, end);
  const bool all_made = space_->code().IsAllMade(begin, end);
  space_->code().Remove(begin, end);
  if (executable && end - begin > GuestCode::kLargest) {
    run_->violation = "counter=translator does not execute a mapping of more than 4 GiB";
    throw TaskIsGone{};
  }
  if (executable) {
    if (!ReachCode(begin, end)) throw TaskIsGone{};
    space_->code().Add(begin, end, (rights & PROT_WRITE) != 0, !is_file && all_made);
    if (is_file && (rights & PROT_WRITE) == 0) space_->code().NoteLibrary(begin, end);
    const bool grows = maps ? (call.arguments[3] & MAP_GROWSDOWN) != 0 : (rights & PROT_GROWSDOWN) != 0;
    if (grows) space_->code().NoteGrowing(begin);
    const bool shared = maps ? (call.arguments[3] & MAP_TYPE) != MAP_PRIVATE : IsShared(tid_, begin);
    if (shared && run_->memories == 1 && IsMappedOnce(tid_, begin, end)) {
      space_->code().NoteShared();
    } else if (shared) {
      run_->violation = "counter=translator does not execute shared memory, which may change through another mapping";
    } else if (!known && is_file) {
      space_->translator().TakeMapping(begin, end);
    }
  }
  if (executable && !is_file) WidenTables();
  ContinueBehindCall(&r, RenewalFor(known, all_made), {begin, end});
}

void Guest::ContinueBehindCall(user_regs_struct* r, Renewal renewal, GuestCode::Range changed) {
  if (renewal == Renewal::kNone) {
    Set(*r);
    return;
  }
  const GuestPc pc = BehindCall();
  r->rcx = pc;
  CompleteCall(*r);
  if (run_->takes_turns) SpendTurn(Turns::kOfRestart);
  if (renewal == Renewal::kAll) {
    Restart();
  } else {
    const CodeSpace::StoppedWorld stopped_world(space_.get(), this);
    space_->translator().SetAside(changed.begin, changed.end);
  }
  GoTo(r, pc);
}

void Guest::Unmap(const StoppedCall& call) {
  const std::uint64_t begin = call.arguments[0];
  const std::uint64_t end = begin + WholePages(call.arguments[1]);
  if (!space_->code().Overlaps(begin, end)) return;
  user_regs_struct r = FinishCall();
  const bool failed = HasFailed(r);
  const bool all_made = space_->code().IsAllMade(begin, end);
  if (!failed) space_->code().Remove(begin, end);
  ContinueBehindCall(&r, RenewalFor(!failed, all_made), {begin, end});
}

// An address where nothing was executable, or could be written: a mapping with code may have grown down to there meanwhile (mmap(2),
// MAP_GROWSDOWN), of which nobody is told.
bool Guest::FollowGrowth(GuestPc address) {
  const std::optional<GuestCode::Part> code = space_->code().GrowingAbove(address);
  if (!code) return false;
  for (const MapsLine& mapping : MapsOf(tid_)) {
    if (!mapping.Holds(address) || !mapping.Holds(code->begin)) continue;
    if (!ReachCode(mapping.begin, code->begin)) throw TaskIsGone{};
    space_->code().Grow(*code, mapping.begin);
    return true;
  }
  return false;
}

void Guest::AddPart(const GuestCode::Part& part) {
  if (!ReachCode(part.begin, part.end)) throw TaskIsGone{};
  if (part.writable) {
    space_->code().AddMoved(part.begin, part.end);
  } else {
    space_->code().Add(part.begin, part.end, false, part.made);
  }
}

// Code keeps its rights where it goes, and where it was, if something stays there; what it truly went over is gone. For the kernel none of it is
// executable, so what is of different rights may be one mapping.
void Guest::Move(const StoppedCall& call) {
  const std::uint64_t from = call.arguments[0];
  const std::uint64_t from_end = from + WholePages(call.arguments[1]);
  if (call.arguments[1] == 0 && space_->code().IsExecutable(from) && space_->code().IsShared()) {
    run_->violation = "counter=translator does not execute shared memory that is mapped twice";
    return;
  }
  const std::vector<GuestCode::Part> parts = from_end == from ? std::vector<GuestCode::Part>{} : space_->code().PartsIn(from, from_end);
  // Several mappings may move at once since Linux 6.17, and what has nothing in its place stays (mm/mremap.c, remap_move).
  const bool goes_over_code = (call.arguments[3] & MREMAP_FIXED) != 0 && from != from_end &&
                              space_->code().Overlaps(call.arguments[4], call.arguments[4] + WholePages(call.arguments[2]));
  const std::vector<GuestCode::Range> moved =
      goes_over_code ? MappedIn(tid_, from, from_end) : std::vector<GuestCode::Range>{{from, from_end}};
  user_regs_struct r = FinishCall();
  RestoreArguments(call, &r);
  const std::uint64_t to = r.rax;
  const std::uint64_t to_end = to + WholePages(call.arguments[2]);
  if (HasFailed(r) || (parts.empty() && !space_->code().Overlaps(to, to_end))) {
    Set(r);
    return;
  }
  space_->code().Remove(from, from_end);
  for (const GuestCode::Range& range : moved) {
    space_->code().Remove(to + (range.begin - from), range.end == from_end ? to_end : to + (range.end - from));
  }
  const bool stays = (call.arguments[3] & MREMAP_DONTUNMAP) != 0;
  for (const GuestCode::Part& part : parts) {
    const std::uint64_t begin = to + (part.begin - from);
    // What is longer now is so at its end.
    const std::uint64_t end = part.end == from_end ? to_end : std::min(to + (part.end - from), to_end);
    if (begin < end) AddPart({begin, end, part.writable, part.made});
    if (stays) AddPart(part);
  }
  ContinueBehindCall(&r, Renewal::kAll, {});
}

}  // namespace tally
