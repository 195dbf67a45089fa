// One more process of a solution that talks to an interactor with several: run by a companion (companion.h) at the same time as the
// worker runs the first.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "base/units.h"
#include "jobs/companion.h"
#include "jobs/interaction_verdict.h"
#include "jobs/interactor.h"
#include "jobs/program.h"

namespace tally {

class Peer {
 public:
  // Called in the companion.
  using ProgramFor = std::function<const Program&(const std::string& test)>;

  // `interactor` is borrowed; process 0 is the worker's own. stderr goes into the file `error`.
  Peer(unsigned process, const Interactor& interactor, ProgramFor program_for, std::string error);

  void Start(const PackageTest& test, const Interactor::Ends& ends, std::optional<Nanoseconds> wall) const;
  // `meanwhile` as in Companion::Wait.
  [[nodiscard]] RunResult Wait(const Companion::Between& meanwhile) const;
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  [[nodiscard]] std::string RunOne(const nlohmann::json& request, const std::vector<Fd>& ends) const;

  ProgramFor program_for_;
  std::string error_;
  Companion companion_;
};

}  // namespace tally
