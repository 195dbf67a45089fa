#include "dispatcher/worker.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/disk_space.h"
#include "base/error.h"
#include "base/sys.h"
#include "dispatcher/answerer.h"
#include "dispatcher/instance_settings.h"
#include "evaluation/cpu_quota.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

constexpr Nanoseconds kBetweenLooksForRoom = std::chrono::seconds(2);

Fd SignalDescriptor() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  Fd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd.valid()) throw SystemError("signalfd", errno);
  return fd;
}

LinkSettings LinkSettingsOf(const WorkerConfig& config) {
  LinkSettings link{config.broker, config.password_file, config.retry_at_most, static_cast<std::uint16_t>(config.instances), {}, {}};
  nlohmann::json arguments = nlohmann::json::object();
  if (!config.queue_type.empty()) arguments["x-queue-type"] = config.queue_type;
  link.others.push_back({.name = config.dead_queue, .durable = true, .arguments = arguments});
  arguments["x-expires"] = std::chrono::duration_cast<Milliseconds>(config.queue_expires).count();
  const auto add = [&](const std::string& name) { link.queues.push_back({{.name = name, .durable = true, .arguments = arguments}, "amq.topic"}); };
  if (config.evaluations) add(config.request_queue());
  if (config.jobs) add(config.job_queue);
  return link;
}

std::string SettingsForInstances(const WorkerConfig& config) {
  return WriteInstanceSettings({.evaluation = config.evaluation, .plain_paths = config.plain_paths, .weak_isolation = config.weak_isolation, .max_answer_size = config.max_answer_size});
}

std::uint64_t TriesOf(const Message& message) {
  const auto found = message.properties.headers.find(kTriesHeader);
  if (found == message.properties.headers.end() || !found->is_number_integer()) return 0;
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(found->get<std::int64_t>(), 0, 1'000'000));
}

// A message is published again with the headers it came with, and these must fit into one frame (128 KiB), where each
// number takes 64 bits, however small it was sent: a client's headers of more than this, as JSON, stay behind.
constexpr std::size_t kMostHeaders = 16 << 10;

// By these a broker sends a message to more queues than it is published to (RabbitMQ, "Sender-selected Distribution"): with the worker's
// permissions, and not the sender's, where it publishes the message again.
constexpr const char* kRoutingHeaders[] = {"CC", "BCC"};

void LeaveOutHeaders(Message* message) {
  using nlohmann::json;
  json& headers = message->properties.headers;
  for (const char* name : kRoutingHeaders) headers.erase(name);
  if (headers.dump(-1, ' ', false, json::error_handler_t::replace).size() <= kMostHeaders) return;
  json few{{kTriesHeader, TriesOf(*message)}};
  if (headers.contains(kUserHeader)) few[kUserHeader] = headers[kUserHeader];
  headers = std::move(few);
}

}  // namespace

Worker::Worker(const WorkerConfig& config) : config_(config), log_(config.log), signals_(SignalDescriptor()) {
  // Before there are instances, which inherit our place among the cgroups; it also removes what dead ones left.
  ProcessExecutor().cgroups().Find();
  CpuQuota::StepAside();
  if (!config_.metrics.empty()) agent_.emplace(config_.metrics);
  folder_ = std::make_unique<WorkerFolder>(config_.work_folder);
  pool_ = std::make_unique<InstancePool>(
      InstancePool::Settings{config_.instances, SettingsForInstances(config_), config_.evaluation.auto_shutdown},
      *folder_, &log_, &metrics_);
  StartPage();
  link_ = std::make_unique<BrokerLink>(LinkSettingsOf(config_));
  log_.Info("worker starts", {{"version", TALLY_VERSION},
                              {"broker", config_.broker.Text()},
                              {"instances", config_.instances},
                              {"http", page_ ? page_->address() : "none"}});
}

void Worker::Run() {
  for (;;) {
    const Nanoseconds now = sys::MonotonicNow();
    for (LinkEvent& event : link_->Take()) OnLink(std::move(event));
    for (InstancePool::Done& done : pool_->Move(now)) OnDone(std::move(done));
    CheckRoom(now);
    AssignWaiting(now);
    if (page_) page_->Move(now);
    if (ReadSignals()) return Leave(false);
    if (IsDrained()) return Leave(broker_ == Broker::kUp);
    Wait();
  }
}

