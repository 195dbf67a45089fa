// What the lines and functions of a Python program cost, as python_lines.py measures it within the interpreter.
//
// From outside an interpreter executes its own functions, whatever the program is. So the program runs once more with a mark before
// each statement, which reads the virtual CPU's clock: it is made of the count. What is not between two marks, the interpreter's
// start and end, is the remainder to the exact count of the run without marks.
//
//   tally-python-lines 1
//   line OWN WHOLE LINE
//   function OWN WHOLE NAME
//   end
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "profile/hotspots.h"

namespace tally {

// The program that measures.
extern const char* const kPythonLines;

// Of what it wrote. `file`: what the lines are of; `counted`: instructions of the run without marks. UserError where that is not the shape
// above, or ends too early: the program that is measured can write there, too.
Hotspots ParsePythonCosts(std::string_view text, const std::string& file, std::uint64_t counted);

}  // namespace tally
