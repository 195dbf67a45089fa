// How well each growth explains the counts: the evidence for it, which pays for every term.
//
// A count is y(n) = a + b f(n) + c g(n) + d bytes(n) + misfit + noise. a is the start (libc, or a whole interpreter), f
// the growth that is asked about, g at most one lower term of the list, and the bytes read and printed are known
// exactly; they take part only where they grow as f does, but for their digits. Noise is what one input's count differs
// from another's by, and its variance is known from several inputs of a size. Misfit is the model's own: a table is
// doubled when it is full, small numbers are cheaper. How large it is, nobody knows beforehand: its deviation is any part
// of the scale from 3e-6 to 0.2, evenly by its logarithm with a slight preference for more; and it is independent from
// size to size, or near sizes share it (exp(-doublings / 4)), evenly. The second lets a cost per element drift slowly
// without being called a log n, unless the counts have the very shape of one.
//
// The evidence is the probability of the counts with all that is not known averaged out (a Bayes factor; BIC is what
// remains of it with very many sizes): coefficients are even in [0, 1] of the growth part, that of g in [-0.3, 1], for
// n log n and n^2 are less than their first term; g is n in 45 % (the input is read), absent in 30 %; n sqrt n,
// n^2 log n and sqrt n are half as frequent as the others. A term that is not needed makes the counts that were seen less
// probable, for it would have explained many others. None of these figures decides alone: halved or doubled they move
// the share of programs that are named by a few percent (docs/profile.md).
//
// Beside the list stand n^p and b^n for any p and b, with a probability of 2 %: where one of these wins, none of the
// list fits.
#pragma once

#include <limits>
#include <vector>

#include "profile/growth_model.h"
#include "profile/growth_series.h"
#include "profile/least_squares.h"

namespace tally {

// A term of a sum, with its part at the largest size.
struct FittedTerm {
  std::optional<GrowthFunction> function;  // none: for each byte
  long double part = 0;                    // instructions
};

struct GrowthHypothesis {
  GrowthFunction lead = GrowthModel::kOne;
  long double log_evidence = -std::numeric_limits<long double>::infinity();
  // The likeliest sum, constant first, the lead second; `error` is what it leaves over, of the scale.
  std::vector<FittedTerm> terms;
  double error = 0;
  long double log_likeliest = -std::numeric_limits<long double>::infinity();  // of that sum
  double exponent = 0, exponent_error = 0;  // of the growth part at the largest size, and its deviation
};

// The likeliest first; a series of at least four sizes.
std::vector<GrowthHypothesis> WeighGrowths(const GrowthSeries& series);

}  // namespace tally
