// A test that this machine cannot run says why and counts as skipped: Catch2 2 has no SKIP of its own, so the
// line below is what scripts/test counts.
#pragma once

#include <cstdio>
#include <string>

#define TALLY_SKIP(reason)                                                        \
  do {                                                                            \
    std::printf("SKIPPED: %s\n", std::string(reason).c_str());                    \
    SUCCEED();                                                                    \
    return;                                                                       \
  } while (false)
