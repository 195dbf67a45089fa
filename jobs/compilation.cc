#include "jobs/compilation.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>

#include "base/environment.h"
#include "base/error.h"
#include "base/sys.h"
#include "compilers/command_line.h"
#include "compilers/compiler_store.h"
#include "compilers/toolchain.h"
#include "jobs/compilation_key.h"
#include "jobs/source_archive.h"
#include "sandboxes/kept_sandboxes.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWorkFolder = "/box";
constexpr const char* kTemporaryFolder = "/tmp";  // where descriptions of sandboxes and compilers have it
constexpr Bytes kMostWords = Bytes::MiB(16);  // a compiler that says more is stopped
constexpr Bytes kLargestResult = Bytes::MiB(512);

// Into our own temporary folder: a full disk is a failure of ours.
void CopyFile(const std::string& from, const std::string& to) {
  const Fd in = sys::Open(from, O_RDONLY);
  const Fd out = sys::Open(to, O_WRONLY | O_CREAT | O_EXCL, 0644);
  sys::WriteAll(out.get(), sys::MapFile(in.get(), from).text(), to);
}

// As root the compiler runs under another uid, which must own the folder it works in.
void GiveToSandboxUser(const std::string& directory, Isolation isolation) {
  if (!ProgramsChangeUser(isolation)) return;
  SandboxUser& user = ProcessExecutor().sandboxes().user();
  user.Own(directory);
  for (const auto& entry : fs::recursive_directory_iterator(directory)) user.Own(entry.path());
}

void CheckPlainName(const MoreFile& file) {
  const std::string& name = file.name;
  if (name.empty() || name.front() == '.' || name.front() == '-' || name.find('/') != std::string::npos) {
    throw UserError(fmt::format("{}: \"{}\": expected a plain file name", file.key, name));
  }
}

// Of letters, digits and what stands between them in names: nothing that a compiler takes for an option or a pattern.
bool IsPlain(const std::string& name) {
  static constexpr std::string_view kAlso = "._+-";
  return !name.empty() && std::isalnum(static_cast<unsigned char>(name.front())) != 0 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return c < 128 && (std::isalnum(c) != 0 || kAlso.find(static_cast<char>(c)) != std::string_view::npos); });
}

// ELF, or a script with its interpreter: `go build` of a package without main makes an archive.
bool IsProgram(const std::string& path) {
  const Fd file = sys::Open(path, O_RDONLY);
  char magic[4]{};
  if (::pread(file.get(), magic, sizeof magic, 0) != sizeof magic) return false;
  return std::string_view(magic, 4) == "\x7f" "ELF" || std::string_view(magic, 2) == "#!";
}

