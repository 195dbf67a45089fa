// Linear least squares of a few columns, by orthogonalization: the columns of a growth fit are nearly parallel (n and
// n log n), and normal equations would square that.
#pragma once

#include <optional>
#include <vector>

namespace tally {

using Vector = std::vector<long double>;

// The coefficients with which the columns come nearest to `counts`; nullopt where the columns depend on each other.
std::optional<std::vector<double>> LeastSquares(std::vector<Vector> columns, Vector counts);

}  // namespace tally
