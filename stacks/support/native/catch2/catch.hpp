// As Catch2 was called when it was one file.
#include "catch2/catch.hpp"
