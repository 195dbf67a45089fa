#include "dispatcher/submit_client.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "base/error.h"

namespace tally {
namespace {

constexpr Nanoseconds kFirstPause = std::chrono::milliseconds(100), kLongestPause = std::chrono::seconds(5);
constexpr Nanoseconds kRefusedPause = std::chrono::seconds(1);
constexpr std::uint64_t kMostBytesInFlight = 64 << 20;
constexpr std::size_t kLongestPrefetch = 1000;

std::string RandomWord(int bits) {
  std::string word;
  for (; bits > 0; bits -= 64) {
    std::uint64_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != sizeof random) throw SystemError("getrandom", errno);
    word += fmt::format("{:016x}", random);
  }
  return word;
}

}  // namespace

SubmitClient::SubmitClient(SubmitOptions options, SubmitSide* side)
    : options_(std::move(options)), side_(side), run_(RandomWord(64)), answers_("tally.answers." + RandomWord(128)) {}

SubmitClient::~SubmitClient() {
  if (send_deadline_) HangUp();
}

void SubmitClient::Serve() {
  if (options_.timeout) deadline_ = Clock::now() + *options_.timeout;
  send_deadline_.emplace(signals_.fd(), deadline_);
  Connect();
  try {
    while (Step()) continue;
  } catch (...) {
    Farewell();
    throw;
  }
  Farewell();
}

bool SubmitClient::Step() {
  signals_.Check();
  if (TimeIsOver()) return false;
  try {
    if (!blocked_) SendRefused();
    if (!blocked_) Fill();
    if (in_flight_.empty() && no_more_) return false;
    if (std::optional<AmqpEvent> event = connection_->Next(Nanoseconds(0))) {
      Take(*std::move(event));
      return true;
    }
    std::optional<Nanoseconds> longest;
    if (const Nanoseconds heartbeat = connection_->heartbeat(); heartbeat.count() > 0) longest = heartbeat / 2;
    if (!refused_.empty()) longest = std::min(longest.value_or(Nanoseconds::max()), kRefusedPause);
    Wait(longest, connection_->fd());
  } catch (const BrokerGone& gone) {
    Reconnect(gone.what());
  }
  return true;
}

// Nothing is to be released while we log in, and that may take a while.
void SubmitClient::Connect() {
  std::unique_ptr<AmqpConnection> connection;
  {
    const StopSignals::Pass pass(signals_);
    connection = std::make_unique<AmqpConnection>(options_.broker);
  }
  connection_ = std::move(connection);
  send_deadline_->Watch(connection_->fd());
  const auto milliseconds = std::chrono::duration_cast<Milliseconds>(options_.answers_expire).count();
  connection_->Declare({.name = answers_, .durable = true, .arguments = {{"x-expires", milliseconds}}});
  connection_->SetPrefetch(static_cast<std::uint16_t>(std::min(options_.window, kLongestPrefetch)));
  connection_->Consume(answers_);
  publications_.clear();
}

void SubmitClient::HangUp() {
  send_deadline_->Watch(-1);
  connection_.reset();
}

// Until it is back, the time is over, or somebody interrupts.
void SubmitClient::Reconnect(const std::string& why) {
  HangUp();
  refused_.clear();
  blocked_ = refusing_ = false;
  side_->OnNews(fmt::format("the connection is lost ({}); trying again", why));
  for (Nanoseconds pause = kFirstPause; !TimeIsOver(); pause = std::min(2 * pause, kLongestPause)) {
    Wait(pause, -1);
    signals_.Check();
    try {
      const bool everything = !AnswersAreThere();
      Connect();
      side_->OnNews("connected again");
      return SendAgain(everything);
    } catch (const BrokerGone&) {
      HangUp();
    }
  }
}

bool SubmitClient::AnswersAreThere() {
  const StopSignals::Pass pass(signals_);
  AmqpConnection connection(options_.broker);
  try {
    connection.Declare({.name = answers_, .passive = true});
  } catch (const UserError&) {
    return false;
  }
  connection.Close();
  return true;
}

void SubmitClient::SendAgain(bool everything) {
  for (auto& [number, request] : in_flight_) {
    if (everything || !request.confirmed) Send(number, &request);
  }
}

void SubmitClient::Fill() {
  while (!no_more_ && in_flight_.size() < options_.window) {
    if (!next_) next_ = side_->NextRequest();
    if (!next_) {
      no_more_ = true;
      return;
    }
    if (!in_flight_.empty() && bytes_in_flight_ + next_->body.size() > kMostBytesInFlight) return;
    const std::uint64_t number = ++sent_;
    InFlight& request = in_flight_[number];
    request.name = std::move(next_->name);
    request.message.body = std::move(next_->body);
    next_.reset();
    request.message.properties.content_type = "application/json";
    request.message.properties.correlation_id = fmt::format("{}-{}", run_, number);
    request.message.properties.reply_to = answers_;
    request.message.properties.user_id = options_.broker.user;  // whose files the job may name (jobs/user_store.h)
    bytes_in_flight_ += request.message.body.size();
    request.sent = Clock::now();
    side_->OnSent();
    Send(number, &request);
  }
}

