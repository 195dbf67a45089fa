// What is sent and what Prometheus reads, letter by letter (golden/), and what the sink makes of it.
#include "profile/metrics/delivery.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "profile/metrics/prometheus.h"
#include "profile/metrics/sink.h"
#include "profile/metrics/sink_store.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

// With TALLY_REBASE in the environment the golden file becomes what is; git shows what that changes.
std::string Golden(const std::string& name, const std::string& now) {
  const std::string path = SourceFolder() + "/tests/metrics/golden/" + name;
  if (std::getenv("TALLY_REBASE") != nullptr) std::ofstream(path) << now;
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Sample FirstSample() {
  return {{{{"cpu_utilization", "mean"}, "percent", 12.3456789}, {{"memory_available", ""}, "bytes", 1.5e9}},
          {{{"gpu_utilization", ""}, "no library"}}};
}
Sample SecondSample() {
  return {{{{"cpu_utilization", "mean"}, "percent", 0}, {{"disk_reads", ""}, "operations/s", 20}}, {}};
}

MetricsDelivery Example() {
  MetricsDelivery delivery;
  delivery.NameBatch(3, "sum.cpp 4");
  delivery.NameBatch(4, "sum.cpp \"5\" \xff");
  delivery.NameBatch(9, "not in here");
  delivery.Add(1'700'000'000'100, 3, FirstSample());
  delivery.Add(1'700'000'000'200, 4, SecondSample());
  delivery.Add(Timing{1'700'000'000'150, 3, std::string(kRunTiming), 0.0123456789});
  return delivery;
}

const DeliverySource kSource{"judge1", "00c0ffee00c0ffee", "lab"};

TEST_CASE("delivery: its JSON is the documented one", "[delivery]") {
  const std::string json = nlohmann::ordered_json::parse(Example().Json(kSource, 7)).dump(1) + "\n";
  CHECK(json == Golden("delivery.json", json));
}

TEST_CASE("delivery: what was not measured is null in its place and has a reason, and is no 0", "[delivery]") {
  const auto json = nlohmann::json::parse(Example().Json(kSource, 1));
  for (const auto& series : json["samples"]["series"]) {
    CHECK(series["values"].size() == 2);
    if (series["name"] == "disk_reads") CHECK(series["values"] == nlohmann::json({nullptr, 20}));
    if (series["name"] == "memory_available") CHECK(series["values"] == nlohmann::json({1500000000, nullptr}));
  }
  CHECK(json["not_measured"][0]["reason"] == "no library");
}

TEST_CASE("delivery: after it is sent the next one starts empty, but knows the names of batches that go on",
          "[delivery]") {
  MetricsDelivery delivery = Example();
  delivery.Clear();
  CHECK(delivery.IsEmpty());
  delivery.Add(Timing{1, 4, std::string(kCheckTiming), 1});
  CHECK_FALSE(delivery.IsEmpty());
  const auto json = nlohmann::json::parse(delivery.Json(kSource, 2));
  CHECK(json["batches"].size() == 1);
  CHECK(json["batches"].contains("4"));
  CHECK(json["samples"]["time_ms"].empty());
}

TEST_CASE("delivery: there is an end to the timings of one", "[delivery]") {
  MetricsDelivery delivery;
  for (int i = 0; i < 50'000; ++i) REQUIRE(delivery.Add(Timing{}));
  CHECK_FALSE(delivery.Add(Timing{}));
  CHECK(delivery.timings() == 50'000);
}

TEST_CASE("prometheus: the page is the documented one", "[delivery]") {
  PrometheusPage page;
  page.SetActive(true);
  page.SetBatch(4);
  page.Add(FirstSample());
  for (const double seconds : {0.0005, 0.02, 30.0}) page.Add(Timing{0, 0, std::string(kRunTiming), seconds});
  page.CountDelivery(true);
  page.CountDelivery(false);
  const std::string text = page.Text("a \"quoted\\ label\"");
  CHECK(text == Golden("prometheus.txt", text));
}

TEST_CASE("prometheus: nothing old is shown when nothing is collected any more", "[delivery]") {
  PrometheusPage page;
  page.SetActive(true);
  page.Add(FirstSample());
  CHECK(page.Text("").find("tally_cpu_utilization_ratio") != std::string::npos);
  page.SetActive(false);
  CHECK(page.Text("").find("tally_cpu_utilization_ratio") == std::string::npos);
  CHECK(page.Text("").find("tally_samples_total 1\n") != std::string::npos);
}

TEST_CASE("sink: what a delivery holds is stored and shown, and twice the same is once", "[sink]") {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/m.db";
  SinkStore store(path, SinkStore::Access::kWrite);
  const std::string json = Example().Json(kSource, 1);
  CHECK(store.Add(json));
  CHECK_FALSE(store.Add(json));
  CHECK(store.Add(Example().Json(kSource, 2)));
  const StoreSummary summary = SinkStore(path, SinkStore::Access::kRead).Summary();
  CHECK(summary.deliveries == 2);
  CHECK(summary.agents == 1);
  REQUIRE(summary.series.size() == 3);
  CHECK(summary.series[0].name == "cpu_utilization");
  CHECK(summary.series[0].instance == "mean");
  CHECK(summary.series[0].count == 4);
  CHECK(summary.series[0].least == 0);
  CHECK(summary.series[0].most == Approx(12.3457));
  CHECK(summary.series[0].last == 0);
  CHECK(summary.series[1].count == 2);  // a null is no row
  REQUIRE(summary.timings.size() == 1);
  CHECK(summary.timings[0].mean == Approx(0.0123457));
  const std::string table = SummaryText(summary, "m.db");
  CHECK(table == Golden("summary.txt", table));
}

TEST_CASE("sink: what is no delivery is refused whole, and the database stays as it was", "[sink]") {
  const ScratchFolder folder;
  SinkStore store(folder.path() + "/m.db", SinkStore::Access::kWrite);
  const std::string good = Example().Json(kSource, 1);
  std::string shorter = good, nested = good;
  shorter.replace(shorter.find("12.3457"), 8, "");
  nested.replace(nested.find("12.3457"), 7, "[[[[[[[[[1]]]]]]]]]");
  for (const std::string& text : {std::string(), std::string("{}"), std::string("[]"), std::string("{\"format\":1}"),
                                  std::string("{\"format\":\"tally-metrics-1\"}"), good.substr(0, good.size() - 1),
                                  shorter, nested, std::string(100'000, '[')}) {
    CAPTURE(text.substr(0, 100));
    CHECK_THROWS_AS(store.Add(text), UserError);
  }
  CHECK(store.Summary().deliveries == 0);
  CHECK(store.Summary().series.empty());
  CHECK(store.Add(good));
}

TEST_CASE("sink: a file that is no database of ours is not touched", "[sink]") {
  const ScratchFolder folder;
  const std::string text =
      folder.Write("text",
                   "just text, and quite a lot of it, so that it could be a header of a hundred bytes "
                   "as SQLite has one at the begin of every file");
  for (const SinkStore::Access access : {SinkStore::Access::kWrite, SinkStore::Access::kRead}) {
    CHECK_THROWS_WITH(SinkStore(text, access), text + ": file is not a database");
    CHECK_THROWS_WITH(SinkStore(folder.path() + "/no/x.db", access),
                      folder.path() + "/no/x.db: unable to open database file");
  }
  CHECK_THROWS_AS(SinkStore(folder.Write("empty", ""), SinkStore::Access::kRead), UserError);
}

}  // namespace
}  // namespace tally
