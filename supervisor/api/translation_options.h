// How the translator goes about its work. None of it changes what a program does or counts: the tests run programs with
// other options to hold it to that (tests/translator/differential_test.cc).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tally {

struct TranslationOptions {
  std::size_t eager = 7;            // entries translated beyond the one asked for; in libraries more (eager_queue.h)
  int most_pending = 100;           // instructions carried uncounted over an edge; at most kMostPending
  int variants = 4;                 // translations of one address with something pending
  int unrolled = 64;                // instructions of a loop's body per addition
  int way_back = 24;                // instructions of a call that returns soon, translated where it is called (emit_way_back.cc)
  int turn_margin = -1;             // instructions by which a turn goes on behind its budget, so that short loops need not look at each round;
                                    // -1: none where turns are short, by a seed or `turn`, else 64
  std::uint64_t turn = 0;           // not 0: tasks take turns from the first instruction on, each of so many, where they may
  std::uint64_t region_bytes = std::uint64_t{43} << 20;  // of code, until everything is forgotten; at most that
  std::size_t narrow_until = 4096;  // branch targets, to which tables are narrow where there is one task (control_area.h); 0: never
  int by_eip = -1;                  // 1: the task's page is addressed by gs and eip (emitter.h); -1: where the processor is the faster for it
  bool bmi2 = true;                 // SHRX (Intel SDM vol. 2), where the processor has it

  static constexpr int kMostPending = 100;
};

}  // namespace tally
