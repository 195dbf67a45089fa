// The client against a real broker: every request has one outcome, whatever becomes of the broker meanwhile.
#include "dispatcher/submit_client.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "base/error.h"
#include "dispatcher/submit_bench.h"
#include "tests/dispatcher/fake_worker.h"
#include "tests/support/broker.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

// So many requests, numbered, and what becomes of each.
class Numbered : public SubmitSide {
 public:
  explicit Numbered(std::size_t count) : count_(count) {}
  std::optional<SubmitRequest> NextRequest() override {
    if (sent == count_) return std::nullopt;
    ++sent;
    most_in_flight = std::max(most_in_flight, sent - ended);
    return SubmitRequest{std::to_string(sent), "{\"number\": " + std::to_string(sent) + "}"};
  }
  void OnOutcome(SubmitOutcome&& outcome) override {
    ++ended;
    ++outcomes[outcome.name];
    answers[outcome.name] = outcome.answer;
    kinds.insert(outcome.kind);
    if (at_outcome) at_outcome(ended);
  }
  void OnNews(const std::string& sentence) override {
    news.push_back(sentence);
    if (at_news) at_news();
  }

  // All of them, each once.
  [[nodiscard]] bool EachOnce() const {
    if (outcomes.size() != count_) return false;
    return std::all_of(outcomes.begin(), outcomes.end(), [](const auto& one) { return one.second == 1; });
  }

  std::size_t sent = 0, ended = 0, most_in_flight = 0;
  std::map<std::string, int> outcomes;
  std::map<std::string, std::string> answers;
  std::set<SubmitOutcome::Kind> kinds;
  std::vector<std::string> news;
  std::function<void(std::size_t)> at_outcome;
  std::function<void()> at_news;

 private:
  std::size_t count_;
};

SubmitOptions OptionsFor(const std::string& routing_key) {
  SubmitOptions options;
  options.broker = Broker::Shared().address();
  options.routing_key = routing_key;
  options.timeout = std::chrono::minutes(3);  // so that a failure ends
  return options;
}

std::vector<std::string> Echo(const Message& message) { return {message.body}; }

TEST_CASE("client: each request gets its own answer, and the queue for answers goes", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "client.echo", Echo);
  Numbered side(50);
  SubmitClient client(OptionsFor("client.echo"), &side);
  client.Serve();
  CHECK(side.EachOnce());
  for (const auto& [name, answer] : side.answers) CHECK(answer == "{\"number\": " + name + "}");
  CHECK(client.duplicates() == 0);
  CHECK(client.answers().size() > 40);
  CHECK_FALSE(Broker::Shared().MessagesIn(client.answers()).has_value());
}

TEST_CASE("client: no more is in flight than the window", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "client.window", Echo);
  SubmitOptions options = OptionsFor("client.window");
  options.window = 7;
  Numbered side(100);
  SubmitClient(options, &side).Serve();
  CHECK(side.EachOnce());
  CHECK(side.most_in_flight == 7);
}

TEST_CASE("client: a second answer to a request is dropped", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "client.twice", [](const Message& message) {
    return std::vector<std::string>{"first", "second " + message.body};
  });
  Numbered side(20);
  SubmitClient client(OptionsFor("client.twice"), &side);
  client.Serve();
  CHECK(side.EachOnce());
  for (const auto& [name, answer] : side.answers) CHECK(answer == "first");
  CHECK(client.duplicates() == 19);  // the last one's came after the end
}

TEST_CASE("client: what somebody else writes into our queue is no answer", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "client.forged", [](const Message& message) {
    AmqpConnection other(Broker::Shared().address());
    for (const std::string& id : {std::string("1"), message.properties.correlation_id + "0", std::string()}) {
      Message forged{{}, "forged"};
      forged.properties.correlation_id = id;
      other.Publish(message.properties.reply_to, forged);
    }
    for (int i = 0; i < 3; ++i) other.Next(std::chrono::seconds(5));
    return Echo(message);
  });
  Numbered side(1);
  SubmitClient client(OptionsFor("client.forged"), &side);
  client.Serve();
  CHECK(side.EachOnce());
  CHECK(side.answers["1"] == "{\"number\": 1}");
  CHECK(client.duplicates() == 0);
}

TEST_CASE("client: a request that no queue wants is unroutable, and the others go on", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  Numbered side(3);
  SubmitClient(OptionsFor("client.nowhere"), &side).Serve();
  CHECK(side.EachOnce());
  CHECK(side.kinds == std::set{SubmitOutcome::Kind::kUnroutable});
}

TEST_CASE("client: an answer larger than it reads is an outcome, too", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "client.large",
                          [](const Message&) { return std::vector<std::string>{std::string(5000, 'x')}; });
  SubmitOptions options = OptionsFor("client.large");
  options.broker.most_body = 4096;
  Numbered side(2);
  SubmitClient(options, &side).Serve();
  CHECK(side.EachOnce());
  CHECK(side.kinds == std::set{SubmitOutcome::Kind::kAnswerTooLarge});
}

