// The top of a likelihood over one parameter, and how wide it is.
#pragma once

#include <functional>
#include <optional>

namespace tally {

struct Peak {
  double at = 0;
  double width = 0;  // the deviation of a normal distribution with that top
};

// Nothing where there is no top in [from, to]. `near` is the top of a likelihood much alike, with which the search begins.
std::optional<Peak> FindPeak(const std::function<long double(double)>& log_likelihood, double from, double to, const std::optional<Peak>& near);

}  // namespace tally
