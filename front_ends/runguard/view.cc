#include "front_ends/runguard/view.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "front_ends/this_machine.h"

namespace tally::runguard {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 4;  // so far below the root is looked for folders that others may write, or may not enter
constexpr std::size_t kMostMounts = 256;
constexpr Bytes kNothing = Bytes::KiB(4);

bool IsOfTheSystem(std::string_view name) {
  for (const std::string_view own : {"bin", "sbin", "usr", "etc", "opt", "var", "boot"}) {
    if (name == own) return true;
  }
  return name.starts_with("lib");
}

void Add(const fs::path& outside, Mount mount, RootSpec* root) {
  if (root->mounts.size() >= kMostMounts) throw UserError(fmt::format("{}: more than {} folders that everybody may write, or not enter", outside.string(), kMostMounts));
  root->mounts.push_back(std::move(mount));
}

// Of a folder that is shown read-only, and what is below. No link is followed.
void DoAsPermissionsSay(const fs::path& outside, const std::string& inside, int depth, RootSpec* root) {
  if (OthersMay(outside, fs::perms::others_write | fs::perms::others_exec)) return Add(outside, {.source = outside, .target = inside, .writable = true}, root);
  if (depth == 0) return;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(outside, error)) {
    if (entry.is_symlink(error) || !entry.is_directory(error)) continue;
    const std::string below = inside + "/" + entry.path().filename().string();
    if (OthersMay(entry.path(), fs::perms::others_exec)) {
      DoAsPermissionsSay(entry.path(), below, depth - 1, root);
    } else if (::geteuid() != 0) {  // as root the program is another user anyhow
      Add(entry.path(), {.kind = MountKind::kTmpfs, .target = below, .size = kNothing}, root);
    }
  }
}

void ShowFolder(const fs::path& outside, const std::string& inside, RootSpec* root) {
  root->mounts.push_back({.source = outside, .target = inside});
  DoAsPermissionsSay(outside, inside, kDeepest, root);
}

void ShowEntry(const fs::directory_entry& entry, RootSpec* root) {
  const std::string name = entry.path().filename(), inside = "/" + name;
  std::error_code error;
  if (entry.is_symlink(error)) {
    root->mounts.push_back({.kind = MountKind::kSymlink, .source = fs::read_symlink(entry.path()), .target = inside});
  } else if (name == "proc") {
    root->mounts.push_back({.kind = MountKind::kProc, .target = inside});
  } else if (name == "dev") {
    root->mounts.push_back({.kind = MountKind::kDev, .target = inside});
  } else if (name == "sys" || name == "run") {
    return;  // the machine's
  } else if (entry.is_directory(error)) {
    if (!OthersMay(entry.path(), fs::perms::others_exec)) return;
    if (IsOfTheSystem(name)) {
      root->mounts.push_back({.source = entry.path(), .target = inside});
    } else {
      ShowFolder(entry.path(), inside, root);
    }
  } else if (entry.is_regular_file(error) && OthersMay(entry.path(), fs::perms::others_read)) {
    root->mounts.push_back({.source = entry.path(), .target = inside});
  }
}

RootSpec RootOfFolder(const std::string& folder) {
  RootSpec root;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) ShowEntry(entry, &root);
  if (error) throw UserError(fmt::format("cannot chdir to `{}': {}", folder, error.message()));
  return root;
}

// As execvp(3) finds it, where `outside` is the program's root.
std::string Find(const std::string& command, const std::string& outside, const std::string& work_dir) {
  if (command.find('/') != std::string::npos) return (fs::path(work_dir) / command).lexically_normal();
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/bin:/usr/bin" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (!folder.starts_with('/')) continue;
    const std::string inside = fmt::format("{}/{}", folder, command);
    if (::access((outside + inside).c_str(), X_OK) == 0) return inside;
  }
  throw UserError(fmt::format("cannot start `{}': there is none in PATH", command));
}

View OnThisMachine(const Options& options) {
  View view;
  view.root = RootOfThisMachine();
  view.work_dir = fs::current_path();
  view.program = Find(options.command.front(), "", view.work_dir);
  if (std::error_code error; !fs::exists(view.program, error)) throw UserError(fmt::format("cannot start `{}': {}", options.command.front(), ErrnoText(ENOENT)));
  const auto show = [&view](const std::string& folder) {
    if (folder != "/" && !IsShown(view.root, folder)) ShowFolder(folder, folder, &view.root);
  };
  show(view.work_dir);
  show(fs::path(view.program).parent_path());
  return view;
}

View InRoot(const Options& options, const std::string& folder) {
  View view;
  view.root = RootOfFolder(folder);
  view.work_dir = options.directory.empty() ? "/" : (fs::path("/") / options.directory).lexically_normal().string();
  std::error_code error;
  if (!fs::is_directory(folder + view.work_dir, error)) throw UserError(fmt::format("cannot chdir to `{}' in chroot", options.directory));
  view.program = Find(options.command.front(), folder, view.work_dir);
  return view;
}

}  // namespace

View MakeView(const Options& options) {
  std::error_code error;
  const std::string folder = options.root.empty() ? "/" : fs::canonical(options.root, error).string();
  if (error) throw UserError(fmt::format("cannot chdir to `{}': {}", options.root, error.message()));
  View view = folder == "/" ? OnThisMachine(options) : InRoot(options, folder);
  view.root.name = "runguard";
  view.root.hostname = "runguard";
  view.root.work_dir = view.work_dir;
  // DOMjudge's programs are compilers' and runtimes', too: what they may not do fails, and does not end them.
  view.root.permissions.processes = view.root.permissions.file_writes = view.root.permissions.i386 = view.root.permissions.any_other_is_enosys = true;
  return view;
}

}  // namespace tally::runguard
