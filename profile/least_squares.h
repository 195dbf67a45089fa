// Linear least squares of a few columns, by orthogonalization: the columns of a growth fit are nearly parallel (n and
// n log n), and normal equations would square that.
#pragma once

#include <optional>
#include <vector>

namespace tally {

using Vector = std::vector<long double>;

struct LeastSquaresFit {
  Vector coefficients;
  std::vector<Vector> inverse;     // of R, where the columns are Q R: a coefficient's variance is its row's square
  long double squares = 0;         // that are left over
  long double log_determinant = 0; // of the columns' transpose times the columns

  // The deviation of the sum of weights[i] coefficients[i], where a count's is 1.
  [[nodiscard]] long double Deviation(const Vector& weights) const;
  [[nodiscard]] long double Deviation(std::size_t coefficient) const;
};

// The coefficients with which the columns come nearest to `counts`; nullopt where the columns depend on each other.
std::optional<LeastSquaresFit> LeastSquares(std::vector<Vector> columns, Vector counts);

}  // namespace tally
