#include "sandboxes/kept_sandboxes.h"

#include <filesystem>
#include <utility>

#include "base/sys.h"
#include "sandboxes/sandbox_store.h"

namespace tally {
namespace {

bool IsStillThere(const RootSpec& root) {
  std::error_code error;
  return root.base_root.empty() || std::filesystem::is_directory(root.base_root, error);
}

KeptSandboxes& Own() {
  static KeptSandboxes own(CacheTime(0), [](const std::string& name) { return SandboxStore().Get(name); }, sys::MonotonicNow);
  return own;
}

}  // namespace

KeptSandboxes::KeptSandboxes(CacheTime time, Find find, Clock clock)
    : time_(time), find_(std::move(find)), clock_(std::move(clock)) {}

RootSpec KeptSandboxes::Get(const std::string& name) {
  const Nanoseconds now = clock_();
  const auto it = kept_.find(name);
  if (it != kept_.end() && time_.Holds(it->second.read_at, now) && IsStillThere(it->second.root)) return it->second.root;
  RootSpec root = find_(name);
  kept_.insert_or_assign(name, Kept{root, now});
  return root;
}

void KeptSandboxes::KeepFor(CacheTime time) { time_ = time; }

RootSpec ReadySandbox(const std::string& name) { return Own().Get(name); }

void KeepReadySandboxesFor(CacheTime time) { Own().KeepFor(time); }

}  // namespace tally
