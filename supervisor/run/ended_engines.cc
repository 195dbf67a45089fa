#include "supervisor/run/ended_engines.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>
#include <vector>

namespace tally {
namespace {

namespace fs = std::filesystem;

class Waiting {
 public:
  ~Waiting() { PutAway(); }
  void Add(std::unique_ptr<Engine> engine) {
    owner_ = ::getpid();
    engines_.push_back(std::move(engine));
  }
  void PutAway() {
    for (const auto& engine : std::exchange(engines_, {})) {
      try {
        if (owner_ == ::getpid()) engine->Keep();
      } catch (const std::exception&) {  // then there is nothing to find next time
      }
    }
  }

 private:
  std::vector<std::unique_ptr<Engine>> engines_;
  pid_t owner_ = 0;
};
Waiting waiting;

bool Holds(const fs::path& folder, const fs::path& path) {
  const fs::path relative = path.lexically_relative(folder);
  return !folder.empty() && !relative.empty() && *relative.begin() != "..";
}

}  // namespace

void EndedEngines::Add(std::unique_ptr<Engine> engine) {
  if (engine->HasToKeep()) waiting.Add(std::move(engine));
}

void EndedEngines::PutAway() { waiting.PutAway(); }

std::string FolderOutside(const std::string& folder, const Sandbox& sandbox) {
  if (folder.empty() || sandbox.isolation() == Isolation::kNone) return "";
  std::error_code error;
  const fs::path path = fs::weakly_canonical(folder, error);
  if (error) return "";
  const RootSpec& spec = sandbox.spec();
  const bool shown = Holds(spec.base_root, path) ||
                     std::any_of(spec.mounts.begin(), spec.mounts.end(),
                                 [&](const Mount& mount) {
                                   return mount.kind == MountKind::kBind && Holds(mount.source, path);
                                 }) ||
                     std::any_of(sandbox.files().begin(), sandbox.files().end(), [&](const PlacedFile& file) {
                       return file.writable && Holds(fs::weakly_canonical(file.host_path, error), path);
                     });
  return shown ? "" : path.string();
}

}  // namespace tally
