#include "supervisor/tracing/one_processor.h"

namespace tally {

OneProcessor::OneProcessor() : cpu_(::sched_getcpu()) {}

void OneProcessor::Add(pid_t tid) {
  if (cpu_ < 0 || theirs_.contains(tid)) return;
  cpu_set_t theirs;
  if (::sched_getaffinity(tid, sizeof theirs, &theirs) != 0 || !CPU_ISSET(cpu_, &theirs)) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu_, &one);
  if (!is_ours_) {
    if (::sched_getaffinity(0, sizeof ours_, &ours_) != 0 || ::sched_setaffinity(0, sizeof one, &one) != 0) {
      cpu_ = -1;
      return;
    }
    is_ours_ = true;
  }
  if (::sched_setaffinity(tid, sizeof one, &one) == 0) theirs_.emplace(tid, theirs);
}

OneProcessor::~OneProcessor() {
  for (const auto& [tid, theirs] : theirs_) ::sched_setaffinity(tid, sizeof theirs, &theirs);
  if (is_ours_) ::sched_setaffinity(0, sizeof ours_, &ours_);
}

void AllowProcessorsOf(pid_t parent, pid_t child) {
  cpu_set_t theirs;
  if (::sched_getaffinity(parent, sizeof theirs, &theirs) == 0) ::sched_setaffinity(child, sizeof theirs, &theirs);
}

}  // namespace tally
