#include "supervisor/sandbox/reused_init.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "supervisor/sandbox/child_setup.h"
#include "supervisor/sandbox/sandboxes.h"

namespace tally {

// All of a plan but its descriptors. The filters themselves, not where they are: init has a copy of our memory.
struct ReusedInit::Start {
  ChildPlan plan;
  std::vector<std::vector<sock_filter>> filters;

  explicit Start(const ChildPlan& from) : plan(from) {
    for (const std::span<const sock_filter> filter : from.filters) filters.emplace_back(filter.begin(), filter.end());
  }

  [[nodiscard]] bool HasFilters(const std::vector<std::span<const sock_filter>>& others) const {
    return std::equal(filters.begin(), filters.end(), others.begin(), others.end(), [](const auto& a, const auto& b) {
      return a.size() == b.size() && std::memcmp(a.data(), b.data(), b.size_bytes()) == 0;
    });
  }

  [[nodiscard]] bool IsOf(const ChildPlan& other) const {
    return plan.sandbox == other.sandbox && plan.program == other.program && plan.argv == other.argv &&
           plan.env == other.env && plan.work_dir == other.work_dir && plan.limits.rlimits == other.limits.rlimits &&
           HasFilters(other.filters) && plan.address_randomization == other.address_randomization &&
           plan.time_stamps_fault == other.time_stamps_fault && plan.network_namespace == other.network_namespace &&
           plan.landlock_ruleset == other.landlock_ruleset && plan.alone == other.alone &&
           plan.limits.cgroup.how == other.limits.cgroup.how;  // its user is the executor's, and so is init
  }
};

ReusedInit::ReusedInit() = default;
ReusedInit::~ReusedInit() { End(); }

void ReusedInit::WillStart(const ChildPlan& plan) { start_ = std::make_unique<const Start>(plan); }

void ReusedInit::Keep(Init init, Sandboxes* home) {
  init_ = std::move(init);
  home_ = home;
  home_->Add(this);
}

bool ReusedInit::Starts(const ChildPlan& plan) const {
  return init_.pid > 0 && home_ == plan.sandboxes && plan.alone && plan.more_descriptors.empty() && start_->IsOf(plan);
}

Init ReusedInit::Take() noexcept {
  home_->Remove(this);
  return std::exchange(init_, Init{});
}

void ReusedInit::End() noexcept {
  if (init_.pid > 0 && home_->is_ours()) EndInit(Take(), home_);
  init_ = Init{};
}

void ReusedInit::GiveUp() noexcept {
  given_up_ = true;
  End();
}

}  // namespace tally
