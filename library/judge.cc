#include "library/judge.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "sandboxes/host_mount.h"
#include "supervisor/machine/virtual_files.h"
#include "supervisor/run/make_engine.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {
namespace {

std::string Absolute(const std::string& path) {
  if (::access(path.c_str(), X_OK) != 0 || !std::filesystem::is_regular_file(path)) {
    throw UserError(fmt::format("{}: expected an executable file", path));
  }
  return std::filesystem::absolute(path);
}

}  // namespace

RootSpec ContestRoot() {
  RootSpec root;
  root.name = "exec-sandbox";
  for (const char* path : {"/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin"}) {
    if (auto mount = AsOnHost(path, path)) root.mounts.push_back(*std::move(mount));
  }
  root.mounts.push_back({.kind = MountKind::kDev, .target = "/dev"});
  root.mounts.push_back({.kind = MountKind::kTmpfs, .target = "/tmp", .writable = true, .executable = false});
  root.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"};
  return root;
}

// A sandbox is built for what its program's instructions are counted by: a counted one finds the virtual machine's files.
struct JudgedProgram::State {
  std::string path, inside;
  RootSpec root;
  Isolation isolation;
  Counter counter = Counter::kNone;
  VirtualCpuOptions virtual_cpu;
  std::optional<Sandbox> sandbox;

  void Build(const RunRequest& request) {
    RootSpec shown = root;
    ShowVirtualFiles(request.counter, request.virtual_cpu, &shown);
    sandbox.emplace(ProcessExecutor().sandboxes(), shown, std::vector<PlacedFile>{{path, inside, false, true}}, isolation);
    counter = request.counter;
    virtual_cpu = request.virtual_cpu;
  }
  [[nodiscard]] bool IsBuiltFor(const RunRequest& request) const {
    return sandbox && HasVirtualCpu(counter) == HasVirtualCpu(request.counter) &&
           (!HasVirtualCpu(counter) || (virtual_cpu.model == request.virtual_cpu.model && virtual_cpu.seed == request.virtual_cpu.seed &&
                                        virtual_cpu.rules == request.virtual_cpu.rules));
  }
};

JudgedProgram::JudgedProgram(const std::string& path, const RootSpec& root, Isolation isolation)
    : state_(std::make_unique<State>()) {
  state_->path = Absolute(path);
  state_->inside = "/box/" + std::filesystem::path(path).filename().string();
  state_->root = root;
  state_->isolation = isolation;
}

JudgedProgram::~JudgedProgram() = default;

RunResult JudgedProgram::Run(RunRequest request) const {
  request.counter = ChosenCounter(request.counter, request.limits);
  if (!state_->IsBuiltFor(request)) state_->Build(request);
  const Sandbox& sandbox = *state_->sandbox;
  request.program = sandbox.PathInside(state_->inside);
  if (request.argv.empty()) request.argv = {request.program};
  if (request.env.empty()) request.env = state_->root.env;
  if (request.work_dir.empty() && state_->isolation != Isolation::kFull) request.work_dir = std::filesystem::current_path();
  return ProcessExecutor().Run(request, sandbox);
}

}  // namespace tally
