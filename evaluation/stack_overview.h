// Which stacks this machine has, and what of each is absent here: for people, and for a worker's log when it starts.
#pragma once

#include <string>
#include <vector>

#include "evaluation/stack_spec.h"

namespace tally {

// "style: neither ..." for each capability that is absent on this machine; empty when all is here.
std::vector<std::string> AbsentCapabilities(const StackSpec& stack);

// A line for each stack, with those that are absent below it. On a terminal of few columns (0: as many as are wanted) what a stack is for stands below its
// name.
std::string StackOverview(const std::vector<StackSpec>& stacks, std::size_t columns = 0);

}  // namespace tally
