// The fit on made-up counts: every model is found whatever constant and lower terms lie over it, and what no model
// explains is said to be so.
#include "profile/growth.h"

#include <cmath>

#include "base/error.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

using Sizes = std::vector<std::uint64_t>;
const Sizes kDefault{1'000, 5'000, 10'000, 50'000, 100'000};

GrowthModel ModelAt(std::size_t index) { return static_cast<GrowthModel>(index); }

// f(n) with a leading coefficient of 10.
double Value(GrowthModel model, double n) {
  switch (model) {
    case GrowthModel::kOne: return 10;
    case GrowthModel::kLog: return 1e4 * std::log2(n);  // of many queries: a few instructions are no growth
    case GrowthModel::kSqrt: return 1e3 * std::sqrt(n);
    case GrowthModel::kN: return 10 * n;
    case GrowthModel::kNLogN: return 10 * n * std::log2(n);
    case GrowthModel::kNSqrtN: return 10 * n * std::sqrt(n);
    case GrowthModel::kN2: return 10 * n * n;
    case GrowthModel::kN2LogN: return 10 * n * n * std::log2(n);
    case GrowthModel::kN3: return 10 * n * n * n;
    case GrowthModel::kExponential: return 10 * std::exp2(n);
  }
  return 0;
}

template <typename Function>
std::vector<GrowthPoint> Series(const Sizes& sizes, Function count) {
  std::vector<GrowthPoint> points;
  for (const std::uint64_t n : sizes) {
    points.push_back({n, static_cast<std::uint64_t>(count(static_cast<double>(n))), 0});
  }
  return points;
}

std::string Found(const std::vector<GrowthPoint>& points) {
  const Measured<Growth> growth = FitGrowth(points);
  return growth.has_value() ? growth.value().Name() : growth.reason();
}

Sizes SizesFor(GrowthModel model) {
  return model == GrowthModel::kExponential ? Sizes{8, 10, 12, 14, 16, 18} : kDefault;
}

TEST_CASE("growth: every model is found in a series of its own, exactly", "[growth]") {
  for (std::size_t i = 0; i < kGrowthModels; ++i) {
    const GrowthModel model = ModelAt(i);
    CAPTURE(Name(model));
    const Measured<Growth> growth =
        FitGrowth(Series(SizesFor(model), [&](double n) { return 1000 + Value(model, n); }));
    REQUIRE(growth.has_value());
    CHECK(growth.value().Name() == Name(model));
    CHECK(growth.value().error < 0.001);
    CHECK(growth.value().sizes == SizesFor(model).size());
  }
}

TEST_CASE("growth: a constant as large as an interpreter's start hides no model", "[growth]") {
  for (std::size_t i = 0; i < kGrowthModels; ++i) {
    const GrowthModel model = ModelAt(i);
    const double largest = static_cast<double>(SizesFor(model).back());
    for (const double times : {0.0, 0.1, 1.0, 5.0}) {
      CAPTURE(Name(model), times);
      CHECK(Found(Series(SizesFor(model), [&](double n) { return times * Value(model, largest) + Value(model, n); })) ==
            Name(model));
    }
  }
}

TEST_CASE("growth: a lower term that is larger than the leading one at every size does not hide it", "[growth]") {
  for (std::size_t i = 2; i < kGrowthModels; ++i) {
    const GrowthModel model = ModelAt(i);
    const double largest = static_cast<double>(SizesFor(model).back());
    for (std::size_t j = 1; j < i; ++j) {
      for (const double times : {0.3, 1.0, 3.0}) {
        const double part = times * Value(model, largest) / Value(ModelAt(j), largest);
        CAPTURE(Name(model), Name(ModelAt(j)), times);
        CHECK(Found(Series(SizesFor(model), [&](double n) {
                return 100'000 + part * Value(ModelAt(j), n) + Value(model, n);
              })) == Name(model));
      }
    }
  }
}

// Named, or not to be told from faster ones.
bool IsNoWorseThan(GrowthModel model, const std::vector<GrowthPoint>& points) {
  const Growth growth = FitGrowth(points).value();
  return growth.candidates.front() == model && (!growth.told || growth.Named() == model);
}

TEST_CASE("growth: counts that go by steps do not make a program faster-growing than it is", "[growth]") {
  // A table that is copied when it is full: between n and 2n elements were copied in all.
  const auto table = [](double n) { return 100'000 + 60 * n + 12 * std::exp2(std::ceil(std::log2(n))); };
  CHECK(IsNoWorseThan(GrowthModel::kN, Series(kDefault, table)));
  CHECK(IsNoWorseThan(GrowthModel::kN, Series({1'000, 2'000, 3'000, 5'000, 9'000, 17'000, 30'000, 60'000, 100'000}, table)));
  // What the data decides: up to 2 % more or less.
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const auto wobble = [seed](double n) { return 1 + 0.02 * std::sin(static_cast<double>(seed) * 12.9898 + n * 78.233); };
    CHECK(IsNoWorseThan(GrowthModel::kN, Series(kDefault, [&](double n) { return 100'000 + 300 * n * wobble(n); })));
    CHECK(IsNoWorseThan(GrowthModel::kN2, Series(kDefault, [&](double n) { return 100'000 + 10 * n * n * wobble(n); })));
  }
}

TEST_CASE("growth: numbers that get longer are explained by the bytes, and hide no n log n behind them", "[growth]") {
  const auto bytes = [](std::uint64_t n) {  // of the numbers 1 to n, a line each
    std::uint64_t out = 0;
    for (std::uint64_t from = 1, digits = 1; from <= n; from *= 10, ++digits) {
      out += (std::min(n, from * 10 - 1) - from + 1) * (digits + 1);
    }
    return out;
  };
  const auto series = [&](double per_number, double per_compare) {
    std::vector<GrowthPoint> points;
    for (const std::uint64_t n : kDefault) {
      const auto size = static_cast<double>(n);
      const double count = 100'000 + per_number * size + 12 * static_cast<double>(bytes(n)) +
                           per_compare * size * std::log2(size);
      points.push_back({n, static_cast<std::uint64_t>(count), bytes(n)});
    }
    return points;
  };
  CHECK(Found(series(20, 0)) == "n");
  CHECK(Found(series(150, 0)) == "n");
  CHECK(Found(series(20, 8)) == "n log n");
  CHECK(Found(series(60, 8)) == "n log n");
  CHECK(Found(series(150, 20)) == "n log n");
}

TEST_CASE("growth: a program that reads n^2 bytes grows by n^2, and not by 1", "[growth]") {
  std::vector<GrowthPoint> points;
  for (const std::uint64_t n : {100u, 200u, 400u, 800u, 1600u}) points.push_back({n, 100'000 + 20 * n * n, 2 * n * n});
  CHECK(Found(points) == "n^2");
}

TEST_CASE("growth: with fewer than four sizes of 2 or more there is no guess", "[growth]") {
  const auto linear = [](double n) { return 5 + n; };
  CHECK(Found({}) == "not enough sizes: 0 of 2 or more were counted, a fit needs 4");
  CHECK(Found(Series({0, 1, 1'000, 5'000, 10'000}, linear)) ==
        "not enough sizes: 3 of 2 or more were counted, a fit needs 4");
  CHECK(Found(Series({0, 1, 1'000, 5'000, 10'000, 50'000}, linear)) == "n");
  CHECK(Found(Series({1'000, 1'000, 1'000, 1'000, 1'000}, linear)) ==
        "not enough sizes: 1 of 2 or more was counted, a fit needs 4");
}

TEST_CASE("growth: a term that is less than a tenth at the largest size does not name the growth", "[growth]") {
  const auto with_square = [](double share) {
    return Found(Series(kDefault, [&](double n) { return 100'000 + 100 * n + share * 100 * n * n / 1e5; }));
  };
  CHECK(with_square(0.3) == "n^2");
  CHECK(with_square(0.001) == "n");
}

TEST_CASE("growth: a few instructions for the digits of n are no growth", "[growth]") {
  CHECK(Found(Series(kDefault, [](double n) { return 12'000 + 26 * std::log2(n); })) == "1");
  CHECK(Found(Series(kDefault, [](double n) { return 12'000 + 2'600 * std::log2(n); })) == "log n");
}

TEST_CASE("growth: sizes 0 and 1 take no part, whatever the program does there", "[growth]") {
  std::vector<GrowthPoint> points = Series(kDefault, [](double n) { return 100'000 + 7 * n; });
  points.push_back({0, 90'000'000, 0});
  points.push_back({1, 3, 0});
  CHECK(Found(points) == "n");
}

TEST_CASE("growth: four sizes suffice, in any order", "[growth]") {
  for (const GrowthModel model : {GrowthModel::kN, GrowthModel::kNLogN, GrowthModel::kN2, GrowthModel::kN3}) {
    CAPTURE(Name(model));
    const auto count = [&](double n) { return 100'000 + Value(GrowthModel::kN, n) + Value(model, n); };
    CHECK(Found(Series({400, 100, 800, 200}, count)) == Name(model));
  }
}

TEST_CASE("growth: large sizes make no candidate of 2^n", "[growth]") {
  // One count that is out of line is no exponential.
  CHECK(Found(Series(kDefault, [](double n) { return n >= 1e5 ? 30 * n : 10 * n; })) != "2^n");
  CHECK(IsNoWorseThan(GrowthModel::kN, Series({1'000, 1'010, 1'020, 1'030}, [](double n) { return 1000 * n; })));
}

TEST_CASE("growth: a sentence says what doubling costs, and when no model fits", "[growth]") {
  const auto sentence = [](const Sizes& sizes, auto count) { return FitGrowth(Series(sizes, count)).value().Sentence(); };
  CHECK(sentence(kDefault, [](double n) { return 1000 + 10 * n * std::log2(n); }) ==
        "n log n, doubling n costs 2.1 times, exponent 1.09");
  CHECK(sentence(kDefault, [](double n) { return 1e10 + 300 * n; }) == "1, doubling n costs no more");
  CHECK(sentence(kDefault, [](double n) { return 1e6 + 300 * n; }) == "n, doubling n costs 2.0 times, exponent 1.00");
  CHECK(sentence({4, 6, 8, 10, 12}, [](double n) { return 100 * std::exp2(n); }) ==
        "2^n, n + 1 costs twice as much as n");
  CHECK(sentence(kDefault, [](double n) { return 1000 + 20 * std::pow(n, 1.25); }) ==
        "none of the known ones, about n^1.250, doubling n costs 2.4 times, exponent 1.25");
  const std::string poor = sentence({10, 20, 40, 80, 160, 320}, [](double n) { return std::fmod(n * 7919, 1009) + 100; });
  CHECK(poor.find("no model fits well, this is the nearest (off by ") != std::string::npos);
}

// Three inputs of each size, whose counts lie apart as an insertion sort's do: by n^1.5 / 6 of its n^2 / 4 steps.
std::vector<GrowthPoint> Varied(const Sizes& sizes, std::uint64_t seed) {
  std::vector<GrowthPoint> points;
  for (const std::uint64_t size : sizes) {
    const auto n = static_cast<double>(size);
    for (std::uint64_t input = 0; input < 3; ++input) {
      const double off = 1.7 * std::sin(static_cast<double>(seed * 31 + input * 7 + size) * 12.9898);
      points.push_back({size, static_cast<std::uint64_t>(50'000 + 1'000 * n + 6 * (n * n / 4 + off * std::pow(n, 1.5) / 6)), 0});
    }
  }
  return points;
}

TEST_CASE("growth: where inputs vary, few sizes do not tell n^2 from n^2 log n, and no better growth is called missed", "[growth]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Growth growth = FitGrowth(Varied({100, 200, 400, 800}, seed)).value();
    CAPTURE(seed, growth.Sentence());
    CHECK_FALSE(growth.IsWorseThan(GrowthModel::kN2));
    CHECK((!growth.told || growth.Named() == GrowthModel::kN2));
    CHECK(growth.runs == 12);
  }
  const Growth more = FitGrowth(Varied({100, 200, 400, 800, 1'600, 3'200, 6'400, 12'800}, 1)).value();
  CHECK(more.Named() == GrowthModel::kN2);
  CHECK(more.IsWorseThan(GrowthModel::kNLogN));
}

TEST_CASE("growth: what cannot be told says up to which size, and what would tell", "[growth]") {
  const Growth growth = FitGrowth(Varied({100, 200, 400, 800}, 0)).value();
  REQUIRE_FALSE(growth.told);
  CHECK(growth.Sentence().starts_with("cannot tell "));
  CHECK(growth.Sentence().find(" apart up to n = 800, exponent ") != std::string::npos);
  CHECK(growth.advice == "add sizes 1,600 and 3,200, or more inputs of each (--seeds 12)");
  CHECK_FALSE(growth.Named());
}

TEST_CASE("growth: beside the list, an expectation is missed where the function is worse at the largest size", "[growth]") {
  const Growth growth = FitGrowth(Series(kDefault, [](double n) { return 1000 + 20 * std::pow(n, 1.25); })).value();
  CHECK(growth.IsWorseThan(GrowthModel::kNLogN));
  CHECK_FALSE(growth.IsWorseThan(GrowthModel::kNSqrtN));
}

TEST_CASE("growth: the sum says what each term costs", "[growth]") {
  const Growth growth =
      FitGrowth(Series(kDefault, [](double n) { return 123'456 + 50 * n + 8 * n * std::log2(n); })).value();
  CHECK(growth.Sum() == "123,456 + 50 n + 8 n log n");
}

TEST_CASE("growth: models are read as people write them, and mistakes list them all", "[growth]") {
  for (const char* text : {"n log n", "O(n log n)", "n*log(n)", "nlogn", "n * log n"}) {
    CAPTURE(text);
    CHECK(ParseGrowthModel("--expect", text) == GrowthModel::kNLogN);
  }
  CHECK(ParseGrowthModel("--expect", "n**2") == GrowthModel::kN2);
  CHECK(ParseGrowthModel("--expect", "n^2 log n") == GrowthModel::kN2LogN);
  CHECK(ParseGrowthModel("--expect", "O(1)") == GrowthModel::kOne);
  for (std::size_t i = 0; i < kGrowthModels; ++i) CHECK(ParseGrowthModel("", Name(ModelAt(i))) == ModelAt(i));
  CHECK_THROWS_WITH(ParseGrowthModel("--expect", "n!"),
                    "--expect: \"n!\" is no growth that is known; expected one of: 1, log n, sqrt n, n, n log n, n sqrt n, "
                    "n^2, n^2 log n, n^3, 2^n");
}

}  // namespace
}  // namespace tally
