#include "profile/covariance.h"

#include <cmath>
#include <cstddef>

namespace tally {

Covariance::Covariance(std::vector<Vector> matrix) : factor_(std::move(matrix)) {
  for (std::size_t i = 0; i < factor_.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      long double rest = factor_[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= factor_[i][k] * factor_[j][k];
      factor_[i][j] = i == j ? std::sqrt(rest) : rest / factor_[j][j];
    }
    log_determinant_ += 2 * std::log(factor_[i][i]);
  }
}

Vector Covariance::Whiten(Vector values) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) values[i] -= factor_[i][j] * values[j];
    values[i] /= factor_[i][i];
  }
  return values;
}

}  // namespace tally
