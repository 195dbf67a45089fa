// Catch2 2's main, compiled once for all test executables; Catch2 3 brings its own.
#define CATCH_CONFIG_MAIN
#include "tests/support/catch.h"
