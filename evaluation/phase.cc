#include "evaluation/phase.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/environment.h"
#include "base/error.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "sandboxes/kept_sandboxes.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

constexpr Bytes kLargestFile = Bytes::MiB(256);

RootSpec RootFor(const EvaluationSettings& settings, const std::string& name) {
  RootSpec root = ReadySandbox(name);
  if (settings.host_network) root.permissions.sockets = root.permissions.host_network = true;
  return root;
}

// Gone with its descriptor, whatever becomes of us.
Fd AppendedFile(const char* name) {
  Fd file(::memfd_create(name, MFD_CLOEXEC));
  if (!file.valid()) throw SystemError("memfd_create for a command's output", errno);
  ::fcntl(file.get(), F_SETFL, O_APPEND);
  return file;
}

// Of a flood no more than is allowed: it may be larger than our own memory.
std::string Content(const Fd& file, Bytes most) {
  ::lseek(file.get(), 0, SEEK_SET);
  return sys::ReadAll(file.get(), "a command's output", most.count);
}

// The supervisor looks at stdout; a command says no more on stderr than there.
void LimitErrors(const Fd& err, Bytes most, RunResult* run) {
  const bool by_itself = run->code == ResultCode::kOk || run->code == ResultCode::kRe;
  if (!by_itself || static_cast<std::uint64_t>(sys::Stat(err.get(), "a command's stderr").st_size) <= most.count) return;
  run->code = ResultCode::kOle;
  run->sentence = fmt::format("output limit exceeded: more than {} on stderr", FormatBytes(most));
}

double Seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

Phase::Phase(const EvaluationSettings& settings, const std::string& sandbox, std::vector<PlacedFile> placed,
             const std::string& support, std::string work_dir, Nanoseconds limit)
    : settings_(settings), work_dir_(std::move(work_dir)), limit_(limit), begin_(sys::MonotonicNow()) {
  if (!support.empty()) placed.push_back({support, "/tally"});
  sandbox_ = std::make_unique<Sandbox>(ProcessExecutor().sandboxes(), RootFor(settings, sandbox), placed);
}

void Phase::ShowAlso(const PlacedFile& more) {
  std::vector<PlacedFile> placed = sandbox_->files();
  placed.push_back(more);
  sandbox_ = std::make_unique<Sandbox>(ProcessExecutor().sandboxes(), sandbox_->spec(), placed);
}

Nanoseconds Phase::Left() const { return std::max(Nanoseconds(0), limit_ - (sys::MonotonicNow() - begin_)); }

StepResult Phase::Run(const std::vector<std::string>& command, const StepOptions& options) {
  StepResult step;
  const Nanoseconds left = Left();
  step.phase_over = left == Nanoseconds(0);
  if (step.phase_over) return step;
  const Fd out = AppendedFile("out"), err = AppendedFile("err");
  RunRequest request;
  request.program = command.front();
  request.argv = command;
  request.env = MergedEnvironment(sandbox_->spec().env, options.environment);
  request.work_dir = work_dir_;
  request.stdin_fd = options.stdin_fd;
  request.writes_stdin = options.stdin_fd >= 0;
  request.stdout_fd = out.get();
  request.stderr_fd = err.get();
  request.more_descriptors = options.more_descriptors;
  request.limits.wall_time = options.wall ? std::min(left, *options.wall) : left;
  request.limits.memory = settings_.memory_limit;
  request.limits.output = options.output;
  request.limits.file_size = kLargestFile;
  request.limits.processes = options.processes;
  request.limits.threads_only = options.threads_only;
  request.memory_by = options.memory_by;
  request.counter = Counter::kNone;
  request.syscalls = SyscallCounting::kOff;
  step.run = ProcessExecutor().Run(request, *sandbox_);
  step.phase_over = step.run.code == ResultCode::kTle && (!options.wall || left <= *options.wall);
  LimitErrors(err, options.output, &step.run);
  step.out = Content(out, options.output);
  step.err = Content(err, options.output);
  return step;
}

std::string StepFault(const StepResult& step, const Phase& phase) {
  if (step.phase_over) return fmt::format("it took longer than {:.3g} s", Seconds(phase.limit()));
  switch (step.run.code) {
    case ResultCode::kOk: return "";
    case ResultCode::kRe: return step.run.signal ? "it " + step.run.sentence : "";  // its exit status says the rest
    default: return step.run.sentence;
  }
}

std::string Cut(std::string text, Bytes most) {
  if (text.size() <= most.count) return text;
  std::size_t end = most.count;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not in the middle of a letter
  const std::size_t left_out = text.size() - end;
  text.resize(end);
  return text + fmt::format("\n[{} more bytes]\n", left_out);
}

std::string Cut(std::string text, Characters most) {
  const std::size_t end = BytesOfFirst(most, text);
  if (end == text.size()) return text;
  const std::uint64_t left_out = CharactersOf(std::string_view(text).substr(end)).count;
  text.resize(end);
  return text + fmt::format("\n[{}]\n", CountOf(left_out, "more character"));
}

}  // namespace tally
