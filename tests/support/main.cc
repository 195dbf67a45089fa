// Catch2 2's main, compiled once for all test executables; Catch2 3 brings its own.
#define CATCH_CONFIG_MAIN
#include "tests/support/catch.h"

#include <cstdlib>

// No test leaves anything in the folders of its user. What takes long to make is kept from one run of the tests to the next.
[[maybe_unused]] static const int no_translations_kept = ::setenv("TALLY_TRANSLATION_CACHE", "off", 0);
[[maybe_unused]] static const int own_cache = ::setenv("TALLY_CACHE", TALLY_BUILD_DIR "/cache", 0);
