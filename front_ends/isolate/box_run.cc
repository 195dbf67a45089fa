#include "front_ends/isolate/box_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "front_ends/isolate/waiting_open.h"
#include "sandboxes/host_mount.h"
#include "supervisor/api/cannot_execute.h"
#include "supervisor/machine/virtual_files.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/sandbox/sandbox.h"
#include "supervisor/translator/persist/translation_folder.h"

namespace tally::isolate {
namespace {

constexpr const char* kWorkFolder = "/box";
constexpr std::uint32_t kMostProcesses = 1024;  // where any number is allowed
constexpr std::uint32_t kMostOpenFiles = 4096;
constexpr Bytes kTemporaryFolder = Bytes::MiB(256);  // what is in it counts as memory

std::uint32_t Processes(const Options& options) { return std::min(options.processes.value_or(kMostProcesses), kMostProcesses); }

// ---- what the program sees

std::string OnThisMachine(const DirectoryRule& rule, const Box& box) {
  return rule.outside.starts_with('/') ? rule.outside : box.folder() + "/" + rule.outside;
}

std::optional<Mount> MountOf(const DirectoryRule& rule, const Options& options, const Box& box) {
  Mount mount{.target = rule.inside, .writable = rule.writable, .optional = rule.optional, .executable = rule.executable};
  if (rule.temporary) {
    mount.kind = MountKind::kTmpfs;
    mount.size = kTemporaryFolder;
    return mount;
  }
  if (rule.file_system) {
    if (rule.outside != "proc") throw UserError(fmt::format("--dir: {}: of file systems a box can have proc, and not {}", rule.inside, rule.outside));
    mount.kind = MountKind::kProc;
    mount.processes_only = Processes(options) == 1;
    return mount;
  }
  if (rule.devices) {
    if (rule.inside != "/dev") throw UserError(fmt::format("--dir: {}: devices can be had as /dev alone", rule.inside));
    mount.kind = MountKind::kDev;
    return mount;
  }
  mount.source = OnThisMachine(rule, box);
  // Where this machine has a link, as for /lib, so has the box.
  if (rule.outside == rule.inside) {
    std::optional<Mount> as_here = AsOnHost(rule.outside, rule.inside);
    if (as_here && as_here->kind == MountKind::kSymlink) return as_here;
  }
  std::error_code error;
  if (!std::filesystem::exists(mount.source, error)) {
    if (rule.optional) return std::nullopt;
    throw UserError(fmt::format("--dir: {}: no such folder", mount.source));
  }
  return mount;
}

// What is mounted anew for each run would hide it.
void RequireNothingBelowTemporary(const std::vector<DirectoryRule>& rules) {
  for (const DirectoryRule& above : rules) {
    for (const DirectoryRule& rule : rules) {
      if (!above.temporary || !rule.inside.starts_with(above.inside + "/")) continue;
      throw UserError(fmt::format("--dir: {} lies in {}, which is new for each run; put something else there (--dir={}=FOLDER:rw), or nothing (--dir={}=)", rule.inside,
                                  above.inside, above.inside, above.inside));
    }
  }
}

RootSpec RootOf(const Options& options, const Box& box) {
  RequireNothingBelowTemporary(options.directories);
  RootSpec root;
  root.name = "isolate";
  root.work_dir = kWorkFolder;
  for (const DirectoryRule& rule : options.directories) {
    if (std::optional<Mount> mount = MountOf(rule, options, box)) root.mounts.push_back(*std::move(mount));
  }
  // Compilers and runtimes are run in boxes: what they may not do fails, and does not end them.
  root.permissions.file_writes = root.permissions.any_other_is_enosys = true;
  // A socket of this machine's in a folder that a rule shows could be connected to, read-only or not.
  root.permissions.sockets = options.share_network;
  root.permissions.host_network = options.share_network;
  return root;
}

// ---- streams

// The program chose what lies there, so it is looked for inside its root, with its own rights, and no link leads out of it.
Fd TryOpenInside(const Sandbox& sandbox, const std::string& inside, std::uint64_t flags) {
  const Fd root(::open(sandbox.root().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root.valid()) throw SystemError("open " + sandbox.root(), errno);
  const bool changes_user = ProgramsChangeUser(Isolation::kFull);
  const uid_t program_user = changes_user ? ProcessExecutor().sandboxes().user().uid() : ::geteuid();
  const uid_t before = static_cast<uid_t>(::setfsuid(program_user));
  open_how how{};
  how.flags = flags | O_CLOEXEC | ((flags & O_PATH) != 0 ? 0 : O_NOCTTY);  // openat2(2) takes no others with O_PATH
  how.mode = (flags & O_CREAT) != 0 ? 0666 : 0;
  how.resolve = RESOLVE_IN_ROOT;
  const auto fd = static_cast<int>(::syscall(SYS_openat2, root.get(), inside.c_str(), &how, sizeof how));
  const int error = errno;
  ::setfsuid(before);
  errno = error;
  return Fd(fd);
}

Fd OpenInside(const Sandbox& sandbox, const char* option, const std::string& path, std::uint64_t flags) {
  const std::string inside = path.starts_with('/') ? path : fmt::format("{}/{}", kWorkFolder, path);
  const Fd file = TryOpenInside(sandbox, inside, O_PATH);
  struct stat status {};
  std::optional<SignalsEndUs> while_waiting;
  if (file.valid() && ::fstat(file.get(), &status) == 0 && S_ISFIFO(status.st_mode)) while_waiting.emplace();
  Fd fd = TryOpenInside(sandbox, inside, flags);
  if (!fd.valid()) throw UserError(fmt::format("{}: {}: {}", option, inside, ErrnoText(errno)));
  return fd;
}

// A compiled program of the box's has no need to, and its run is cheaper for that (reused_init.h). This machine's own (a shell, env) do
// little else, and a script may begin with env.
bool MayExecuteOthers(const Sandbox& sandbox, const std::string& program) {
  if (!program.starts_with(std::string(kWorkFolder) + "/")) return true;
  const Fd file = TryOpenInside(sandbox, program, O_RDONLY | O_NONBLOCK);
  std::array<char, 2> begin{};
  return file.valid() && ::pread(file.get(), begin.data(), begin.size(), 0) == 2 && begin[0] == '#' && begin[1] == '!';
}

struct Streams {
  Fd in, out, error;

  Streams(const Options& options, const Sandbox& sandbox) {
    constexpr std::uint64_t kWrite = O_WRONLY | O_CREAT | O_TRUNC;
    if (options.in) in = OpenInside(sandbox, "--stdin", *options.in, O_RDONLY);
    if (options.out) out = OpenInside(sandbox, "--stdout", *options.out, kWrite);
    if (options.error) error = OpenInside(sandbox, "--stderr", *options.error, kWrite);
  }
};

std::vector<int> OpenDescriptors() {
  std::vector<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const std::string name = entry.path().filename();
    int fd = -1;
    std::from_chars(name.data(), name.data() + name.size(), fd);
    const bool is_callers = fd > STDERR_FILENO && (::fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0;
    if (is_callers) found.push_back(fd);
  }
  return found;
}

// ---- limits

Limits LimitsOf(const Options& options) {
  Limits limits;
  if (options.time) limits.cpu_time = *options.time + options.extra_time;
  limits.wall_time = options.wall_time;
  limits.memory = options.cg_memory ? options.cg_memory : options.memory;
  limits.stack = options.stack;
  limits.file_size = options.file_size;
  limits.processes = Processes(options);
  limits.open_files = options.open_files == 0 ? kMostOpenFiles : std::min(options.open_files, kMostOpenFiles);
  return limits;
}

std::vector<std::string> EnvironmentOf(const Options& options) {
  std::vector<std::string> entries;
  for (char** entry = ::environ; options.full_environment && *entry != nullptr; ++entry) entries.emplace_back(*entry);
  for (const auto& [name, value] : options.environment) {
    std::erase_if(entries, [prefix = name + "="](const std::string& old) { return old.starts_with(prefix); });
    const char* const callers = value ? nullptr : std::getenv(name.c_str());
    if (value && !value->empty()) entries.push_back(name + "=" + *value);
    if (callers != nullptr) entries.push_back(name + "=" + callers);
  }
  return entries;
}

RunRequest RequestOf(const Options& options) {
  RunRequest request;
  request.limits = LimitsOf(options);
  request.counter = options.counter;
  // As isolate has it: of a program alone its address space, with --cg what all have together.
  request.memory_by = options.cg || !options.memory ? MemoryBy::kAuto : MemoryBy::kAddressSpace;
  request.syscalls = SyscallCounting::kOff;
  request.wants_switches = true;
  request.translation_folder = TranslationFolder();
  request.argv = options.program;
  request.work_dir = options.directory.empty() ? kWorkFolder : options.directory;
  const std::string& program = options.program.front();
  request.program = program.starts_with('/') ? program : fmt::format("{}/{}", request.work_dir, program);
  request.env = EnvironmentOf(options);
  if (options.inherit_descriptors) request.more_descriptors = OpenDescriptors();
  return request;
}

// The box is the program's while it runs, where that is another user than we are.
class Lent {
 public:
  Lent(const Box& box, bool special_files_are_kept) : box_(box), special_files_are_kept_(special_files_are_kept) {
    if (!ProgramsChangeUser(Isolation::kFull)) return;
    Sandboxes& sandboxes = ProcessExecutor().sandboxes();
    box_.Give(Owner{sandboxes.user().uid(), SandboxUser::gid()}, true);
    owner_ = Owner{::geteuid(), ::getegid()};
  }
  // That may fail, and is said then.
  void Return() {
    is_returned_ = true;
    box_.Give(owner_, special_files_are_kept_);
  }
  // Whatever ended the run, nothing that the program left leads its reader astray.
  ~Lent() {
    if (is_returned_) return;
    try {
      Return();
    } catch (const std::exception& error) {
      Complain(error.what());
    }
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

 private:
  const Box& box_;
  bool special_files_are_kept_;
  std::optional<Owner> owner_;
  bool is_returned_ = false;
};

}  // namespace

Shown ShownBy(const Options& options, const Box& box) {
  Shown shown;
  ReadCallerState(&shown.caller);
  shown.rules = fmt::format("{} {} {}", options.share_network, Processes(options) > 1, static_cast<int>(options.counter));
  for (const DirectoryRule& rule : options.directories) {
    shown.rules += fmt::format("\n{}={}:{}{}{}{}{}{}", rule.inside, rule.outside, rule.writable, rule.executable, rule.optional, rule.devices, rule.file_system, rule.temporary);
    if (rule.temporary || rule.file_system) continue;
    ShownFolder folder{.path = OnThisMachine(rule, box)};
    struct stat status {};
    if (::stat(folder.path.c_str(), &status) == 0) folder.device = status.st_dev, folder.inode = status.st_ino;
    shown.folders.push_back(std::move(folder));
  }
  return shown;
}

void BoxRuns::PrepareFirst(const Options& options) {
  Prepare(options, ShownBy(options, box_));
  ProcessExecutor().PrepareFirstRun(*sandbox_);
}

void BoxRuns::Prepare(const Options& options, Shown shown) {
  if (sandbox_ && shown == shown_) return;
  sandbox_.reset();
  RootSpec root = RootOf(options, box_);
  ShowVirtualFiles(options.counter, VirtualCpuOptions{}, &root);
  sandbox_.emplace(ProcessExecutor().sandboxes(), root, std::vector<PlacedFile>{});
  shown_ = std::move(shown);
}

Outcome BoxRuns::Run(const Options& options, const CallersStreams& callers, Shown shown) {
  RunRequest request = RequestOf(options);
  Lent lent(box_, options.special_files);
  Prepare(options, std::move(shown));
  const Streams streams(options, *sandbox_);
  request.program = std::filesystem::path(request.program).lexically_normal();
  request.may_execute = MayExecuteOthers(*sandbox_, request.program);
  request.stdin_fd = options.in ? streams.in.get() : callers.in;
  request.stdout_fd = options.out ? streams.out.get() : callers.out;
  request.stderr_fd = options.error_to_out ? request.stdout_fd : options.error ? streams.error.get() : callers.error;
  // A file that holds something already is written through a pipe, where the limit on the size of files does not hold.
  struct stat out {};
  if (request.limits.file_size && ::fstat(request.stdout_fd, &out) == 0 && S_ISREG(out.st_mode)) request.limits.output = request.limits.file_size;
  Outcome outcome;
  try {
    outcome = OutcomeOf(options, ProcessExecutor().Run(request, *sandbox_));
  } catch (const CannotExecute& refusal) {
    outcome = NotExecuted(fmt::format("execve(\"{}\"): {}", options.program.front(), refusal.why()));
  }
  lent.Return();
  return outcome;
}

}  // namespace tally::isolate
