// Who waits for an evaluation may be told what it does now: "compiling", "testing". Nobody is, unless it asks.
#pragma once

#include <functional>
#include <string_view>

namespace tally {

using StepNotice = std::function<void(std::string_view step)>;

}  // namespace tally
