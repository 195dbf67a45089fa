// A problem's package, as setters have it: its tests, its limits, and how an answer is checked. One reader for each format stands behind
// it (formats.h). What a reader knows of and cannot do is a UserError that names file, line and key; what it does not read is listed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "checkers/protocol.h"
#include "checkers/tolerant_compare.h"

namespace tally {

struct PackageTest {
  std::string name;     // with the groups that it is in: secret/g1/02
  std::string input;    // local paths
  std::string answer;
  // Where the package brings no checker and has rules of its own (Kattis); else tokens are compared.
  std::optional<TolerantRules> compare;
  std::vector<std::string> checker_arguments;  // behind those of the checker's protocol
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
  std::vector<std::string> checker_sources;  // compiled along with it
  CheckerProtocol protocol = CheckerProtocol::kSio;
  std::string limits_from = "defaults";  // "tally.yml", "config.yml", ...: who set any
  std::vector<std::string> warnings;    // of settings that are known and not applied: one sentence each, with its place
  std::vector<std::string> settings;    // the files that were read for them, below `directory`
  std::vector<std::string> not_read;    // files that look like tests or settings, below `directory`, in order
};

// UserError when the directory has no tests, an input lacks its answer, or a file of settings is wrong.
Package ReadPackage(const std::string& directory, PackageFrom from = PackageFrom::kUser);

}  // namespace tally
