// A directory of tests, as problem setters keep them:
//   in/NAME.in + out/NAME.out         (sinol; NAME.in beside NAME.out in the folder itself works too)
//   data/{sample,secret}/NAME.in + NAME.ans   (Kattis)
// Limits come from tally.yml, sinol's config.yml or Kattis' problem.yaml, the first that is there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "jobs/checking.h"

namespace tally {

struct PackageTest {
  std::string name;
  std::string input;   // local paths
  std::string answer;
};

// Whose package it is: a stranger's names none of this machine's files, and is told nothing about them.
enum class PackageFrom : std::uint8_t { kUser, kStranger };

struct Package {
  std::string directory;
  PackageFrom from = PackageFrom::kUser;
  std::string title;
  std::vector<PackageTest> tests;  // by name, numbers by value: 2 before 10
  std::optional<Nanoseconds> time;
  std::optional<Bytes> memory;
  std::optional<Bytes> output;
  std::uint32_t processes = 1;
  bool virtual_time = false;            // vcpu-exec instead of exec
  std::optional<std::string> checker;   // source or executable, local path
  CheckerProtocol protocol = CheckerProtocol::kSio;
  std::string limits_from;              // "tally.yml", "config.yml", ... or "defaults"
};

// UserError when the directory has no tests, an input lacks its answer, or a limits file is wrong.
Package ReadPackage(const std::string& directory, PackageFrom from = PackageFrom::kUser);

}  // namespace tally
