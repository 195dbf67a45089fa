// Catch2 2's main, compiled once for all test executables; Catch2 3 brings its own.
#define CATCH_CONFIG_MAIN
#include "tests/support/catch.h"

#include <cstdlib>

// No test leaves anything in the folders of whoever runs it.
[[maybe_unused]] static const int no_translations_kept = ::setenv("TALLY_TRANSLATION_CACHE", "off", 0);
