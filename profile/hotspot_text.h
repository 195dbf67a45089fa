// Where the instructions went, for people: functions and lines by what they cost themselves, and with all they called.
#pragma once

#include <string>

#include "profile/report.h"
#include "profile/text.h"

namespace tally {

// "" where nobody asked; else why there are none, or two tables that are no wider than the terminal.
std::string FormatHotspots(const ProfileReport& report, const TextStyle& style);

}  // namespace tally
