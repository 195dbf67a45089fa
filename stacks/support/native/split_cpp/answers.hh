// Behind functions.inc's macros in the solution's process: by its number, each function that can be asked for.
#pragma once

#include "calls.hh"

#define TALLY_FUNCTION(n, symbol)                                                                                                             \
  extern "C" {                                                                                                                                \
  extern F##n::Real tally_real_##n __attribute__((visibility("hidden")));                                                                     \
  }                                                                                                                                           \
  asm(".pushsection .data\n.balign 8\n.globl tally_real_" #n "\n.hidden tally_real_" #n "\ntally_real_" #n ": .quad " symbol "\n.popsection\n");

#define TALLY_ANSWER(n) [](In& in, Out& out) { F##n::Answer(tally_real_##n, in, out); },

// The answer is there until the next question.
#define TALLY_ANSWERS()                                                                                        \
  extern "C" const char* tally_split_answer(const char* question, std::size_t size, std::size_t* answered) {   \
    using namespace tally_split;                                                                               \
    using Answer = void (*)(In&, Out&);                                                                        \
    static const Answer kAnswers[] = {TALLY_EACH(TALLY_ANSWER) nullptr};                                       \
    static std::string kept;                                                                                   \
    In in{question, size};                                                                                     \
    Out out;                                                                                                   \
    const std::uint32_t number = in.Number();                                                                  \
    if (number >= TALLY_COUNT) tally_split_side.misunderstood("a function that is not there");                 \
    kAnswers[number](in, out);                                                                                 \
    kept = std::move(out.bytes);                                                                               \
    *answered = kept.size();                                                                                   \
    return kept.data();                                                                                        \
  }
