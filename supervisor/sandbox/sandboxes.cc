#include "supervisor/sandbox/sandboxes.h"

#include <utility>

#include "supervisor/sandbox/kept_init.h"
#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/tracing/waits.h"

namespace tally {

Sandboxes::~Sandboxes() {
  if (!is_ours()) return;
  EndKeptInits();
  Reap();
}

void Sandboxes::Remove(KeptInit* kept) { std::erase(kept_, kept); }

void Sandboxes::EndKeptInits() {
  for (KeptInit* const kept : std::vector<KeptInit*>(kept_)) kept->End();  // each takes itself off the list
}

void Sandboxes::Reap() {
  for (const pid_t init : std::exchange(ended_inits_, {})) waits::AwaitEnd(init);
}

void Sandboxes::Unmount() {
  for (const std::string& root : std::exchange(ended_roots_, {})) UnmountRoot(root);
}

}  // namespace tally
