// When metrics are collected. The clock is the test's.
#include "profile/metrics/activity.h"

#include "tests/support/catch.h"

namespace tally {
namespace {

using std::chrono::minutes, std::chrono::seconds;

TEST_CASE("activity: it begins with the first batch, not before", "[activity]") {
  Activity activity{MetricsConfig{}};
  activity.OnTime(seconds(1));
  CHECK_FALSE(activity.IsActive());
  CHECK_FALSE(activity.ends_at().has_value());
  activity.OnBatch(0, seconds(2));
  CHECK(activity.IsActive());
  CHECK(activity.ends_at() == seconds(2) + minutes(5));
}

TEST_CASE("activity: from start_on_batch to end_after_batch, both of them included, and never again", "[activity]") {
  Activity activity{MetricsConfig{.start_on_batch = 2, .end_after_batch = 3}};
  activity.OnBatch(1, seconds(0));
  CHECK_FALSE(activity.IsActive());
  activity.OnBatch(2, seconds(1));
  CHECK(activity.IsActive());
  activity.OnBatch(3, seconds(2));
  CHECK(activity.IsActive());
  activity.OnBatch(4, seconds(3));
  CHECK_FALSE(activity.IsActive());
  CHECK(activity.over() == "the last batch asked for is over");
  activity.OnBatch(2, seconds(4));
  CHECK_FALSE(activity.IsActive());
}

TEST_CASE("activity: five minutes after its begin it is over, whatever batch it is", "[activity]") {
  Activity activity{MetricsConfig{.end_after_batch = 100}};
  activity.OnBatch(0, seconds(10));
  activity.OnTime(seconds(309));
  CHECK(activity.IsActive());
  activity.OnTime(seconds(310));
  CHECK_FALSE(activity.IsActive());
  CHECK(activity.over() == "the time it may collect for is over");
  activity.OnBatch(1, seconds(311));
  CHECK_FALSE(activity.IsActive());
}

TEST_CASE("activity: a batch that is told of late does not go back", "[activity]") {
  Activity activity{MetricsConfig{}};
  activity.OnBatch(5, seconds(0));
  activity.OnBatch(4, seconds(0));
  CHECK(activity.batch() == 5);
}

TEST_CASE("activity: a start that is jumped over is a start", "[activity]") {
  Activity activity{MetricsConfig{.start_on_batch = 2, .end_after_batch = 9}};
  activity.OnBatch(7, seconds(0));
  CHECK(activity.IsActive());
  Activity past{MetricsConfig{.start_on_batch = 2, .end_after_batch = 3}};
  past.OnBatch(7, seconds(0));
  CHECK_FALSE(past.IsActive());
}

}  // namespace
}  // namespace tally
