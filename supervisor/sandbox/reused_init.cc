#include "supervisor/sandbox/reused_init.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "supervisor/sandbox/child_setup.h"
#include "supervisor/sandbox/sandboxes.h"

namespace tally {

namespace {

rlim_t OurHardLimit(__rlimit_resource resource) {
  rlimit ours{};
  return ::getrlimit(resource, &ours) == 0 ? ours.rlim_max : 0;
}

}  // namespace

// It takes its hard limits from us, or has what the first program needed; without a capability it cannot raise them afterwards.
struct ReusedInit::Own {
  std::string work_dir;
  int network;
  const sock_filter* filter;
  std::vector<ResourceLimit> limits;
  bool numbers_anew;

  Own(const ChildPlan& plan, bool numbers)
      : work_dir(plan.work_dir), network(plan.network), filter(plan.init_filter.data()), limits(plan.limits.rlimits), numbers_anew(numbers) {}

  [[nodiscard]] bool Allows(const ResourceLimit& wanted) const {
    const bool as_at_first = std::any_of(limits.begin(), limits.end(), [&](const ResourceLimit& own) { return own.resource == wanted.resource && wanted.value <= own.value; });
    return as_at_first || wanted.value <= OurHardLimit(wanted.resource);
  }
};

ReusedInit::ReusedInit() = default;
ReusedInit::~ReusedInit() { End(); }

const Launch* ReusedInit::WillStart(const ChildPlan& plan, bool numbers_anew) {
  if (!room_ || !room_->IsOurs()) room_.emplace();
  own_ = std::make_unique<const Own>(plan, numbers_anew);
  return room_->Put(plan);
}

void ReusedInit::Keep(Init init, Sandboxes* home) {
  init_ = std::move(init);
  home_ = home;
  home_->Add(this);
}

bool ReusedInit::Starts(const ChildPlan& plan) const {
  const std::vector<ResourceLimit>& limits = plan.limits.rlimits;
  return init_.pid > 0 && home_ == plan.sandboxes && (plan.alone || own_->numbers_anew) && plan.more_descriptors.empty() && !plan.network_namespace &&
         plan.work_dir == own_->work_dir && plan.network == own_->network && plan.init_filter.data() == own_->filter &&
         std::all_of(limits.begin(), limits.end(), [&](const ResourceLimit& limit) { return own_->Allows(limit); });
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
