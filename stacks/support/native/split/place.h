// Where a library lies that was loaded, and what is known of its variables.
#pragma once

#include "memory.h"

struct Place place_of(void *library, const char *table_file);

// Objects of those that the tests use, by their numbers (talk.h).
void place_variables(void *library, const struct Named *variables, int count);
