// What judging found, for others: JSON with everything, a row for each test as CSV, JUnit's XML for build servers, and a page for people.
// The ending of the file says which.
#pragma once

#include <string>
#include <vector>

#include "jobs/judging.h"
#include "packages/package.h"

namespace tally {

// UserError for an ending that is none of .json, .csv, .xml, .html.
void RequireReportEnding(const std::string& path);
// The text for a file of that name. `names` are what the solutions are called.
std::string ReportFor(const std::string& path, const Package& package, const std::vector<SolutionReport>& reports, const std::vector<std::string>& names);

// One page that loads nothing: solutions by tests, coloured, figures where the pointer rests, printable. It needs no script: what fails alone
// is shown by a box that CSS asks.
std::string ReportPage(const Package& package, const std::vector<SolutionReport>& reports, const std::vector<std::string>& names);

// Text inside of XML and HTML: what the formats cannot hold is shown as \xNN.
std::string EscapedMarkup(std::string_view text);

}  // namespace tally
