// SIGINT, SIGTERM and SIGHUP as something to poll, while this lives: whoever they reach puts everything away first.
#pragma once

#include <signal.h>

#include "base/fd.h"

namespace tally {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  [[nodiscard]] int fd() const { return fd_.get(); }
  // Throws Interrupted when one has come.
  void Check() const;

  // As if there were no StopSignals, while this lives: for calls that wait and have nothing to release.
  class Pass {
   public:
    explicit Pass(const StopSignals& signals);
    ~Pass();
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    sigset_t blocked_{};
  };

 private:
  sigset_t before_{};
  Fd fd_;
};

}  // namespace tally