void Worker::Wait() {
  fds_.clear();
  fds_.push_back({signals_.get(), POLLIN, 0});
  fds_.push_back({link_->fd(), POLLIN, 0});
  pool_->AddTo(&fds_);
  if (page_) page_->AddTo(&fds_);
  std::optional<Nanoseconds> until = pool_->next();
  if (page_ && page_->next()) until = std::min(until.value_or(Nanoseconds::max()), *page_->next());
  if (config_.least_free.count > 0) until = std::min(until.value_or(Nanoseconds::max()), room_check_at_);
  timespec timeout{};
  if (until) {
    const Nanoseconds left = std::max(*until - sys::MonotonicNow(), Nanoseconds(0));
    timeout.tv_sec = left.count() / 1'000'000'000;
    timeout.tv_nsec = left.count() % 1'000'000'000;
  }
  if (::ppoll(fds_.data(), fds_.size(), until ? &timeout : nullptr, nullptr) < 0 && errno != EINTR) {
    throw SystemError("ppoll", errno);
  }
}

// --- The broker ---------------------------------------------------------------------------------------

void Worker::OnLink(LinkEvent event) {
  if (const auto* up = std::get_if<LinkUp>(&event)) {
    OnUp(*up);
  } else if (const auto* down = std::get_if<LinkDown>(&event)) {
    OnDown(*down);
  } else if (auto* delivery = std::get_if<LinkDelivery>(&event)) {
    OnDelivery(std::move(*delivery));
  } else if (const auto* settled = std::get_if<LinkSettled>(&event)) {
    OnSettled(*settled);
  } else if (const auto* blocked = std::get_if<Blocked>(&event)) {
    log_.Warning(blocked->blocked ? "the broker takes no answers for now" : "the broker takes answers again",
                 {{"reason", blocked->reason}});
  } else {
    cancelled_ = true;
  }
}

void Worker::OnUp(const LinkUp& up) {
  broker_ = Broker::kUp;
  was_up_ = true;
  metrics_.CountConnection();
  log_.Info("connected", {{"broker", config_.broker.Text()}, {"connection", up.connection}});
}

void Worker::OnDown(const LinkDown& down) {
  if (down.refused && !down.at_login && !was_up_) throw UserError(down.reason);
  const Broker before = std::exchange(broker_, down.refused ? Broker::kRefusing : Broker::kAbsent);
  if (before != broker_) {  // once per state, not per try
    log_.Warning(down.refused ? "the broker refuses us; trying again" : "the broker is not there; trying again",
                 {{"reason", down.reason}, {"requests_in_hand", requests_.size()}});
  }
  pool_->Abandon();
  requests_.clear();
  waiting_.clear();
  tickets_.clear();
}

void Worker::OnDelivery(LinkDelivery event) {
  Delivery& delivery = event.delivery;
  const std::uint64_t id = ++requests_so_far_;
  Request& request = requests_[id];
  request.connection = event.connection;
  request.tag = delivery.tag;
  request.queue = delivery.queue;
  request.kind = config_.jobs && delivery.queue == config_.job_queue ? FrameKind::kJob : FrameKind::kEvaluation;
  request.message = std::move(delivery.message);
  request.arrived = sys::MonotonicNow();
  if (delivery.redelivered) metrics_.CountRedelivery();
  LeaveOutHeaders(&request.message);

  if (request.message.properties.reply_to.empty()) {
    Bury(id, TriesOf(request.message), "it names no queue for its answer (reply_to)");
  } else if (delivery.too_large) {
    Refuse(id,
           fmt::format("the request has {}; this worker reads at most {}", FormatBytes({delivery.size}),
                       FormatBytes(config_.max_request_size)),
           "refused");
  } else if (delivery.redelivered) {
    CountTry(id, "a worker got it and did not answer");
  } else {
    waiting_.push_back(id);
  }
}

