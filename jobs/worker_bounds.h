// What an operator gives to each job that strangers send: what asks for more is refused by one sentence, before anything of it is run. What a
// job does not ask for it gets as docs/jobs.md says, from descriptions that are the operator's own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace tally {

class Environ;

struct WorkerBounds {
  std::optional<Nanoseconds> time;         // of CPU, or virtual, of one program
  std::optional<Bytes> memory;             // of one program
  std::optional<Bytes> output;             // its stdout, and each file that it writes
  std::optional<std::uint64_t> processes;  // of one program; and programs of one interactive job
  std::optional<Bytes> unpacked;           // of one archive
  std::optional<Bytes> stored;             // of what is kept of one user's jobs
  std::vector<std::string> sandboxes, compilers;  // names of those that may be asked for; none: all that are here
};

// UserError names the job's key, what it says, the bound, and what the operator calls it.
void RequireWithin(const WorkerBounds& bounds, const Environ& environ);
// The same of a compiler by a word for it, or where that is "" by the name of its source.
void RequireCompilerWithin(const WorkerBounds& bounds, std::string_view key, const std::string& word, const std::string& source);

}  // namespace tally
