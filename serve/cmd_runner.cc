#include "serve/cmd_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/files.h"
#include "sandboxes/host_mount.h"
#include "serve/file_store.h"
#include "supervisor/api/cannot_execute.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally::serve {
namespace {

using nlohmann::json;

constexpr const char* kWorkFolder = "/w";
constexpr Bytes kTemporaryFolder = Bytes::MiB(128);

// What go-judge's containers have: programs and libraries, what their start reads, a /tmp and a /w.
RootSpec RootFor(const std::string& folder, bool with_processes) {
  RootSpec root;
  root.name = "serve";
  root.work_dir = kWorkFolder;
  for (const char* path : {"/bin", "/lib", "/lib32", "/lib64", "/usr"}) {
    if (auto mount = AsOnHost(path, path)) root.mounts.push_back(*std::move(mount));
  }
  for (const char* path : {"/etc/ld.so.cache", "/etc/alternatives", "/etc/fpc.cfg", "/etc/mono", "/etc/java-17-openjdk", "/etc/java-21-openjdk", "/var/lib/ghc"}) {
    root.mounts.push_back({.source = path, .target = path, .optional = true});
  }
  root.mounts.push_back({.kind = MountKind::kDev, .target = "/dev"});
  if (with_processes) root.mounts.push_back({.kind = MountKind::kProc, .target = "/proc"});
  root.mounts.push_back({.kind = MountKind::kTmpfs, .target = "/tmp", .writable = true, .size = kTemporaryFolder});
  root.mounts.push_back({.source = folder, .target = kWorkFolder, .writable = true});
  root.permissions.file_writes = root.permissions.any_other_is_enosys = true;
  return root;
}

std::string StatusOf(const RunResult& r) {
  switch (r.code) {
    case ResultCode::kOk: return "Accepted";
    case ResultCode::kMle: return "Memory Limit Exceeded";
    case ResultCode::kTle: return "Time Limit Exceeded";
    case ResultCode::kOle: return "Output Limit Exceeded";
    case ResultCode::kRv: return "Dangerous Syscall";
    default: return r.signal ? "Signalled" : "Nonzero Exit Status";
  }
}

std::string ReadUpTo(int file, std::uint64_t most) {
  ::lseek(file, 0, SEEK_SET);
  return sys::ReadAll(file, "a program's output", most);
}

std::uint64_t SizeOf(const Fd& file) { return static_cast<std::uint64_t>(sys::Stat(file.get(), "a program's output").st_size); }

// Without room beyond its end, too (fallocate(2), FALLOC_FL_KEEP_SIZE). To truncate one that is empty costs ext4 a transaction.
bool IsEmpty(const Fd& file) {
  const struct stat status = sys::Stat(file.get(), "a program's output");
  return status.st_size == 0 && status.st_blocks == 0;
}

// What the program wrote to, and may be read from again.
struct Collected {
  std::string name;
  Fd file;
  Bytes most;
};

// What comes back of files: texts, ids of the store, and what went wrong.
class CopiedOut {
 public:
  CopiedOut(const Cmd& cmd, const RunFolder& folder, const std::string& made) : cmd_(cmd), folder_(folder), made_(made) {}

  // False: there was more than it takes.
  bool Take(const Collected& one) {
    files_[one.name] = ReadUpTo(one.file.get(), one.most.count);
    return SizeOf(one.file) <= one.most.count;
  }
  void Copy(const WantedFile& wanted, const std::vector<Collected>& collected, bool is_kept) {
    const RunFolder::Opened opened = Find(wanted.name, collected);
    if (opened.error == ENOENT && wanted.is_optional) return;
    if (opened.error != 0) return Fail(wanted.name, "CopyOutOpen", ErrnoText(opened.error));
    const std::uint64_t most = cmd_.copy_out_most.count;
    if (opened.size > most && !cmd_.copy_out_truncates) return Fail(wanted.name, "CopyOutSizeExceeded", fmt::format("{} bytes are more than copyOutMax", opened.size));
    const std::string content = ReadUpTo(opened.file.get(), std::min(opened.size, most));
    if (!is_kept) {
      files_[wanted.name] = content;
      return;
    }
    const std::string id = NewId();
    sys::WriteAll(sys::Open(made_ + "/" + id, O_WRONLY | O_CREAT | O_EXCL, 0644).get(), content, "a file of the store");
    ids_[wanted.name] = id;
  }
  [[nodiscard]] bool has_failed() const { return !errors_.empty(); }
  void Tell(json* answer) const {
    if (!files_.empty()) (*answer)["files"] = files_;
    if (!ids_.empty()) (*answer)["fileIds"] = ids_;
    if (!errors_.empty()) (*answer)["fileError"] = errors_;
  }

