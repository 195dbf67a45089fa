#include "supervisor/tracing/one_processor.h"

namespace tally {

OneProcessor::OneProcessor(pid_t tid) : tid_(tid) {
  const int cpu = ::sched_getcpu();
  if (cpu < 0 || ::sched_getaffinity(0, sizeof ours_, &ours_) != 0) return;
  if (::sched_getaffinity(tid_, sizeof theirs_, &theirs_) != 0 || !CPU_ISSET(cpu, &theirs_)) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  joined_ = ::sched_setaffinity(0, sizeof one, &one) == 0;
  if (joined_) ::sched_setaffinity(tid_, sizeof one, &one);
}

OneProcessor::~OneProcessor() {
  if (!joined_) return;
  ::sched_setaffinity(tid_, sizeof theirs_, &theirs_);
  ::sched_setaffinity(0, sizeof ours_, &ours_);
}

void AllowProcessorsOf(pid_t parent, pid_t child) {
  cpu_set_t theirs;
  if (::sched_getaffinity(parent, sizeof theirs, &theirs) == 0) ::sched_setaffinity(child, sizeof theirs, &theirs);
}

}  // namespace tally
