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

}  // namespace

std::optional<std::vector<double>> LeastSquares(std::vector<Vector> columns, Vector counts) {
  const std::size_t terms = columns.size();
  std::vector<Vector> upper(terms, Vector(terms, 0));
  Vector right(terms, 0);
  for (std::size_t i = 0; i < terms; ++i) {
    const long double before = Dot(columns[i], columns[i]);
    for (std::size_t j = 0; j < i; ++j) {
      upper[j][i] = Dot(columns[j], columns[i]);
      for (std::size_t row = 0; row < counts.size(); ++row) columns[i][row] -= upper[j][i] * columns[j][row];
    }
    const long double after = Dot(columns[i], columns[i]);
    if (!(after > before * 1e-20L)) return std::nullopt;
    upper[i][i] = std::sqrt(after);
    for (long double& value : columns[i]) value /= upper[i][i];
    right[i] = Dot(columns[i], counts);
    for (std::size_t row = 0; row < counts.size(); ++row) counts[row] -= right[i] * columns[i][row];
  }
  std::vector<double> out(terms);
  for (std::size_t i = terms; i-- > 0;) {
    for (std::size_t j = i + 1; j < terms; ++j) right[i] -= upper[i][j] * static_cast<long double>(out[j]);
    out[i] = static_cast<double>(right[i] / upper[i][i]);
  }
  return out;
}

}  // namespace tally
