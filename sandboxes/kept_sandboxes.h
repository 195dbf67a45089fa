// Sandboxes that are remembered: for as long as their owner says, a description is not read again and the image of an
// archive not asked for. What is gone from the disk meanwhile, an unpacked image that somebody deleted for one, is
// noticed all the same, and looked up anew.
//
// A process has sandboxes of its own, ReadySandbox(), of which at first none is remembered: an edited description counts
// at once for who runs one command. A worker's instance remembers (EVA_DISPATCHER_IMG_CACHE_TTL, docs/dispatcher.md).
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/cache_time.h"
#include "supervisor/api/root_spec.h"

namespace tally {

class KeptSandboxes {
 public:
  using Find = std::function<RootSpec(const std::string& name)>;  // throws where there is none: that is not remembered
  using Clock = std::function<Nanoseconds()>;

  KeptSandboxes(CacheTime time, Find find, Clock clock);

  [[nodiscard]] RootSpec Get(const std::string& name);
  void KeepFor(CacheTime time);

 private:
  struct Kept {
    RootSpec root;
    Nanoseconds read_at;
  };

  CacheTime time_;
  Find find_;
  Clock clock_;
  std::map<std::string, Kept> kept_;
};

// Of this process: by name out of the SandboxStore, ready for the supervisor. Throws what the store throws.
RootSpec ReadySandbox(const std::string& name);
void KeepReadySandboxesFor(CacheTime time);

}  // namespace tally
