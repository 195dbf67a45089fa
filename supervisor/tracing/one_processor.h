// Keeps a task and us on the processor that we are on, for as long as this lives: where it stops and we resume it all the
// time, each of the two switches is a wake-up across processors otherwise, with an interrupt, in a virtual machine several
// times the price of a switch on one.
#pragma once

#include <sched.h>
#include <sys/types.h>

namespace tally {

class OneProcessor {
 public:
  // `tid` is stopped. It can see this (sched_getaffinity(2)), and hands it on to tasks that it makes: AllowProcessorsOf.
  explicit OneProcessor(pid_t tid);
  ~OneProcessor();
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  pid_t tid_;
  bool joined_ = false;  // not where it may not be on ours
  cpu_set_t ours_{};
  cpu_set_t theirs_{};
};

// `child` may be where `parent` may, which made it and is not kept anywhere any more.
void AllowProcessorsOf(pid_t parent, pid_t child);

}  // namespace tally