 private:
  [[nodiscard]] RunFolder::Opened Find(const std::string& name, const std::vector<Collected>& collected) const {
    const auto own = std::find_if(collected.begin(), collected.end(), [&](const Collected& one) { return one.name == name; });
    if (own == collected.end()) return folder_.Open(name);
    RunFolder::Opened opened;
    opened.file = sys::Duplicate(own->file.get());
    opened.size = std::min(own->most.count, SizeOf(own->file));
    return opened;
  }
  void Fail(const std::string& name, const char* type, const std::string& message) { errors_.push_back({{"name", name}, {"type", type}, {"message", message}}); }

  const Cmd& cmd_;
  const RunFolder& folder_;
  const std::string& made_;
  json files_ = json::object(), ids_ = json::object(), errors_ = json::array();
};

RunRequest RequestFor(const Cmd& cmd) {
  RunRequest request;
  request.argv = cmd.args;
  request.program = cmd.args.front().starts_with('/') ? cmd.args.front() : fmt::format("{}/{}", kWorkFolder, cmd.args.front());
  request.env = cmd.env;
  request.work_dir = kWorkFolder;
  request.limits.cpu_time = cmd.cpu_limit;
  request.limits.wall_time = cmd.clock_limit ? cmd.clock_limit : cmd.cpu_limit ? std::optional(*cmd.cpu_limit * 2) : std::nullopt;
  request.limits.memory = cmd.memory_limit;
  request.limits.stack = cmd.stack_limit;
  request.limits.processes = cmd.processes;
  request.syscalls = SyscallCounting::kOff;
  // A program of the command's own has no need to execute others.
  request.may_execute = !request.program.starts_with(std::string(kWorkFolder) + "/");
  return request;
}

json FiguresOf(const RunResult& r) {
  json answer{{"exitStatus", r.signal ? *r.signal : r.exit_code.value_or(0)},
              {"time", (r.user_time + r.sys_time - r.stop_time).count()},
              {"runTime", r.wall_time.count()},
              {"memory", r.memory.has_value() ? r.memory.value().count : 0},
              {"isolation", r.isolation},
              {"memoryMetric", r.memory_metric}};
  if (r.code != ResultCode::kOk && r.code != ResultCode::kRe) answer["error"] = r.sentence;
  if (r.instructions.has_value()) answer["instructions"] = r.instructions.value().count;
  return answer;
}

std::optional<StoredProgram> ProgramOf(const Cmd& cmd) {
  const std::string& name = cmd.args.front();
  const bool is_plain = name.find('/') == std::string::npos && name != "." && name != "..";
  for (const auto& [copied, source] : cmd.copy_in) {
    if (is_plain && copied == name && source.kind == Source::Kind::kStored) return StoredProgram{name, source.text};
  }
  return std::nullopt;
}

}  // namespace

CmdRunner::CmdRunner(RunnerSettings settings) : settings_(std::move(settings)), folder_(settings_.work_size) {
  ProcessExecutor().PrepareFirstRun(SandboxFor(false));
}

const Sandbox& CmdRunner::SandboxFor(bool with_processes) {
  std::optional<Sandbox>& sandbox = with_processes ? with_processes_ : alone_;
  if (!sandbox) sandbox.emplace(ProcessExecutor().sandboxes(), RootFor(folder_.path(), with_processes), std::vector<PlacedFile>{});
  return *sandbox;
}

Fd CmdRunner::Open(const Source& source) const {
  switch (source.kind) {
    case Source::Kind::kContent: {
      Fd memory(::memfd_create("content", MFD_CLOEXEC));
      if (!memory.valid()) throw SystemError("memfd_create", errno);
      sys::WriteAll(memory.get(), source.text, "a content");
      ::lseek(memory.get(), 0, SEEK_SET);
      return memory;
    }
    case Source::Kind::kStored:
      if (!IsId(source.text)) throw UserError(fmt::format("fileId: \"{}\" is no id of this server's", source.text));
      try {
        return sys::Open(settings_.store + "/" + source.text, O_RDONLY);
      } catch (const SystemError&) {
        throw UserError(fmt::format("fileId: there is no file {}", source.text));
      }
    case Source::Kind::kHostFile: {
      std::error_code error;
      const std::string path = std::filesystem::canonical(source.text, error);
      const bool may = !settings_.src_prefix.empty() && path.starts_with(settings_.src_prefix + "/");
      if (error || !may) throw UserError(fmt::format("src: {}: this server reads no such file of its machine (--src-prefix)", source.text));
      return sys::Open(path, O_RDONLY);
    }
    default: return Fd();
  }
}

