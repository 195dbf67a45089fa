// The file that `--metrics` names: what it may say, and how mistakes in it are told.
#include "profile/metrics/config.h"

#include "base/error.h"
#include "base/listen_address.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

using std::chrono::minutes, std::chrono::seconds;

MetricsConfig Read(std::string_view text) { return ReadMetricsConfig(YamlMap::FromText(text, "m.yaml")); }

TEST_CASE("config: an endpoint is enough, and the rest is as the documentation says", "[config]") {
  const MetricsConfig config = Read("endpoint: http://127.0.0.1:9465/v1/deliveries\n");
  CHECK(config.enabled);
  CHECK(config.start_on_batch == 0);
  CHECK_FALSE(config.end_after_batch.has_value());
  CHECK(config.at_most == minutes(5));
  CHECK(config.interval == Milliseconds(100));
  CHECK(config.send_every == seconds(10));
  CHECK(config.send_timeout == seconds(5));
  CHECK(config.retry_after == seconds(1));
  CHECK(config.prometheus.empty());
  CHECK(config.log.empty());
  CHECK(config.lock == "tally-metrics");
  CHECK(config.timings);
  CHECK(config.records.empty());
}

TEST_CASE("config: who sends and keeps nothing may collect for ever, and nobody else", "[config]") {
  CHECK_FALSE(Read("prometheus: 127.0.0.1:0\nat_most: none\n").at_most.has_value());
  for (const char* stored : {"endpoint: http://a/b", "keep: file"}) {
    CHECK_THROWS_WITH(Read(std::string(stored) + "\nat_most: none\n"),
                      "m.yaml:2:10: at_most: none is for an agent that sends and keeps nothing; expected a duration, as there is an endpoint or a file to keep "
                      "deliveries in");
  }
}

TEST_CASE("config: every key arrives", "[config]") {
  const MetricsConfig config = Read(
      "enabled: no\nendpoint: https://a.example/x\nprometheus: '[::1]:0'\nlabel: lab 3\nstart_on_batch: 2\n"
      "end_after_batch: 7\nat_most: 30s\ninterval: 50ms\nsend_every: 1s\nsend_timeout: 200ms\nretry_after: 0\n"
      "log: a.log\nlock: mine\ntimings: no\nrecords: mine-too\n");
  CHECK_FALSE(config.timings);
  CHECK(config.records == "mine-too");
  CHECK_FALSE(config.enabled);
  CHECK(config.endpoint == "https://a.example/x");
  CHECK(config.prometheus == "[::1]:0");
  CHECK(config.label == "lab 3");
  CHECK(config.start_on_batch == 2);
  CHECK(config.end_after_batch == 7u);
  CHECK(config.at_most == seconds(30));
  CHECK(config.interval == Milliseconds(50));
  CHECK(config.send_every == seconds(1));
  CHECK(config.send_timeout == Milliseconds(200));
  CHECK(config.retry_after == Nanoseconds(0));
  CHECK(config.log == "a.log");
  CHECK(config.lock == "mine");
}

TEST_CASE("config: a mistake is told with its place, its key and what was expected", "[config]") {
  CHECK_THROWS_WITH(Read("endpiont: http://a/\n"),
                    Catch::Matchers::StartsWith("m.yaml:1:1: endpiont: unknown key (did you mean \"endpoint\"?)"));
  CHECK_THROWS_WITH(Read("label: x\n"),
                    "m.yaml:1:1: none of endpoint, prometheus and keep; expected one of them, or enabled: no");
  CHECK_THROWS_WITH(Read("endpoint: ftp://a/\n"),
                    "m.yaml:1:11: endpoint: this is no address of a receiver; expected one like "
                    "http://127.0.0.1:9465/v1/deliveries");
  CHECK_THROWS_WITH(Read("prometheus: 9464\n"),
                    "m.yaml:1:13: prometheus: found \"9464\"; expected an address and a port, like 127.0.0.1:9464 or "
                    "[::1]:9464");
  CHECK_THROWS_WITH(Read("endpoint: http://a/\ninterval: 1ms\n"),
                    "m.yaml:2:11: interval: found 1.0 ms; expected 10 ms to 60.00 s");
  CHECK_THROWS_WITH(Read("endpoint: http://a/\nat_most: 6m\n"),
                    "m.yaml:2:10: at_most: found 360.00 s; expected 1.0 ms to 300.00 s");
  CHECK_THROWS_WITH(Read("endpoint: http://a/\nstart_on_batch: 3\nend_after_batch: 2\n"),
                    "m.yaml:3:18: end_after_batch: found 2; expected at least start_on_batch, 3");
  CHECK_THROWS_WITH(Read("endpoint: http://a/\ninterval: 2s\nsend_every: 1s\n"),
                    "m.yaml:3:13: send_every: shorter than interval; expected at least one sample in a delivery");
}

TEST_CASE("config: what is no address of a receiver is refused", "[config]") {
  for (const char* endpoint : {"http://", "http:///x", "https://", "\"http://a b/\"", "file:///etc/passwd", "http"}) {
    CAPTURE(endpoint);
    CHECK_THROWS_AS(Read(std::string("endpoint: ") + endpoint + "\n"), UserError);
  }
}

TEST_CASE("listen address: numbers of both families and localhost, and nothing to look up", "[config]") {
  CHECK(ParseListenAddress("127.0.0.1:80").storage.ss_family == AF_INET);
  CHECK(ParseListenAddress("localhost:0").storage.ss_family == AF_INET);
  CHECK(ParseListenAddress("[::1]:65535").storage.ss_family == AF_INET6);
  for (const char* text : {"", ":", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80",
                           "[]:1", "a.example:80", "127.0.0.1:80x", "127.1:80"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(ParseListenAddress(text), UserError);
  }
}

TEST_CASE("listen address: where we listen is said as it is written, with the real port", "[config]") {
  const Fd socket = ListenOn("127.0.0.1:0");
  const std::string address = AddressOf(socket);
  CHECK(address.starts_with("127.0.0.1:"));
  CHECK(address != "127.0.0.1:0");
  CHECK_THROWS_WITH(ListenOn(address), "cannot listen on " + address + ": Address already in use");
}

}  // namespace
}  // namespace tally
