// What `tally submit` does with its answers: one goes to stdout, those of a folder into files beside its requests. Each
// returns an exit status.
#pragma once

#include <cstdint>
#include <string>

#include "base/json_output.h"
#include "base/units.h"
#include "evaluation/answer_text.h"
#include "dispatcher/submit_client.h"

namespace tally {

struct SubmitRun {
  SubmitOptions options;
  AnswerKind kind = AnswerKind::kEvaluation;
  std::uint64_t api_version = 1;
  Bytes most_request = Bytes::MiB(32);
  bool watch = false;
};

// Prints the answer, as people read it or as it came.
int SubmitOne(const SubmitRun& run, SubmitRequest request, bool for_people, const JsonOutput& json);
// Answers go into the folder `out`, which is made; "": beside the requests.
int SubmitFolder(const SubmitRun& run, const std::string& folder, const std::string& out);
// A load of `count` requests, `rounds` times.
int SubmitBench(const SubmitRun& run, const std::string& body, std::size_t count, std::size_t rounds, const JsonOutput& json);

}  // namespace tally
