#include "profile/least_squares.h"

#include <cmath>
#include <cstddef>

namespace tally {
namespace {

long double Dot(const Vector& a, const Vector& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// x where R x = right.
Vector Backwards(const std::vector<Vector>& upper, Vector right) {
  for (std::size_t i = right.size(); i-- > 0;) {
    for (std::size_t j = i + 1; j < right.size(); ++j) right[i] -= upper[i][j] * right[j];
    right[i] /= upper[i][i];
  }
  return right;
}

}  // namespace

long double LeastSquaresFit::Deviation(const Vector& weights) const {
  long double squares_of_weights = 0;
  for (std::size_t j = 0; j < inverse.size(); ++j) {
    long double sum = 0;
    for (std::size_t i = 0; i < inverse.size(); ++i) sum += weights[i] * inverse[i][j];
    squares_of_weights += sum * sum;
  }
  return std::sqrt(squares_of_weights);
}

long double LeastSquaresFit::Deviation(std::size_t coefficient) const {
  return std::sqrt(Dot(inverse[coefficient], inverse[coefficient]));
}

std::optional<LeastSquaresFit> LeastSquares(std::vector<Vector> columns, Vector counts) {
  const std::size_t terms = columns.size();
  std::vector<Vector> upper(terms, Vector(terms, 0));
  Vector right(terms, 0);
  LeastSquaresFit fit;
  for (std::size_t i = 0; i < terms; ++i) {
    const long double before = Dot(columns[i], columns[i]);
    for (std::size_t j = 0; j < i; ++j) {
      upper[j][i] = Dot(columns[j], columns[i]);
      for (std::size_t row = 0; row < counts.size(); ++row) columns[i][row] -= upper[j][i] * columns[j][row];
    }
    const long double after = Dot(columns[i], columns[i]);
    if (!(after > before * 1e-24L)) return std::nullopt;
    upper[i][i] = std::sqrt(after);
    for (long double& value : columns[i]) value /= upper[i][i];
    right[i] = Dot(columns[i], counts);
    for (std::size_t row = 0; row < counts.size(); ++row) counts[row] -= right[i] * columns[i][row];
    fit.log_determinant += 2 * std::log(upper[i][i]);
  }
  fit.coefficients = Backwards(upper, right);
  fit.squares = Dot(counts, counts);
  fit.inverse.assign(terms, Vector(terms, 0));
  for (std::size_t j = 0; j < terms; ++j) {
    Vector unit(terms, 0);
    unit[j] = 1;
    const Vector column = Backwards(upper, unit);
    for (std::size_t i = 0; i < terms; ++i) fit.inverse[i][j] = column[i];
  }
  return fit;
}

}  // namespace tally
