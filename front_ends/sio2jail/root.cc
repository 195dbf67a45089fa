#include "front_ends/sio2jail/root.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/error.h"
#include "front_ends/sio2jail/env_script.h"
#include "front_ends/this_machine.h"
#include "sandboxes/sandbox_store.h"
#include "supervisor/sandbox/best_isolation.h"

namespace tally::sio2jail {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "/exe";

// Can a program that is another user than we are get there, and to `file` in it?
bool IsOpen(const fs::path& folder, const fs::path& file = {}) {
  if (::geteuid() != 0) return true;  // then it is the same user
  fs::path part;
  for (const fs::path& name : folder) {
    part /= name;
    if (!OthersMay(part, fs::perms::others_exec)) return false;
  }
  return file.empty() || OthersMay(file, fs::perms::others_exec | fs::perms::others_read);
}

// The folders of `outside` one by one, so that what must not be seen of it can be left out.
void ShowFolders(const BindOption& bind, const std::set<std::string>& without, RootSpec* root) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(bind.outside, error)) {
    const std::string target = "/" + entry.path().filename().string();
    if (without.contains(target)) continue;
    if (entry.is_symlink()) {
      root->mounts.push_back({.kind = MountKind::kSymlink, .source = fs::read_symlink(entry.path()), .target = target});
    } else {
      root->mounts.push_back({.source = entry.path(), .target = target, .writable = bind.writable});
    }
  }
  if (error) throw UserError(fmt::format("--bind: {}: {}", bind.outside, error.message()));
}

void ShowProc(RootSpec* root) { root->mounts.push_back({.kind = MountKind::kProc, .target = "/proc"}); }
void ShowDevices(RootSpec* root) { root->mounts.push_back({.kind = MountKind::kDev, .target = "/dev"}); }

void Bind(const BindOption& bind, RootSpec* root) {
  if (bind.writable) root->permissions.file_writes = true;
  if (bind.devices && bind.inside == "/dev") return ShowDevices(root);
  if (bind.devices) throw UserError(fmt::format("--bind: {}: devices can be had as /dev alone", bind.inside));
  root->mounts.push_back({.source = bind.outside, .target = bind.inside, .writable = bind.writable});
}

RootSpec RootOfBinds(const Options& options) {
  const BindOption& first = options.binds.front();
  if (first.inside != "/") throw InvalidConfiguration("first bind mount must be root bind mount");
  RootSpec root;
  root.permissions.file_writes = first.writable;
  std::set<std::string> without{"/proc", "/dev"};
  if (fs::weakly_canonical(first.outside) == "/") without.insert({"/sys", "/run"});
  if (options.default_binds) without.insert(kProgram);
  for (const BindOption& bind : options.binds) without.insert(bind.inside);
  ShowFolders(first, without, &root);
  if (first.devices) ShowDevices(&root);
  std::for_each(options.binds.begin() + 1, options.binds.end(), [&](const BindOption& bind) { Bind(bind, &root); });
  if (options.proc) ShowProc(&root);
  return root;
}

// Of a folder that the program may not enter it sees the files that it may read.
void ShowFilesOf(const std::string& folder, const std::string& program, View* view) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_regular_file(error) || !OthersMay(entry.path(), fs::perms::others_read) || entry.path() == program) continue;
    view->files.push_back({entry.path(), entry.path()});
  }
}

// Beside those, the program's own folder and the one where it starts: as they are if they may be entered, else file by file.
View ViewOfThisMachine(const std::string& program, const std::string& work_dir) {
  View view;
  view.root = RootOfThisMachine();
  view.program = program;
  view.work_dir = work_dir;
  const std::string folder = fs::path(program).parent_path();
  bool is_shown = IsShown(view.root, folder) && IsOpen(folder, program);
  for (const std::string& shown : std::set<std::string>{work_dir, folder}) {
    if (shown == "/" || IsShown(view.root, shown)) continue;
    const bool holds_program = shown == folder;
    const bool may_enter = ::geteuid() != 0 || (OthersMay(shown, fs::perms::others_exec) && (!holds_program || OthersMay(program, fs::perms::others_exec | fs::perms::others_read)));
    view.root.mounts.push_back({.kind = may_enter ? MountKind::kBind : MountKind::kDirectory, .source = shown, .target = shown});
    if (!may_enter) ShowFilesOf(shown, program, &view);
    is_shown = is_shown || (holds_program && may_enter);
  }
  if (!is_shown) view.files.push_back({program, program, false, true});
  return view;
}

}  // namespace

View MakeView(const Options& options) {
  const std::string& word = options.command.front();
  std::error_code error;
  if (!fs::is_regular_file(word, error) || ::access(word.c_str(), X_OK) != 0) {
    throw UserError(fmt::format("{}: expected an executable file", word));
  }
  const std::string program = fs::absolute(word).lexically_normal();
  if (!options.mounts && !options.work_dir.empty() && !fs::is_directory(options.work_dir, error)) throw UserError(fmt::format("--chdir: {}: no such folder", options.work_dir));
  View view;
  if (!options.mounts) {
    view = ViewOfThisMachine(program, options.work_dir.empty() ? fs::current_path().string() : options.work_dir);
    view.argv = options.command;
    if (std::vector<std::string> words = WordsOfEnvScript(program, [](const fs::path& path) { return IsOpen(path.parent_path(), path); }); !words.empty()) {
      view.program = words.front();
      view.argv.insert(view.argv.begin(), words.begin(), words.end());
    }
    // Who asks for no namespace at all may be where none can be had.
    if (!options.namespaces) view.isolation = BestIsolation();
  } else {
    view.root = options.binds.empty() ? SandboxStore().Get("exec-sandbox") : RootOfBinds(options);
    view.program = options.default_binds ? kProgram : program;
    view.argv = options.command;
    view.argv.front() = view.program;
    if (options.default_binds) view.files.push_back({program, kProgram, false, true});
    view.work_dir = options.work_dir.empty() ? "/" : options.work_dir;
  }
  view.root.name = "sio2jail";
  view.root.hostname = "sio2jail";
  view.root.work_dir = view.work_dir;
  return view;
}

}  // namespace tally::sio2jail
