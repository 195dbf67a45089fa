#include "profile/growth_model.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace tally {
namespace {

struct Known {
  std::string_view name;
  double power, logarithms;  // n^power log(n)^logarithms; not of 2^n
};

constexpr std::array<Known, kGrowthModels> kKnown = {{{"1", 0, 0},
                                                      {"log n", 0, 1},
                                                      {"sqrt n", 0.5, 0},
                                                      {"n", 1, 0},
                                                      {"n log n", 1, 1},
                                                      {"n sqrt n", 1.5, 0},
                                                      {"n^2", 2, 0},
                                                      {"n^2 log n", 2, 1},
                                                      {"n^3", 3, 0},
                                                      {"2^n", 0, 0}}};

const Known& Of(GrowthModel model) { return kKnown[static_cast<std::size_t>(model)]; }

}  // namespace

std::string_view Name(GrowthModel model) { return Of(model).name; }

GrowthModel ParseGrowthModel(std::string_view key, std::string_view text) {
  std::string word;
  if (text.starts_with('O')) text.remove_prefix(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("**")) word += '^';
    if (std::string_view(" ()*").find(text[i]) == std::string_view::npos) word += text[i];
  }
  std::string known;
  for (std::size_t i = 0; i < kGrowthModels; ++i) {
    std::string name(kKnown[i].name);
    known += (known.empty() ? "" : ", ") + name;
    std::erase(name, ' ');
    if (word == name) return static_cast<GrowthModel>(i);
  }
  throw UserError(fmt::format("{}: \"{}\" is no growth that is known; expected one of: {}", key, text, known));
}

std::string GrowthFunction::name() const {
  if (kind_ == Kind::kPower) return fmt::format("n^{:.3f}", parameter_);
  if (kind_ == Kind::kExponential) return fmt::format("{:.3f}^n", parameter_);
  return fmt::format("{}{}", Name(*model_), kind_ == Kind::kSlowed ? "/log n" : "");
}

long double GrowthFunction::Value(double n) const {
  if (kind_ == Kind::kPower) return std::pow(static_cast<long double>(n), parameter_);
  if (kind_ == Kind::kExponential) return std::pow(static_cast<long double>(parameter_), n);
  if (model_ == GrowthModel::kExponential) return std::exp2(static_cast<long double>(n));
  const Known& known = Of(*model_);
  const long double power = std::pow(static_cast<long double>(n), known.power);
  return power * std::pow(std::log2(static_cast<long double>(n)), known.logarithms - (kind_ == Kind::kSlowed ? 1 : 0));
}

long double GrowthFunction::Share(double n, double largest) const {
  if (kind_ == Kind::kExponential) return std::pow(static_cast<long double>(parameter_), n - largest);
  if (model_ == GrowthModel::kExponential) return std::exp2(static_cast<long double>(n - largest));
  return Value(n) / Value(largest);
}

double GrowthFunction::Exponent(double n) const {
  if (kind_ == Kind::kPower) return parameter_;
  if (kind_ == Kind::kExponential) return n * std::log(parameter_);
  if (model_ == GrowthModel::kExponential) return n * std::numbers::ln2;
  return Of(*model_).power + (Of(*model_).logarithms - (kind_ == Kind::kSlowed ? 1 : 0)) / std::log(n);
}

}  // namespace tally
