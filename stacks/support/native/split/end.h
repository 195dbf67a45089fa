// How either side ends a case: the tests report an error with this sentence, the solution tells it to the tests.
#pragma once

_Noreturn void end_case(const char *why);
