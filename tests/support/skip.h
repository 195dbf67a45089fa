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

// A sanitizer takes memory and address space of its own, much more than what it watches.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif
