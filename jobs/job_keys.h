// The keys that each kind of job reads, and those that jobs write. An environ keeps every other key too, so only who
// knows that a key was meant for the job (a person typed it) can call one wrong. Tests keep these lists, the tables of
// docs/jobs.md and the code in step.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tally {

// With those of all jobs; empty for a job_type that is not known.
std::vector<std::string> KeysOfJob(std::string_view job_type);

// What the jobs write and none reads; most may be absent, and say why in KEY_absent.
std::span<const std::string_view> ResultKeys();

// A key that some job reads or writes: an environ goes from one job to the next.
bool IsKeyOfAnyJob(const std::string& key);

}  // namespace tally