void SubmitClient::Send(std::uint64_t number, InFlight* request) {
  request->confirmed = false;
  publications_[connection_->PublishTo(options_.exchange, options_.routing_key, request->message)] = number;
}

void SubmitClient::SendRefused() {
  if (refused_.empty() || Clock::now() < refused_again_) return;
  for (const std::uint64_t number : std::exchange(refused_, {})) {
    if (const auto found = in_flight_.find(number); found != in_flight_.end()) Send(number, &found->second);
  }
}

void SubmitClient::Take(AmqpEvent&& event) {
  if (auto* delivery = std::get_if<Delivery>(&event)) return TakeAnswer(std::move(*delivery));
  if (const auto* settled = std::get_if<Settled>(&event)) return TakeSettled(*settled);
  if (const auto* blocked = std::get_if<Blocked>(&event)) {
    if (blocked->blocked != blocked_) {
      side_->OnNews(blocked->blocked ? fmt::format("the broker takes no requests for now ({})", blocked->reason)
                                     : "the broker takes requests again");
    }
    blocked_ = blocked->blocked;
    return;
  }
  throw BrokerGone("the queue for answers was deleted");
}

void SubmitClient::TakeAnswer(Delivery&& delivery) {
  const std::optional<std::uint64_t> number = NumberOf(delivery.message.properties.correlation_id);
  if (number && in_flight_.contains(*number)) {
    using Kind = SubmitOutcome::Kind;
    End(*number, delivery.too_large ? Kind::kAnswerTooLarge : Kind::kAnswered, std::move(delivery.message.body));
  } else if (number && *number <= sent_) {
    ++duplicates_;
  }  // else somebody else's
  connection_->Acknowledge(delivery.tag);
}

void SubmitClient::TakeSettled(const Settled& settled) {
  const auto publication = publications_.find(settled.publication);
  if (publication == publications_.end()) return;
  const std::uint64_t number = publication->second;
  publications_.erase(publication);
  const auto found = in_flight_.find(number);
  if (found == in_flight_.end()) return;  // the answer was faster
  if (settled.outcome == Settled::Outcome::kReturned) return End(number, SubmitOutcome::Kind::kUnroutable, "");
  found->second.confirmed = settled.outcome == Settled::Outcome::kTaken;
  const bool refusing = !found->second.confirmed;
  if (refusing) {
    if (refused_.empty()) refused_again_ = Clock::now() + kRefusedPause;
    refused_.push_back(number);
  }
  if (std::exchange(refusing_, refusing) != refusing) {
    side_->OnNews(refusing ? "the broker refuses requests: its queue may be full" : "the broker takes requests again");
  }
}

void SubmitClient::End(std::uint64_t number, SubmitOutcome::Kind kind, std::string&& answer) {
  const auto found = in_flight_.find(number);
  SubmitOutcome outcome{kind, std::move(found->second.name), std::move(answer), Clock::now() - found->second.sent};
  bytes_in_flight_ -= found->second.message.body.size();
  in_flight_.erase(found);
  side_->OnOutcome(std::move(outcome));
}

std::optional<std::uint64_t> SubmitClient::NumberOf(const std::string& correlation_id) const {
  if (!correlation_id.starts_with(run_ + "-")) return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = correlation_id.data() + correlation_id.size();
  const auto [stop, error] = std::from_chars(correlation_id.data() + run_.size() + 1, end, number);
  return error == std::errc() && stop == end && number > 0 ? std::optional(number) : std::nullopt;
}

void SubmitClient::Wait(std::optional<Nanoseconds> longest, int fd) {
  if (deadline_) {
    const Nanoseconds left = std::max<Nanoseconds>(*deadline_ - Clock::now(), Nanoseconds(0));
    longest = longest ? std::min(*longest, left) : left;
  }
  pollfd fds[] = {{signals_.fd(), POLLIN, 0}, {fd, POLLIN, 0}};
  timespec time{};
  if (longest) time = {longest->count() / 1'000'000'000, longest->count() % 1'000'000'000};
  if (::ppoll(fds, 2, longest ? &time : nullptr, nullptr) < 0 && errno != EINTR) throw SystemError("ppoll", errno);
}

void SubmitClient::Farewell() noexcept {
  if (!connection_) return;  // the queue ends by itself
  try {
    connection_->Delete(answers_);
    connection_->Close();
  } catch (const std::exception&) {  // so it does now
  }
  HangUp();
}

std::vector<std::string> SubmitClient::Unanswered() const {
  std::vector<std::string> names;
  for (const auto& [number, request] : in_flight_) names.push_back(request.name);
  return names;
}

}  // namespace tally