void Worker::OnSettled(const LinkSettled& settled) {
  const auto ticket = tickets_.find(settled.ticket);
  if (ticket == tickets_.end()) return;
  const auto [id, is_answer] = ticket->second;
  tickets_.erase(ticket);
  Request& request = requests_.at(id);
  if (settled.outcome == Settled::Outcome::kReturned && is_answer) {
    metrics_.CountRequest(request.kind, "unroutable");
    log_.Warning("nobody waits for this answer any more",
                 {{"correlation_id", request.message.properties.correlation_id},
                  {"reply_to", request.message.properties.reply_to}});
  } else if (settled.outcome != Settled::Outcome::kTaken) {
    log_.Error("the broker could not take a message; its request is given back",
               {{"correlation_id", request.message.properties.correlation_id}});
    return link_->Drop(request.connection);
  }
  if (--request.unsettled > 0) return;
  link_->Acknowledge(request.connection, request.tag);
  requests_.erase(id);
}

// --- Requests -----------------------------------------------------------------------------------------

// A worker without room would fail each request as fast as it comes, and so take the most of them.
void Worker::CheckRoom(Nanoseconds now) {
  if (config_.least_free.count == 0 || (now < room_check_at_ && waiting_.empty())) return;
  room_check_at_ = now + kBetweenLooksForRoom;
  // Somewhat more before it goes on, or it would come and go.
  const Bytes wanted{has_room_ ? config_.least_free.count : config_.least_free.count / 4 * 5};
  const bool has_room = !LessIsFree(folder_->path(), wanted);
  if (std::exchange(has_room_, has_room) == has_room) return;
  link_->Pause(!has_room);
  if (has_room) {
    log_.Info("the disk has room again; taking requests", {{"work_folder", folder_->path()}});
  } else {
    log_.Error("the disk is full; taking no more requests", {{"work_folder", folder_->path()}, {"least_free", FormatBytes(config_.least_free)}});
  }
}

void Worker::AssignWaiting(Nanoseconds now) {
  if (!has_room_ && !draining_) return;
  while (!waiting_.empty() && pool_->HasIdle()) {
    const std::uint64_t id = waiting_.front();
    waiting_.pop_front();
    Request& request = requests_.at(id);
    TellAgent(&request, now);
    log_.Info("works on a request", {{"kind", NameOfKind(request.kind)},
                                     {"correlation_id", request.message.properties.correlation_id}});
    const std::string user = UserOf(request.message);
    pool_->Give(id, request.kind, request.message.body, request.kind == FrameKind::kJob ? std::optional<std::string_view>(user) : std::nullopt, now);
  }
}

// Its batches are requests, in the order in which they are begun.
void Worker::TellAgent(Request* request, Nanoseconds now) {
  request->given = now;
  if (!agent_) return;
  request->batch = given_so_far_++;
  agent_->SetBatch(request->batch, request->message.properties.correlation_id);
  agent_->RecordTiming(kQueueTiming, now - request->arrived);
}

void Worker::OnDone(InstancePool::Done done) {
  const auto found = requests_.find(done.request);
  if (found == requests_.end()) return;
  if (agent_) agent_->RecordTiming(NameOfKind(found->second.kind), sys::MonotonicNow() - found->second.given, found->second.batch);
  switch (done.how) {
    case InstancePool::Done::How::kAnswered:
      return Answer(done.request, std::move(done.text), "answered");
    case InstancePool::Done::How::kDied:
      return CountTry(done.request, fmt::format("the process that worked on it died: {}", done.text));
    case InstancePool::Done::How::kTooLong:
      return Refuse(done.request,
                    fmt::format("it was not done after {} and was ended (auto_shutdown)",
                                FormatDuration(config_.evaluation.auto_shutdown)),
                    "timed_out");
  }
}

void Worker::Answer(std::uint64_t id, std::string body, std::string_view outcome) {
  const Request& request = requests_.at(id);
  const Nanoseconds took = sys::MonotonicNow() - request.arrived;
  metrics_.CountRequest(request.kind, outcome);
  metrics_.CountDuration(request.kind, took);
  log_.Info(outcome, {{"kind", NameOfKind(request.kind)},
                      {"correlation_id", request.message.properties.correlation_id},
                      {"ms", std::chrono::duration_cast<Milliseconds>(took).count()},
                      {"request_bytes", request.message.body.size()},
                      {"answer_bytes", body.size()}});
  SendAnswer(id, std::move(body));
}

