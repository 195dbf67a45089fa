// How well each growth explains the counts: the evidence for it, which pays for every term.
//
// A count is y(n) = a + b f(n) + c g(n) + d bytes(n) + misfit + noise. a is the start (libc, or a whole interpreter), f
// the growth that is asked about, g at most one lower term, and the bytes read and printed are known exactly; they take
// part only where they grow as f does, but for their digits. Noise is what one input's count differs from another's by;
// its variance is estimated from several inputs of a size. Misfit is the model's own: a table is doubled when it is full,
// small numbers are cheaper. How large it is, nobody knows beforehand: its deviation is any part of the scale from 3e-6
// to 0.2, evenly by its logarithm with a slight preference for more. It is independent from size to size, or, up to 0.05
// of the scale, near sizes share it (exp(-doublings / 4)): a cost per element may drift slowly without being called a
// log n, unless the counts have the very shape of one.
//
// The evidence is the probability of the counts with all that is not known averaged out (a Bayes factor; BIC is what
// remains of it with very many sizes). A term that is not needed makes the counts that were seen less probable, for it
// would have explained many others. What is believed beforehand of a coefficient, as a part of the growth part at the
// largest size: it is normal around the middle of its range, with a deviation of 0.4 of it, and not below it. The range
// is [0, 1]; of b [0.02, 1]; of c [-0.3, 1], for the lower terms of sorts are often negative. g is n in 45 % (the input
// is read) and absent in 30 %; of a power of n it is f / log n in 10 %, with c in [-1, 1]: so costs a linear sieve, whose
// primes get rarer. n sqrt n, n^2 log n and sqrt n are half as frequent as the others.
//
// Beside the list stand n^p and b^n for any p and b, with or without a linear part, with a probability of 2 %: where one
// of these wins, none of the list fits.
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
