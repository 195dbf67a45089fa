// Catch2 2's main, once per test executable; Catch2 3 brings its own.
#define CATCH_CONFIG_MAIN
#include "tests/support/catch.h"
