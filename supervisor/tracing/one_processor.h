// Keeps tasks and us on the processor that we are on, for as long as this lives: where they stop and we resume them all the
// time, each of the two switches is a wake-up across processors otherwise, with an interrupt, in a virtual machine several
// times the price of a switch on one.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <unordered_map>

namespace tally {

class OneProcessor {
 public:
  OneProcessor();
  explicit OneProcessor(pid_t tid) : OneProcessor() { Add(tid); }
  ~OneProcessor();
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

  // `tid` is stopped. It can see this (sched_getaffinity(2)), and hands it on to tasks that it makes: AllowProcessorsOf. Not where it
  // may not be on ours.
  void Add(pid_t tid);

 private:
  int cpu_;
  bool is_ours_ = false;  // we are kept on it
  cpu_set_t ours_{};
  std::unordered_map<pid_t, cpu_set_t> theirs_;  // where each might be before
};

// `child` may be where `parent` may, which made it and is not kept anywhere any more.
void AllowProcessorsOf(pid_t parent, pid_t child);

}  // namespace tally
