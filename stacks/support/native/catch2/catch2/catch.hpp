// Catch2's header for tests: they may ask for its main, and get the one that was compiled before (catch2_cases.cc).
#undef CATCH_CONFIG_MAIN
#include "/usr/include/catch2/catch.hpp"
