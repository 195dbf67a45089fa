// Behind functions.inc's macros on the tests' side: each symbol that they ask for is a jump to what asks.
#pragma once

#include "calls.hh"

#define TALLY_FUNCTION(n, symbol)                                                                                                             \
  extern "C" {                                                                                                                                \
  extern F##n::Real tally_entry_##n __attribute__((visibility("hidden"), used));                                                              \
  F##n::Real tally_entry_##n = &F##n::Stub<n>;                                                                                                \
  }                                                                                                                                           \
  asm(".pushsection .text\n.globl " symbol "\n.type " symbol ", @function\n" symbol ": jmp *tally_entry_" #n "(%rip)\n.size " symbol ", . - " symbol "\n.popsection\n");
