#include "dispatcher/broker_link.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include "base/error.h"
#include "base/sys.h"
#include "dispatcher/worker_config.h"

namespace tally {
namespace {

constexpr Nanoseconds kFirstPause = Milliseconds(250);

Fd MakeEventFd() {
  Fd fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!fd.valid()) throw SystemError("eventfd", errno);
  return fd;
}

void Ring(const Fd& bell) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t ignored = ::write(bell.get(), &one, sizeof one);
}

void Silence(const Fd& bell) {
  std::uint64_t count;
  [[maybe_unused]] const ssize_t ignored = ::read(bell.get(), &count, sizeof count);
}

}  // namespace

BrokerLink::BrokerLink(LinkSettings settings)
    : settings_(std::move(settings)), events_ready_(MakeEventFd()), commands_ready_(MakeEventFd()), thread_([this] {
        Run();
      }) {}

BrokerLink::~BrokerLink() {
  Close();
  thread_.join();
}

std::vector<LinkEvent> BrokerLink::Take() {
  Silence(events_ready_);
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

void BrokerLink::Publish(Publication publication) { Order(std::move(publication)); }
void BrokerLink::Acknowledge(std::uint64_t connection, std::uint64_t delivery_tag) {
  Order(Acknowledgement{connection, delivery_tag});
}
void BrokerLink::Drop(std::uint64_t connection) { Order(Dropping{connection}); }
void BrokerLink::CancelConsumers() { Order(Cancelling{}); }
void BrokerLink::Pause(bool paused) { Order(Pausing{paused}); }
void BrokerLink::Close() { Order(Closing{}); }

void BrokerLink::Order(Command command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  Ring(commands_ready_);
}

void BrokerLink::Push(LinkEvent event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }
  Ring(events_ready_);
}

std::deque<BrokerLink::Command> BrokerLink::TakeCommands() {
  Silence(commands_ready_);
  const std::lock_guard lock(mutex_);
  return std::exchange(commands_, {});
}

void BrokerLink::Run() {
  while (!closing_) {
    LinkDown down{};
    try {
      ConnectAndServe();
      down.reason = "the connection was dropped";
    } catch (const LoginRefused& error) {
      down.reason = error.what();
      down.refused = down.at_login = true;
    } catch (const UserError& error) {
      down.reason = error.what();
      down.refused = true;
    } catch (const std::exception& error) {
      down.reason = error.what();
    }
    if (closing_) return;
    down.retry_after = NextPause();
    const Nanoseconds pause = down.retry_after;
    Push(std::move(down));
    if (WaitBeforeRetry(pause)) return;
  }
}

void BrokerLink::ConnectAndServe() {
  if (!settings_.password_file.empty()) settings_.address.password = PasswordIn(settings_.password_file);
  AmqpConnection connection(settings_.address);
  for (const QueueDeclaration& queue : settings_.others) connection.Declare(queue);
  for (const LinkSettings::Queue& queue : settings_.queues) {
    connection.Declare(queue.declaration);
    connection.Bind(queue.declaration.name, queue.exchange, queue.declaration.name);
  }
  try {
    if (!cancelled_ && !paused_) StartConsuming(&connection);
  } catch (const BrokerComplained&) {
    if (!std::exchange(shares_prefetch_, false)) throw;
    return ConnectAndServe();
  }
  failures_ = 0;
  Push(LinkUp{++connections_});
  Session session{.number = connections_, .connection = connection};
  Serve(&session);
  connection.Close();
}

// Several queues have one bound together where the broker can do that. Else each has its own, and what comes of both waits here.
void BrokerLink::StartConsuming(AmqpConnection* connection) {
  shares_prefetch_ = shares_prefetch_ && settings_.queues.size() > 1;
  connection->SetPrefetch(settings_.prefetch, shares_prefetch_ ? AmqpConnection::Prefetch::kTogether : AmqpConnection::Prefetch::kEach);
  for (const LinkSettings::Queue& queue : settings_.queues) connection->Consume(queue.declaration.name);
}

void BrokerLink::Serve(Session* session) {
  for (;;) {
    while (std::optional<AmqpEvent> event = session->connection.Next(Nanoseconds(0))) Tell(session, *std::move(event));
    std::deque<Command> commands = TakeCommands();
    for (Command& command : commands) {
      if (!Do(session, std::move(command))) return;
    }
    // A command that waited for its reply may have read events before that.
    if (commands.empty()) WaitForNews(*session);
  }
}

