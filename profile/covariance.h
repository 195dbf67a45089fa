// How far counts may lie from a sum of terms, and together: the covariance of what is left over, as its Cholesky factor.
#pragma once

#include "profile/least_squares.h"

namespace tally {

class Covariance {
 public:
  explicit Covariance(std::vector<Vector> matrix);  // positive definite; its lower half is read

  // Such that what was left over with this covariance is independent, with deviation 1.
  [[nodiscard]] Vector Whiten(Vector values) const;
  [[nodiscard]] long double log_determinant() const { return log_determinant_; }

 private:
  std::vector<Vector> factor_;
  long double log_determinant_ = 0;
};

}  // namespace tally