void Worker::Refuse(std::uint64_t id, const std::string& sentence, std::string_view outcome) {
  Answer(id, ErrorAnswer(requests_.at(id).kind, sentence, config_.evaluation), outcome);
}

void Worker::SendAnswer(std::uint64_t id, std::string body) {
  const MessageProperties& asked = requests_.at(id).message.properties;
  Message answer;
  answer.properties.content_type = "application/json";
  answer.properties.correlation_id = asked.correlation_id;
  answer.body = std::move(body);
  Publish(id, asked.reply_to, std::move(answer), true);
}

// Back into its queue, or, when it had its tries, to the dead letters.
void Worker::CountTry(std::uint64_t id, const std::string& reason) {
  Request& request = requests_.at(id);
  const std::uint64_t tries = TriesOf(request.message) + 1;
  if (tries >= config_.tries) return Bury(id, tries, reason);
  metrics_.CountRequest(request.kind, "retried");
  log_.Warning("request is tried again", {{"kind", NameOfKind(request.kind)},
                                          {"correlation_id", request.message.properties.correlation_id},
                                          {"tries", tries},
                                          {"reason", reason}});
  Publish(id, request.queue, Again(request, tries), false);
}

// Nobody may publish as somebody else, so whose it was is in a header of a message that we have published ourselves.
std::string Worker::UserOf(const Message& message) const {
  const MessageProperties& properties = message.properties;
  const auto found = properties.headers.find(kUserHeader);
  const bool is_ours = properties.user_id == config_.broker.user && found != properties.headers.end() && found->is_string();
  return is_ours ? found->get<std::string>() : properties.user_id;
}

Message Worker::Again(const Request& request, std::uint64_t tries) const {
  Message again = request.message;
  again.properties.persistent = true;
  again.properties.headers[kTriesHeader] = tries;
  again.properties.headers[kUserHeader] = UserOf(request.message);
  again.properties.user_id = config_.broker.user;
  return again;
}

void Worker::Bury(std::uint64_t id, std::uint64_t tries, const std::string& reason) {
  Request& request = requests_.at(id);
  metrics_.CountRequest(request.kind, "dead");
  log_.Error("request goes to the dead letters", {{"kind", NameOfKind(request.kind)},
                                                  {"correlation_id", request.message.properties.correlation_id},
                                                  {"tries", tries},
                                                  {"reason", reason}});
  Message dead = Again(request, tries);
  dead.properties.expiration.clear();
  dead.properties.headers[kReasonHeader] = reason;
  dead.properties.headers[kQueueHeader] = request.queue;
  Publish(id, config_.dead_queue, std::move(dead), false);
  if (request.message.properties.reply_to.empty()) return;
  const std::string sentence = fmt::format("given up after {} tries: {}", tries, reason);
  SendAnswer(id, ErrorAnswer(request.kind, sentence, config_.evaluation));
}

void Worker::Publish(std::uint64_t id, std::string queue, Message message, bool is_answer) {
  Request& request = requests_.at(id);
  ++request.unsettled;
  tickets_[++tickets_so_far_] = {id, is_answer};
  link_->Publish({request.connection, tickets_so_far_, std::move(queue), std::move(message)});
}

// --- The end ------------------------------------------------------------------------------------------

bool Worker::ReadSignals() {
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    if (draining_) {
      log_.Warning("ending at once", {{"requests_given_back", requests_.size()}});
      return true;
    }
    Drain(static_cast<int>(info.ssi_signo));
  }
  return false;
}

void Worker::Drain(int signal) {
  draining_ = true;
  log_.Info("ending when the requests in hand are answered",
            {{"signal", signal}, {"requests_in_hand", requests_.size()}});
  link_->CancelConsumers();
}

bool Worker::IsDrained() const {
  return draining_ && ((cancelled_ && requests_.empty()) || broker_ != Broker::kUp);
}

// Whoever waits for a broker that is not there, or takes nothing, is not waited for.
void Worker::Leave(bool with_good_bye) {
  pool_.reset();
  folder_.reset();
  if (agent_) {
    if (const std::optional<std::string> trouble = agent_->End()) log_.Warning(*trouble);
  }
  if (with_good_bye) link_.reset();
  log_.Info("worker ends");
  ::_exit(kExitJobRan);
}

}  // namespace tally
