// The functions of n that the growth of a program is told in: the models of the list, and what stands between them where
// none of the list fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tally {

// From slow to fast.
enum class GrowthModel : std::uint8_t { kOne, kLog, kSqrt, kN, kNLogN, kNSqrtN, kN2, kN2LogN, kN3, kExponential };
inline constexpr std::size_t kGrowthModels = 10;

std::string_view Name(GrowthModel model);  // "n log n"
// "n log n", "O(n log n)", "n*log(n)", "nlogn", "n^2", "n**2"; UserError begins with `key` and lists the models.
GrowthModel ParseGrowthModel(std::string_view key, std::string_view text);

// One function of n: a model, n^p, b^n, or a power of n divided by log n.
class GrowthFunction {
 public:
  GrowthFunction(GrowthModel model) : model_(model) {}  // NOLINT: a model is one
  static GrowthFunction Power(double exponent) { return {Kind::kPower, exponent}; }
  static GrowthFunction Slowed(GrowthModel by_power) { return {Kind::kSlowed, 0, by_power}; }  // a log n less
  static GrowthFunction Exponential(double base) { return {Kind::kExponential, base}; }

  [[nodiscard]] std::optional<GrowthModel> model() const { return kind_ == Kind::kModel ? model_ : std::nullopt; }
  [[nodiscard]] std::string name() const;                                     // "n log n", "n^1.58", "1.62^n"
  [[nodiscard]] long double Value(double n) const;                            // logarithms have base 2
  [[nodiscard]] long double Share(double n, double largest) const;            // of the value at `largest`, without an overflow
  [[nodiscard]] double Exponent(double n) const;                              // of the power of n that grows alike at n

 private:
  enum class Kind : std::uint8_t { kModel, kPower, kExponential, kSlowed };
  GrowthFunction(Kind kind, double parameter, std::optional<GrowthModel> model = std::nullopt) : kind_(kind), model_(model), parameter_(parameter) {}

  Kind kind_ = Kind::kModel;
  std::optional<GrowthModel> model_;
  double parameter_ = 0;
};

}  // namespace tally