std::string FirstBytes(const std::string& path, Bytes most) {
  const Fd file = sys::Open(path, O_RDONLY);
  std::string text(most.count, '\0');
  const ssize_t n = ::pread(file.get(), text.data(), text.size(), 0);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

Limits LimitsOf(const CompilerSpec& spec, const CompileRequest& request) {
  Limits limits = spec.limits;
  if (request.time) limits.user_time = limits.cpu_time = *request.time;
  if (request.wall) limits.wall_time = *request.wall;
  if (request.memory) limits.memory = *request.memory;
  limits.file_size = std::max(limits.output.value_or(kLargestResult), kMostWords);
  limits.output = kMostWords;
  return limits;
}

std::string Sentence(const RunResult& result) {
  switch (result.code) {
    case ResultCode::kOk: return "ok";
    case ResultCode::kRe:
      return result.signal ? "compilation failed: the compiler " + result.sentence : "compilation failed";
    case ResultCode::kRv: return "compilation failed: the compiler broke a rule of its sandbox: " + result.sentence;
    default: return "compilation " + result.sentence;
  }
}

// One compilation: the work folder and what is known of it.
class Compilation {
 public:
  Compilation(const CompileRequest& request, const CompilerSpec& spec, const TemporaryDirectory& directory)
      : request_(request),
        spec_(spec),
        toolchain_(RequireToolchain(spec)),
        work_(directory.File("work")),
        temporary_(directory.File("tmp")),
        words_(directory.File("words")) {
    inputs_.source = NamesFor(spec, sys::ReadFile(request.source));
    inputs_.extra_args = request.extra_args;
    PlaceFiles();
    if (IsReduced()) MakeTemporaryFolder();
    LetProgramsPass(directory, request.isolation);
  }

  CompileResult Run() {
    CompileResult out;
    out.compiler = spec_.name;
    out.language = spec_.title;
    out.sentence = "ok";
    const RootSpec root = ReadySandbox(spec_.sandbox);
    std::vector<PlacedFile> folders{{work_, kWorkFolder, true}};
    if (IsReduced()) folders.push_back({temporary_, kTemporaryFolder, true});
    const Sandbox sandbox(ProcessExecutor().sandboxes(), root, folders, request_.isolation);
    out.ok = true;
    const std::vector<std::vector<std::string>> commands = CompileCommands(spec_, toolchain_, inputs_);
    // An image brings tools of its own, whose stamps say nothing here.
    const bool may_keep = request_.kept != nullptr && spec_.result != ResultKind::kScript && root.base_root.empty();
    const std::string key = may_keep ? CompilationKey(commands, MergedEnvironment(root.env, spec_.env), toolchain_, work_) : "";
    if (may_keep && PlaceKept(key)) {
      TakeResult(&out);
      return out;
    }
    for (const std::vector<std::string>& command : commands) {
      const RunResult result = RunStep(sandbox, root, command);
      out.time += result.user_time;
      out.isolation = result.isolation;
      out.sentence = Sentence(result);
      out.ok = result.code == ResultCode::kOk;
      if (!out.ok) break;
    }
    out.output = FirstBytes(words_, request_.output_kept);
    if (out.ok && !inputs_.source.has_main && inputs_.sources.empty()) {
      out.ok = false;
      out.sentence = "compilation failed: no class has a main method";
    }
    if (out.ok) TakeResult(&out);
    if (out.ok && may_keep) Keep(key, out.program);
    return out;
  }

 private:
  [[nodiscard]] bool IsReduced() const { return request_.isolation == Isolation::kReduced; }

  void MakeTemporaryFolder() {
    fs::create_directory(temporary_);
    GiveToSandboxUser(temporary_, request_.isolation);
  }

  void PlaceFiles() {
    fs::create_directory(work_);
    for (const MoreFile& file : request_.more_sources) {
      if (Place(file)) inputs_.sources.push_back(file.name);
    }
    for (const MoreFile& file : request_.more_files) Place(file);
    NameSource();
    CopySource(work_ + "/" + inputs_.source.file);
    if (!request_.more_archive.empty()) UnpackSources("additional_archive", request_.more_archive, work_);
    GiveToSandboxUser(work_, request_.isolation);
  }

  void CopySource(const std::string& to) const {
    if (request_.preamble.empty()) return CopyFile(request_.source, to);
    const Fd out = sys::Open(to, O_WRONLY | O_CREAT | O_EXCL, 0644);
    sys::WriteAll(out.get(), fmt::format("{}#line 1 \"{}\"\n{}", request_.preamble, inputs_.source.file, sys::ReadFile(request_.source)), to);
  }

  // false: it is there already. A header may well be listed twice.
  bool Place(const MoreFile& file) {
    CheckPlainName(file);
    const auto [there, is_new] = placed_.emplace(file.name, file.path);
    if (!is_new && there->second != file.path) {
      throw UserError(fmt::format("{}: \"{}\": another file of this job has this name", file.key, file.name));
    }
    if (is_new) CopyFile(file.path, work_ + "/" + file.name);
    return is_new;
  }

  // The source's name is ours and gives way to the user's; but where it must be that of a class, it is the
  // user's too.
  void NameSource() {
    std::string& name = inputs_.source.file;
    default_name_ = name;
    const fs::path given = fs::path(request_.source_name).filename();
    if (request_.keeps_name && inputs_.source.main_class.empty() && IsPlain(given) && given.extension() == fs::path(name).extension()) name = given;
    if (placed_.contains(name) && !inputs_.source.main_class.empty()) {
      throw UserError(fmt::format(
          "{}: \"{}\" among the additional files has the name that the source needs for its class",
          request_.source_name, name));
    }
    while (placed_.contains(name)) name = "main_" + name;
  }

  // As the compiler would have left it.
  [[nodiscard]] bool PlaceKept(const std::string& key) const {
    const std::optional<Mapping> result = request_.kept->Read(key);
    if (!result) return false;
    const std::string path = work_ + "/" + spec_.output_name;
    const Fd file = sys::Open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
    sys::WriteAll(file.get(), result->text(), path);
    return true;
  }

  void Keep(const std::string& key, const std::string& program) const {
    const Fd file = sys::Open(program, O_RDONLY);
    const Mapping bytes = sys::MapFile(file.get(), program);
    request_.kept->Write(key, {reinterpret_cast<const std::uint8_t*>(bytes.text().data()), bytes.text().size()});
  }

  RunResult RunStep(const Sandbox& sandbox, const RootSpec& root, const std::vector<std::string>& command) {
    RunRequest run;
    run.program = command.front();
    run.argv = command;
    run.env = EnvironmentIn(sandbox, root);
    run.work_dir = sandbox.PathInside(kWorkFolder);
    run.limits = LimitsOf(spec_, request_);
    run.memory_by = spec_.memory_by;
    run.counter = Counter::kNone;
    run.syscalls = SyscallCounting::kOff;  // nobody asks, and compilers make many
    const Fd words = sys::Open(words_, O_WRONLY | O_CREAT | O_APPEND, 0600);
    run.stdout_fd = words.get();
    run.stderr_fd = words.get();
    return ProcessExecutor().Run(run, sandbox);
  }

  // Paths are those that the compiler sees.
  [[nodiscard]] std::vector<std::string> EnvironmentIn(const Sandbox& sandbox, const RootSpec& root) const {
    std::vector<std::string> variables = MergedEnvironment(root.env, spec_.env);
    if (!IsReduced()) return variables;
    for (std::string& variable : variables) {
      const std::size_t value = variable.find('=') + 1;
      variable = variable.substr(0, value) + sandbox.PathInside(variable.substr(value));
    }
    return MergedEnvironment(variables, {"TMPDIR=" + temporary_});
  }

  // Only a regular file counts: a compiler that was talked into leaving a link must not make us follow it.
  void TakeResult(CompileResult* out) const {
    const std::string result =
        work_ + "/" + (spec_.result == ResultKind::kScript ? inputs_.source.file : spec_.output_name);
    struct stat status {};
    if (::lstat(result.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
      out->ok = false;
      out->sentence = "compilation failed: the compiler left no program";
      return;
    }
    if (request_.result_size && static_cast<std::uint64_t>(status.st_size) > request_.result_size->count) {
      out->ok = false;
      out->sentence = "Compiled file size limit exceeded.";  // SIO Workers' words
      return;
    }
    if (spec_.result == ResultKind::kExecutable && !IsProgram(result)) {
      out->ok = false;
      out->sentence = "compilation failed: what the compiler made is no program (is there a main?)";
      return;
    }
    ::chmod(result.c_str(), spec_.result == ResultKind::kExecutable ? 0755 : 0644);
    out->program = result;
    if (spec_.result != ResultKind::kExecutable || !spec_.run.sandbox.empty()) {
      out->info = {spec_.name, inputs_.source.main_class, spec_.result == ResultKind::kScript ? default_name_ : fs::path(result).filename().string()};
    }
    if (spec_.result != ResultKind::kScript) return;
    for (const auto& [name, path] : placed_) out->beside.push_back({work_ + "/" + name, std::string(kWorkFolder) + "/" + name});
  }

  const CompileRequest& request_;
  const CompilerSpec& spec_;
  Toolchain toolchain_;
  CompileInputs inputs_;
  std::string default_name_;                   // of the source, where the user's says nothing
  std::map<std::string, std::string> placed_;  // name, path
  std::string work_;
  std::string temporary_;  // under reduced isolation, which has no /tmp
  std::string words_;
};

}  // namespace

const CompilerSpec& ChooseCompiler(const CompilerStore& store, const CompileRequest& request) {
  if (!request.compiler.empty()) return store.Find(request.compiler);
  const std::string extension = fs::path(request.source_name).extension();
  if (extension.empty()) {
    throw UserError(fmt::format("{}: cannot tell the language without an extension; name a compiler",
                                request.source_name));
  }
  return store.ForExtension(extension);
}

CompileResult Compile(const CompileRequest& request, const CompilerSpec& spec,
                      const TemporaryDirectory& directory) {
  return Compilation(request, spec, directory).Run();
}

CompileResult Compile(const CompileRequest& request, const TemporaryDirectory& directory) {
  const CompilerStore store;
  return Compile(request, ChooseCompiler(store, request), directory);
}

bool IsSource(const std::string& path) {
  const Fd file = sys::Open(path, O_RDONLY);
  char magic[4] = {};
  return !fs::path(path).extension().empty() && !(::pread(file.get(), magic, 4, 0) == 4 && std::string_view(magic, 4) == "\x7f" "ELF");
}

}  // namespace tally
