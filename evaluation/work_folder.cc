#include "evaluation/work_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/disk_space.h"
#include "base/error.h"
#include "base/sys.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

void MakeFolders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw SystemError("make the folder " + path, error.value());
}

// As root, programs that run at the same time are different users. Whatever our umask is.
void LetAllRead(const std::string& folder) {
  std::error_code error;
  fs::permissions(folder, fs::perms(0755), error);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!error) fs::permissions(entry.path(), fs::perms(entry.is_directory() ? 0755 : 0644), error);
  }
  if (error) throw SystemError("chmod in " + folder, error.value());
}

bool EndsInOneOf(const std::string& path, const std::vector<std::string>& extensions) {
  const std::string extension = fs::path(path).extension();
  return extension.size() > 1 && std::find(extensions.begin(), extensions.end(), extension.substr(1)) != extensions.end();
}

}  // namespace

WorkFolder::WorkFolder() : path_(directory_.File("box")) {
  for (const char* folder : {"solution", "include", "tests", "out"}) MakeFolders(Folder(folder));
}

void WorkFolder::Place(std::string_view folder, const std::vector<EvalFile>& files) {
  Bytes all;
  for (const EvalFile& file : files) all.count += file.content.size();
  RequireSpace(path_, all);
  for (const EvalFile& file : files) {
    const std::string path = Folder(folder) + "/" + file.path;
    MakeFolders(fs::path(path).parent_path());
    const Fd out = sys::Open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0644);
    sys::WriteAll(out.get(), file.content, path);
  }
  LetAllRead(Folder(folder));
}

void WorkFolder::EmptyOut() {
  std::error_code error;
  fs::remove_all(Folder("out"), error);
  if (error) throw SystemError("empty the folder " + Folder("out"), error.value());
  MakeFolders(Folder("out"));
}

void WorkFolder::GiveToSandboxUser() const {
  if (!ProgramsChangeUser(Isolation::kFull)) return;
  SandboxUser& user = ProcessExecutor().sandboxes().user();
  user.Own(path_);
  for (const auto& entry : fs::recursive_directory_iterator(path_)) user.Own(entry.path());
}

std::vector<PlacedFile> WorkFolder::ForBuilding() const {
  const auto placed = [&](const std::string& folder) { return PlacedFile{Folder(folder), fmt::format("{}/{}", kBox, folder), false, true}; };
  return {placed("solution"), placed("include"), {Folder("out"), fmt::format("{}/out", kBox), true, true}};
}

PlacedFile WorkFolder::Tests() const { return {Folder("tests"), fmt::format("{}/tests", kBox), false, true}; }

std::vector<std::string> WorkFolder::FilesIn(std::string_view folder) const {
  std::vector<std::string> files;
  std::error_code error;
  // Links may have been left there by what was compiled; they are not followed.
  for (const auto& entry : fs::recursive_directory_iterator(Folder(folder), error)) {
    if (fs::is_regular_file(entry.symlink_status(error))) files.push_back(entry.path().string().substr(path_.size() + 1));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> WorkFolder::Sources(std::string_view folder, const std::vector<std::string>& extensions) const {
  std::vector<std::string> sources;
  for (const std::string& file : FilesIn(folder)) {
    if (EndsInOneOf(file, extensions)) sources.push_back(fmt::format("{}/{}", kBox, file));
  }
  return sources;
}

}  // namespace tally
