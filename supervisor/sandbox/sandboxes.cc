#include "supervisor/sandbox/sandboxes.h"

#include <utility>

#include "supervisor/sandbox/reused_init.h"
#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/tracing/waits.h"

namespace tally {

Sandboxes::~Sandboxes() {
  if (!is_ours()) return;
  KillReusedInits();
  Reap();
}

void Sandboxes::Remove(ReusedInit* kept) { std::erase(kept_, kept); }

void Sandboxes::KillReusedInits() {
  for (ReusedInit* const kept : std::vector<ReusedInit*>(kept_)) kept->End();  // each takes itself off the list
}

void Sandboxes::Reap() {
  for (const pid_t init : std::exchange(ended_inits_, {})) waits::AwaitEnd(init);
}

void Sandboxes::Unmount() {
  for (const std::string& root : std::exchange(ended_roots_, {})) UnmountRoot(root);
}

}  // namespace tally
