// What a program would see of the translation in /proc, where its sandbox has one: maps and its kin tell where our
// ranges lie, mem and pagemap get there past the page tables. maps is shown without them, the others are refused. And what says
// something of the machine is the virtual one's (machine/virtual_proc.h).
//
// Theory of operation. Filters see no names, so where there is a /proc every open stops. A path none of whose parts is
// the name of such a file or of a /proc goes on at once. Another is opened, the other tasks of the process are stopped, and if that
// was a file of procfs, it is closed again; in its place comes a memfd with what we say. Links
// with such a target are not made, so no other name leads there. What is left is a second thread that is quick enough: with the
// path between our look and the kernel's, or with the descriptor (docs/isolation.md).
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <linux/memfd.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/process_maps.h"
#include "base/sys.h"
#include "supervisor/machine/virtual_maps.h"
#include "supervisor/machine/virtual_proc.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"
#include "supervisor/translator/guest/own_ranges.h"

namespace tally {
namespace {

// Of proc(5): those that say more of mappings than maps, that show memory or page tables, or where a task stands.
constexpr std::string_view kListed = "maps";
constexpr std::string_view kRefused[] = {"smaps", "smaps_rollup", "numa_maps", "mem", "pagemap", "map_files", "syscall", "stack"};

enum class Meaning { kHarmless, kInProc, kListed, kRefused };

// Of a path by the names in it.
Meaning MeaningOf(std::string_view path) {
  Meaning meaning = Meaning::kHarmless;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (std::find(std::begin(kRefused), std::end(kRefused), part) != std::end(kRefused)) return Meaning::kRefused;
    if (part == kListed) meaning = Meaning::kListed;
    if (meaning == Meaning::kHarmless && (part == "proc" || part == "mtab")) meaning = Meaning::kInProc;
  }
  return meaning;
}

// `path`, behind the folder that the call names beside it if that lies in /proc, where names mean what they do not say.
std::string WholePath(pid_t tid, const StoppedCall& call, const std::string& path) {
  const auto folder = static_cast<std::int32_t>(call.arguments[0]);
  if (call.number != SYS_openat || path.starts_with("/") || folder == AT_FDCWD) return path;
  std::error_code error;
  const std::string name = std::filesystem::read_symlink(fmt::format("/proc/{}/fd/{}", tid, folder), error);
  return name.starts_with("/proc") ? name + "/" + path : path;
}

bool IsProcFile(pid_t tid, std::uint64_t descriptor) {
  struct statfs status {};
  return ::statfs(fmt::format("/proc/{}/fd/{}", tid, descriptor).c_str(), &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

}  // namespace

// /proc/self/maps without what is ours, and with the rights that the program believes in: lines end where those change.
std::string Guest::VisibleMappings() const {
  const GuestCode& code = space_->code();
  std::vector<MapsLine> lines;
  for (MapsLine mapping : MapsOf(tid_)) {
    if (IsOurs(space_->cache(), mapping.begin, mapping.end - mapping.begin)) continue;
    const bool has_offset = mapping.name.starts_with("/");
    while (mapping.begin < mapping.end) {
      MapsLine line = mapping;
      line.end = std::min(code.NextChange(line.begin), mapping.end);
      if (code.IsExecutable(line.begin)) line.rights[2] = 'x';
      if (code.IsWritable(line.begin)) line.rights[1] = 'w';
      if (has_offset) mapping.offset += line.end - line.begin;
      mapping.begin = line.end;
      lines.push_back(std::move(line));
    }
  }
  return run_->machine.Has(VirtualRule::kSystem) ? VirtualMapsText(lines, HeapBegin(tid_)) : MapsText(lines);
}

// A descriptor of the program's, open for reading `text`, or -errno.
std::int64_t Guest::GiveFile(const std::string& text, bool close_on_exec) const {
  const std::uint64_t name = space_->translator().gadget();  // short, and with an end
  const Injector injector(tid_, name);
  const std::int64_t number = injector.Call(SYS_memfd_create, {name, close_on_exec ? std::uint64_t{MFD_CLOEXEC} : 0});
  if (number < 0) return number;
  const Fd file = injector.FileOf(static_cast<std::uint64_t>(number));
  sys::WriteAll(file.get(), text, "what the program finds in /proc");
  return number;
}

void Guest::OpenInProc(const StoppedCall& call, const std::function<std::optional<std::string>()>& text) {
  user_regs_struct r = Get();
  const bool is_openat = call.number == SYS_openat;
  const std::uint64_t flags = call.arguments[is_openat ? 2 : 1];
  // It may be a pipe of that name, which we would wait for.
  (is_openat ? r.rdx : r.rsi) = flags | O_NONBLOCK;
  Set(r);
  r = FinishCall();
  (is_openat ? r.rdx : r.rsi) = flags;
  Set(r);
  if (static_cast<std::int64_t>(r.rax) < 0) return;
  // Only now: in front of a call no other call can be made in the task's name, which stopping may need.
  const CodeSpace::StoppedWorld stopped_world(space_.get(), this, memory_);
  const Injector injector(tid_, space_->translator().gadget());
  if (!IsProcFile(tid_, r.rax)) {
    if ((flags & (O_NONBLOCK | O_PATH)) == 0) injector.Call(SYS_fcntl, {r.rax, F_SETFL, flags});
    return;
  }
  injector.MustCall("close a file of /proc in the program", SYS_close, {r.rax});
  const std::optional<std::string> visible = text();
  const std::int64_t instead = visible ? GiveFile(*visible, (flags & O_CLOEXEC) != 0) : -EACCES;
  r.rax = static_cast<std::uint64_t>(instead);
  Set(r);
}

// What of it is not the virtual machine's and may differ is told.
void Guest::ShowInProc(const StoppedCall& call, const std::string& path) {
  const auto place = PlaceInProc(path);
  const bool opens = call.number == SYS_open || call.number == SYS_openat;
  if (place && opens && run_->machine.Has(VirtualRule::kSystem)) {
    const std::uint64_t count = run_->counts.Instructions();
    const Nanoseconds now = run_->machine.clock().Tell(run_->machine.clock().SinceStart(count), count);
    if (const auto text = VirtualProcFile(*place, now)) {
      OpenInProc(call, [&] { return text; });
      return;
    }
  }
  if (place && IsSameEverywhere(*place, run_->machine.Has(VirtualRule::kCpu), run_->machine.Has(VirtualRule::kSystem))) return;
  if (run_->saw_in_proc.empty()) run_->saw_in_proc = NameOfProcFile(path);
}

void Guest::HideInProc(const StoppedCall& call) {
  if (!run_->hides_in_proc) return;
  const bool at = call.number == SYS_openat || call.number == SYS_openat2;
  const std::string path = WholePath(tid_, call, ReadTraceePath(tid_, call.arguments[at ? 1 : 0]));
  const Meaning meaning = MeaningOf(path);
  if (meaning == Meaning::kHarmless) return;
  if (meaning == Meaning::kInProc) {
    ShowInProc(call, path);
    return;
  }
  std::int64_t answer = 0;
  switch (call.number) {
    case SYS_open:
    case SYS_openat:
      OpenInProc(call, [&]() -> std::optional<std::string> {
        return meaning == Meaning::kListed ? std::optional(VisibleMappings()) : std::nullopt;
      });
      return;
    case SYS_openat2: answer = -ENOSYS; break;  // libraries know kernels without it
    case SYS_chdir: answer = meaning == Meaning::kRefused ? -EACCES : 0; break;
    default: answer = -EPERM; break;  // links
  }
  if (answer != 0 && !AnswerCall(tid_, answer)) throw TaskIsGone{};
}

}  // namespace tally
