// What became of a case whose process has ended: a pure function of how it ended and of what it left in the report
// channel, and the only place that orders the two. Time and tampering win over any report; a report counts only behind the
// record `done`, and must agree with the framework's exit status, which that record tells.
#pragma once

#include <string>

#include "evaluation/eval_response.h"
#include "evaluation/junit_xml.h"
#include "evaluation/phase.h"
#include "evaluation/report_channel.h"
#include "evaluation/stack_spec.h"

namespace tally {

struct CaseVerdict {
  TestCase test;  // without its name
  std::string suite;
};

// `case_time` and `tests_time` are the limits, for the sentence.
CaseVerdict JudgeCase(const StepResult& step, const ChannelReport& report, Nanoseconds case_time, Nanoseconds tests_time);

// "the program ended before its test did (exit status 0)": of a process that has not told what became of its case.
std::string HowItEnded(const RunResult& run);
// "10 s", "0.5 s".
std::string SecondsText(Nanoseconds time);

}  // namespace tally
