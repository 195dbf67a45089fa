// Custom checkers: what a run of one meant. Pure: somebody else ran the checker in a sandbox and hands over
// how it ended and what it wrote. Four protocols are spoken; in all of them a checker that was killed,
// stopped by a limit, or broke its protocol has failed (CheckerVerdict::Outcome::kCheckerFailed).
//
//   sio      ./checker in out hint; standard output, up to three lines: OK or anything else (wrong), a
//   comment,
//            a percentage (only after OK; empty: 100). The exit status is ignored.
//   testlib  ./checker in out hint; the exit status: 0 accepted, 1 2 4 8 wrong, 3 the checker failed, 7
//   points.
//            The message (standard error, or the report file if one was asked for) may say how many: "points 40", or
//            "partial 2/5" (DMOJ's "coci").
//   kattis   ./checker in hint feedback_dir < out; exit status 42 accepted, 43 wrong, others: it failed.
//            feedback_dir/judgemessage.txt is the comment, feedback_dir/score.txt the percentage, or
//            feedback_dir/score_multiplier.txt the part of the points, from 0 to 1.
//   cms      ./checker in hint out; standard output: a number from 0 to 1, the part of the points; standard error: the comment. The exit
//            status must be 0. Source: the CMS manual, "Standard manager output".
//   peg      ./checker out hint in; exit status 0 accepted, 1 wrong, but for two lines of standard output with whole numbers: so much of
//            so much. Source: DMOJ's documentation ("Checkers", bridged, type peg).
//
// Points of every protocol are percents of the test (percentage.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "checkers/verdict.h"

namespace tally {

enum class CheckerProtocol : std::uint8_t { kSio, kTestlib, kKattis, kCms, kPeg };

// "sio", "testlib", "kattis", "cms", "peg"; nullopt for another name.
std::optional<CheckerProtocol> ParseCheckerProtocol(std::string_view name);

// How a checker's run ended and what it left. The views are borrowed.
struct CheckerRun {
  enum class End : std::uint8_t { kExited, kSignaled, kStopped };
  End end = End::kExited;
  int code = 0;                 // kExited: the exit status; kSignaled: the signal
  std::string_view stopped_by;  // kStopped: the limit, "time limit of 30 s"

  std::string_view output;                // standard output
  std::string_view message;               // testlib, cms: standard error or report file; kattis: judgemessage.txt
  std::optional<std::string_view> score;       // kattis: score.txt, if there is one
  std::optional<std::string_view> multiplier;  // kattis: score_multiplier.txt, from 0 to 1
};

CheckerVerdict ReadVerdict(CheckerProtocol protocol, const CheckerRun& run);

}  // namespace tally
