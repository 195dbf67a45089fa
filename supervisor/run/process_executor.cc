#include "supervisor/run/process_executor.h"

#include <unistd.h>

namespace tally {
namespace {

// In a fork the other's executor is left as it is, for ever: its end would be that of the other's processes.
class Holder {
 public:
  ~Holder() {
    if (owner_ == ::getpid()) delete executor_;
  }
  Executor& Get() {
    if (owner_ != ::getpid()) {
      executor_ = new Executor(executor_ != nullptr && executor_->is_prepared());
      owner_ = ::getpid();
    }
    return *executor_;
  }

 private:
  Executor* executor_ = nullptr;
  pid_t owner_ = 0;
};
Holder holder;

}  // namespace

Executor& ProcessExecutor() { return holder.Get(); }

}  // namespace tally
