// Sends requests to workers and takes their answers, each once, whatever happens to the connection meanwhile.
//
// Theory of operation. A request has a correlation id: a random word and its number. It is in flight from when it is
// sent until it has an outcome; `window` bounds how many are, so a queue of any length is served in the memory of a
// few. A broker that was lost is looked for with back-off, and what it had not confirmed is sent again under the same
// id, so it may be evaluated twice; an answer to what is no longer in flight is dropped. Answers come to a queue of our
// own: durable, so that they outlive the broker, and with an end of its own (x-expires), so that it does not outlive us
// for long. Should it be gone after all, so may be anything that the broker had confirmed, and everything in flight is
// sent again.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/units.h"
#include "dispatcher/amqp_address.h"
#include "dispatcher/amqp_connection.h"
#include "dispatcher/send_deadline.h"
#include "dispatcher/stop_signals.h"

namespace tally {

struct SubmitOptions {
  AmqpAddress broker;
  std::string exchange = "amq.topic";
  std::string routing_key = "eva.v1.request";
  std::size_t window = 100;
  std::optional<Nanoseconds> timeout;  // of everything
  Nanoseconds answers_expire = std::chrono::minutes(30);
};

struct SubmitRequest {
  std::string name;  // for people
  std::string body;
};

struct SubmitOutcome {
  enum class Kind {
    kAnswered,
    kUnroutable,      // no worker has ever declared a queue for it
    kAnswerTooLarge,  // for us; what it said is lost
  };
  Kind kind = Kind::kAnswered;
  std::string name;
  std::string answer;
  Nanoseconds latency{0};  // since it was first sent
};

// Where requests come from and outcomes go. What it throws ends Serve.
class SubmitSide {
 public:
  virtual ~SubmitSide() = default;
  // nullopt: there are no more.
  virtual std::optional<SubmitRequest> NextRequest() = 0;
  virtual void OnSent() {}
  // An answer is acknowledged after this returns.
  virtual void OnOutcome(SubmitOutcome&& outcome) = 0;
  // The broker was lost, is back, takes nothing: a sentence, once per change.
  virtual void OnNews(const std::string& /*sentence*/) {}
};

class SubmitClient {
 public:
  SubmitClient(SubmitOptions options, SubmitSide* side);
  ~SubmitClient();
  SubmitClient(const SubmitClient&) = delete;
  SubmitClient& operator=(const SubmitClient&) = delete;

  // Returns when every request has its outcome, or the time is over: then it says what is unanswered.
  // BrokerGone: it is not there to begin with. UserError: it refuses us. Interrupted: by a signal; all is released.
  void Serve();

  // In flight, by name.
  [[nodiscard]] std::vector<std::string> Unanswered() const;
  // Answers to what had its answer.
  [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }
  [[nodiscard]] const std::string& answers() const { return answers_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct InFlight {
    std::string name;
    Message message;
    Clock::time_point sent;
    bool confirmed = false;
  };

  // One thing: false when there is nothing left to do.
  bool Step();
  void Connect();
  void HangUp();
  void Reconnect(const std::string& why);
  bool AnswersAreThere();
  void SendAgain(bool everything);
  void Fill();
  void Send(std::uint64_t number, InFlight* request);
  void SendRefused();
  void Take(AmqpEvent&& event);
  void TakeAnswer(Delivery&& delivery);
  void TakeSettled(const Settled& settled);
  void End(std::uint64_t number, SubmitOutcome::Kind kind, std::string&& answer);
  std::optional<std::uint64_t> NumberOf(const std::string& correlation_id) const;
  // Until there is something to read, or so long.
  void Wait(std::optional<Nanoseconds> longest, int fd);
  [[nodiscard]] bool TimeIsOver() const { return deadline_ && Clock::now() >= *deadline_; }
  void Farewell() noexcept;

  SubmitOptions options_;
  SubmitSide* side_;
  StopSignals signals_;
  std::string run_;      // the word that our correlation ids begin with
  std::string answers_;  // the queue
  std::optional<Clock::time_point> deadline_;
  std::optional<SendDeadline> send_deadline_;
  std::unique_ptr<AmqpConnection> connection_;
  std::map<std::uint64_t, InFlight> in_flight_;
  std::uint64_t bytes_in_flight_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> publications_;  // of this connection, to numbers
  std::vector<std::uint64_t> refused_;
  Clock::time_point refused_again_;
  std::optional<SubmitRequest> next_;  // which does not fit yet
  bool no_more_ = false, blocked_ = false, refusing_ = false;
  std::uint64_t sent_ = 0, duplicates_ = 0;
};

}  // namespace tally
