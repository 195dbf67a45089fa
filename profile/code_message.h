// CodeMessage: a program to be measured over growing inputs, and how; read from a JSON object. Keys, units and defaults
// are in docs/jobs.md (job `profile`), kept in step by a test. Keys that are not known are left alone.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "base/units.h"
#include "profile/generators.h"
#include "profile/growth.h"
#include "profile/input_sizes.h"

namespace tally {

// A program as its source, or as a file of this machine: a source or an executable.
struct ProgramText {
  std::string code;
  std::string language;  // a compiler's name or alias; "" by the file's extension
  std::string file;      // in place of `code`; only the command line sets it
};

inline constexpr const char* kDefaultLanguage = "cpp17";

struct CodeMessage {
  std::string task_id;
  std::uint64_t iteration = 0;
  ProgramText program;
  SizeOptions sizes;
  Shape shape = Shape::kNumber;
  std::optional<ProgramText> generator;  // over the shape; called with n and the seed, prints the input
  std::uint64_t seed = 0;              // the first one
  std::optional<std::uint64_t> seeds;  // how many inputs a size has; absent: kDefaultSeeds where the shape is random
  std::optional<ProgramText> checker;
  std::string checker_protocol = "sio";
  std::optional<ProgramText> hint;  // the model solution: what it prints is the answer
  Milliseconds timeout{2'000};      // real time of one run
  Bytes memory = Bytes::MiB(512);   // of one run
  bool debug = false;
  bool timeline = false;  // of the largest size; asked for by who shows it, not by the message
  std::optional<GrowthModel> expect;
};

// Of a run; of the process that a message may not change.
inline constexpr Bytes kSeriesStack = Bytes::MiB(256);
inline constexpr std::uint32_t kSeriesProcesses = 64;

// Inputs of one size differ, and so do their counts: two would tell that, three tell how much.
inline constexpr std::uint64_t kDefaultSeeds = 3, kMostSeeds = 100;
// Of each size of 2 or more. A program that generates inputs may not look at its seed, so it is asked once unless told.
std::uint64_t SeedsOf(const CodeMessage& message);

// UserError names the key.
CodeMessage ReadCodeMessage(const nlohmann::json& object);

}  // namespace tally
