// The parts of bench/count about programs of several threads: those that run times make, in other languages, and those of C++.
#pragma once

#include <string>

#include "supervisor/api/run_request.h"

namespace tally {

// Two programs of a contest's kind in each language whose tools are installed, which take about a second each; and a start, in real time.
// `sources`: bench/languages. With translations kept.
void CompareLanguages(const std::string& sources, Counter counter, int rounds);

// The programs of `folder`, each of several threads. Natively they use the processors there are.
void CompareThreads(const std::string& folder, Counter counter, int rounds);

}  // namespace tally