void CmdRunner::CopyIn(const Cmd& cmd, const std::optional<StoredProgram>& program) {
  for (const auto& [name, source] : cmd.copy_in) {
    if (program && program->name == name) {
      const Fd file = Open(source);  // it may be gone from the store
      if (!folder_.HasProgram()) folder_.PlaceProgram(*program, file.get());
    } else if (source.kind == Source::Kind::kLink) {
      folder_.Link(name, source.text);
    } else if (source.kind == Source::Kind::kContent) {
      folder_.Write(name, source.text);
    } else if (source.kind != Source::Kind::kNone) {
      folder_.Copy(name, Open(source).get());
    }
  }
}

Fd CmdRunner::OutputFile(std::size_t number) {
  Fd& kept = kept_outputs_.at(number);
  if (kept.valid() && (IsEmpty(kept) || ::ftruncate(kept.get(), 0) == 0)) return sys::Duplicate(kept.get());
  const std::string path = outputs_.File(std::to_string(number));
  NewFile(path);
  Fd file = sys::Open(path, O_RDWR | O_APPEND);
  if (ProgramsChangeUser(Isolation::kFull)) kept = sys::Duplicate(file.get());
  return file;
}

json CmdRunner::Run(const Cmd& cmd, std::vector<Fd> streams) {
  streams.resize(3);
  const std::optional<StoredProgram> program = ProgramOf(cmd);
  folder_.Renew(program);
  CopyIn(cmd, program);
  RunRequest request = RequestFor(cmd);
  const bool is_piped = streams[1].valid();
  Bytes longest;
  std::vector<Collected> collected;
  collected.reserve(streams.size());
  int* const places[] = {&request.stdin_fd, &request.stdout_fd, &request.stderr_fd};
  for (std::size_t i = 0; i < std::size(places); ++i) {
    const Source source = i < cmd.files.size() ? cmd.files[i] : Source();
    if (streams[i].valid() || source.kind != Source::Kind::kCollector) {
      if (!streams[i].valid()) streams[i] = Open(source);
      *places[i] = streams[i].valid() ? streams[i].get() : -1;
      continue;
    }
    const auto other = std::find_if(collected.begin(), collected.end(), [&](const Collected& one) { return one.name == source.text; });
    if (other != collected.end()) {  // of one name is one file
      other->most = std::max(other->most, source.most);
    } else {
      collected.push_back({source.text, OutputFile(i), source.most});
    }
    *places[i] = (other != collected.end() ? *other : collected.back()).file.get();
    longest = std::max(longest, source.most);
  }
  if (!collected.empty()) request.limits.file_size = std::max(longest, cmd.copy_out_most);
  // What goes through a pipe has no limit, and a longer stderr is found afterwards.
  if (!collected.empty() && !is_piped) request.limits.output = longest;
  RunResult result;
  try {
    result = ProcessExecutor().Run(request, SandboxFor(cmd.processes > 1));
  } catch (const CannotExecute& refusal) {
    return {{"status", "Internal Error"}, {"error", fmt::format("execve {}: {}", cmd.args.front(), refusal.why())}, {"exitStatus", 0}, {"time", 0}, {"runTime", 0}, {"memory", 0}};
  }
  streams.clear();  // the reader of a pipe gets its end
  json answer = FiguresOf(result);
  std::string status = StatusOf(result);
  CopiedOut copied(cmd, folder_, settings_.made);
  for (const Collected& one : collected) {
    if (!copied.Take(one) && status == "Accepted") status = "Output Limit Exceeded";
  }
  for (const WantedFile& wanted : cmd.copy_out) copied.Copy(wanted, collected, false);
  for (const WantedFile& wanted : cmd.copy_out_stored) copied.Copy(wanted, collected, true);
  if (copied.has_failed() && status == "Accepted") status = "File Error";
  answer["status"] = status;
  copied.Tell(&answer);
  return answer;
}

}  // namespace tally::serve