void BrokerLink::Tell(Session* session, AmqpEvent event) {
  if (auto* delivery = std::get_if<Delivery>(&event)) {
    Push(LinkDelivery{session->number, std::move(*delivery)});
  } else if (auto* blocked = std::get_if<Blocked>(&event)) {
    session->blocked = blocked->blocked;
    Push(std::move(*blocked));
    for (Publication& one : std::exchange(session->held, {})) PublishNow(session, std::move(one));
  } else if (const auto* cancelled = std::get_if<ConsumerCancelled>(&event)) {
    throw BrokerGone(fmt::format("queue {} was deleted", cancelled->queue));
  } else if (const auto* settled = std::get_if<Settled>(&event)) {
    const auto ticket = session->tickets.find(settled->publication);
    if (ticket == session->tickets.end()) return;
    Push(LinkSettled{ticket->second, settled->outcome});
    session->tickets.erase(ticket);
  }
}

bool BrokerLink::Do(Session* session, Command command) {
  if (auto* publication = std::get_if<Publication>(&command)) {
    if (publication->connection == session->number) PublishNow(session, std::move(*publication));
  } else if (const auto* acknowledgement = std::get_if<Acknowledgement>(&command)) {
    if (acknowledgement->connection == session->number) session->connection.Acknowledge(acknowledgement->tag);
  } else if (const auto* dropping = std::get_if<Dropping>(&command)) {
    return dropping->connection != session->number;
  } else if (std::holds_alternative<Cancelling>(command)) {
    Cancel(session);
  } else if (const auto* pausing = std::get_if<Pausing>(&command)) {
    paused_ = pausing->paused;
    if (paused_) {
      session->connection.CancelConsumers();
    } else if (!cancelled_) {
      StartConsuming(&session->connection);
    }
  } else {
    closing_ = true;
    return false;
  }
  return true;
}

void BrokerLink::PublishNow(Session* session, Publication publication) {
  if (session->blocked) {
    // It would fill the socket, and then us.
    session->held.push_back(std::move(publication));
    return;
  }
  session->tickets.emplace(session->connection.Publish(publication.queue, publication.message), publication.ticket);
}

void BrokerLink::Cancel(Session* session) {
  session->connection.CancelConsumers();
  // What was sent before the broker's reply is here by now.
  while (std::optional<AmqpEvent> event = session->connection.Next(Nanoseconds(0))) Tell(session, *std::move(event));
  cancelled_ = true;
  Push(LinkCancelled{});
}

void BrokerLink::WaitForNews(const Session& session) {
  const Nanoseconds heartbeat = session.connection.heartbeat();
  pollfd fds[] = {{session.connection.fd(), POLLIN, 0}, {commands_ready_.get(), POLLIN, 0}};
  const auto ms = std::chrono::duration_cast<Milliseconds>(heartbeat / 2).count();
  ::poll(fds, 2, heartbeat.count() > 0 ? static_cast<int>(ms) : -1);
}

bool BrokerLink::WaitBeforeRetry(Nanoseconds time) {
  const Nanoseconds until = sys::MonotonicNow() + time;
  for (;;) {
    for (const Command& command : TakeCommands()) {
      if (std::holds_alternative<Closing>(command)) return true;
      if (const auto* pausing = std::get_if<Pausing>(&command)) paused_ = pausing->paused;
      if (std::holds_alternative<Cancelling>(command)) {
        cancelled_ = true;
        Push(LinkCancelled{});
      }
    }
    const auto left = std::chrono::duration_cast<Milliseconds>(until - sys::MonotonicNow() + Milliseconds(1));
    if (left.count() <= 0) return false;
    pollfd bell{commands_ready_.get(), POLLIN, 0};
    ::poll(&bell, 1, static_cast<int>(left.count()));
  }
}

// Twice as long after each failure, and somewhere between half and all of it, so that workers who lost the same broker do
// not come back at the same moment.
Nanoseconds BrokerLink::NextPause() {
  static thread_local std::minstd_rand random(std::random_device{}());
  const Nanoseconds whole = std::min<Nanoseconds>(settings_.retry_at_most, kFirstPause * (1LL << std::min(failures_, 16u)));
  ++failures_;
  return Nanoseconds(std::uniform_int_distribution<std::int64_t>(whole.count() / 2, whole.count())(random));
}

}  // namespace tally