TEST_CASE("client: when the time is over it says what is unanswered", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "client.silent", [](const Message& message) {
    return message.body == "{\"number\": 2}" ? std::vector<std::string>{} : Echo(message);
  });
  SubmitOptions options = OptionsFor("client.silent");
  options.timeout = std::chrono::milliseconds(500);
  Numbered side(4);
  SubmitClient client(options, &side);
  client.Serve();
  CHECK(side.ended == 3);
  CHECK(client.Unanswered() == std::vector<std::string>{"2"});
  CHECK_FALSE(Broker::Shared().MessagesIn(client.answers()).has_value());
}

TEST_CASE("client: a broker that is killed and comes back costs no request and answers none twice", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "client.restart", Echo);
  SubmitOptions options = OptionsFor("client.restart");
  options.window = 20;
  Numbered side(60);
  side.at_outcome = [](std::size_t ended) {
    if (ended != 15) return;
    Broker::Shared().Kill();
    Broker::Shared().Start();
  };
  SubmitClient client(options, &side);
  client.Serve();
  CHECK(client.Unanswered().empty());
  CHECK(side.EachOnce());
  REQUIRE(side.news.size() == 2);
  CHECK_THAT(side.news[0], HasPart("connection is lost"));
  CHECK(side.news[1] == "connected again");
}

TEST_CASE("client: when its queue for answers is lost, what is in flight is sent again", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const FakeWorker worker(Broker::Shared().address(), "client.lost", Echo);
  SubmitOptions options = OptionsFor("client.lost");
  options.window = 10;
  Numbered side(40);
  std::unique_ptr<SubmitClient> client;
  side.at_outcome = [&](std::size_t ended) {
    if (ended == 12) Broker::Shared().DeleteQueue(client->answers());
  };
  client = std::make_unique<SubmitClient>(options, &side);
  client->Serve();
  CHECK(side.EachOnce());
}

TEST_CASE("client: a queue that is full is tried again, and that is said once", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  std::atomic<bool> works = false;
  // The worker has ten messages and answers none: the eleventh waits in its queue, and that is full.
  const FakeWorker worker(Broker::Shared().address(), "client.full",
                          [&](const Message& message) {
                            works.wait(false);
                            return Echo(message);
                          },
                          {{"x-max-length", 1}, {"x-overflow", "reject-publish"}});
  Numbered side(30);
  side.at_news = [&] {
    works = true;
    works.notify_all();
  };
  SubmitClient(OptionsFor("client.full"), &side).Serve();
  CHECK(side.EachOnce());
  REQUIRE_FALSE(side.news.empty());
  CHECK_THAT(side.news[0], HasPart("may be full"));
}

TEST_CASE("client: a broker that is not there to begin with is a failure at once", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  SubmitOptions options = OptionsFor("client.absent");
  options.broker.port = FreePort();
  Numbered side(1);
  CHECK_THROWS_AS(SubmitClient(options, &side).Serve(), BrokerGone);
}

TEST_CASE("bench: its figures add up", "[submit]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  std::atomic<int> count = 0;
  const FakeWorker worker(Broker::Shared().address(), "client.bench", [&](const Message&) {
    return std::vector<std::string>{++count % 10 == 0 ? FailedAnswer("tenth") : RightAnswer()};
  });
  const BenchRound round = RunBenchRound(OptionsFor("client.bench"), "{}", 100, AnswerKind::kEvaluation);
  CHECK(round.requests == 100);
  CHECK(round.answered == 100);
  CHECK(round.failed == 10);
  CHECK(round.unroutable + round.too_large + round.duplicates == 0);
  CHECK(round.latencies.size() == 100);
  CHECK(std::is_sorted(round.latencies.begin(), round.latencies.end()));
  CHECK(round.Latency(1.0) == round.latencies.back());
  CHECK(round.Latency(1.0) <= round.took);
  CHECK(round.PerSecond() == Approx(100 / std::chrono::duration<double>(round.took).count()));
}

TEST_CASE("bench: a share's latency is one that was measured, and the smallest that is large enough", "[submit]") {
  BenchRound round;
  for (int i = 1; i <= 200; ++i) round.latencies.push_back(std::chrono::milliseconds(i));
  CHECK(round.Latency(0.5) == std::chrono::milliseconds(100));
  CHECK(round.Latency(0.95) == std::chrono::milliseconds(190));
  CHECK(round.Latency(0.99) == std::chrono::milliseconds(198));
  CHECK(round.Latency(1.0) == std::chrono::milliseconds(200));
  CHECK(BenchRound().Latency(0.5) == Nanoseconds(0));
}

}  // namespace
}  // namespace tally
