// The worker: requests from the broker to instances, answers back. One loop of one thread that never waits for anybody.
//
// Theory of operation. A request is the broker's until it is acknowledged, and it is acknowledged only after the broker
// has confirmed what came of it: the answer in the client's queue, or the request itself, with one try more counted, in
// its own queue again, or in the queue of dead letters together with an error answer. So whatever dies in between, the
// broker gives the request out again, and nothing is lost; that it may be evaluated twice is the price, and the
// correlation id is how a client can tell (docs/dispatcher.md, "What is guaranteed when what dies").
//
//   waiting -> running -> settling -> acknowledged
//
// Requests of a connection that is lost are forgotten at once, with their evaluations: somebody will get them again.
#pragma once

#include <poll.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/http_server.h"
#include "dispatcher/broker_link.h"
#include "dispatcher/instance_pool.h"
#include "dispatcher/worker_config.h"
#include "dispatcher/worker_folder.h"
#include "dispatcher/worker_log.h"
#include "dispatcher/worker_metrics.h"
#include "profile/metrics/channel.h"

namespace tally {

// Names of the headers that a worker writes.
inline constexpr const char* kTriesHeader = "x-tally-tries";
inline constexpr const char* kReasonHeader = "x-tally-reason";
inline constexpr const char* kQueueHeader = "x-tally-queue";
inline constexpr const char* kUserHeader = "x-tally-user";

class Worker {
 public:
  explicit Worker(const WorkerConfig& config);

  // Until somebody ends it. UserError: the broker refuses us from the start.
  void Run();

 private:
  struct Request {
    std::uint64_t connection = 0, tag = 0;
    FrameKind kind{};
    std::string queue;
    Message message;
    Nanoseconds arrived{}, given{};  // given: to an instance
    std::uint64_t batch = 0;  // for the agent: so many were given before it
    std::size_t unsettled = 0;  // publications that the broker has not confirmed
  };
  struct Ticket {
    std::uint64_t request;
    bool is_answer;  // may find no queue, for a client may be gone
  };

  void StartPage();
  HttpResponse Page(const HttpRequest& request) const;

  void OnLink(LinkEvent event);
  void OnUp(const LinkUp& up);
  void OnDown(const LinkDown& down);
  void OnDelivery(LinkDelivery delivery);
  void OnSettled(const LinkSettled& settled);
  void OnDone(InstancePool::Done done);
  void AssignWaiting(Nanoseconds now);
  void CheckRoom(Nanoseconds now);
  void TellAgent(Request* request, Nanoseconds now);

  // What may become of a request.
  void Answer(std::uint64_t id, std::string body, std::string_view outcome);
  void Refuse(std::uint64_t id, const std::string& sentence, std::string_view outcome);
  void CountTry(std::uint64_t id, const std::string& reason);
  void Bury(std::uint64_t id, std::uint64_t tries, const std::string& reason);
  // Who published it; "": the broker does not say.
  [[nodiscard]] std::string UserOf(const Message& message) const;
  // The request as it came, for the broker to keep, from us now.
  [[nodiscard]] Message Again(const Request& request, std::uint64_t tries) const;
  void Publish(std::uint64_t id, std::string queue, Message message, bool is_answer);
  void SendAnswer(std::uint64_t id, std::string body);

  // True: leave at once.
  bool ReadSignals();
  void Drain(int signal);
  [[nodiscard]] bool IsDrained() const;
  void Wait();
  [[noreturn]] void Leave(bool with_good_bye);

  WorkerConfig config_;
  WorkerLog log_;
  Fd signals_;
  WorkerMetrics metrics_;
  std::unique_ptr<WorkerFolder> folder_;
  std::unique_ptr<InstancePool> pool_;
  std::unique_ptr<BrokerLink> link_;
  std::optional<HttpServer> page_;
  std::optional<MetricsChannel> agent_;
  std::uint64_t given_so_far_ = 0;

  enum class Broker { kUnknown, kUp, kAbsent, kRefusing } broker_ = Broker::kUnknown;
  bool was_up_ = false, draining_ = false, cancelled_ = false;
  bool has_room_ = true;  // on the disk of the work folder
  Nanoseconds room_check_at_{0};
  std::uint64_t requests_so_far_ = 0, tickets_so_far_ = 0;
  std::map<std::uint64_t, Request> requests_;
  std::deque<std::uint64_t> waiting_;
  std::map<std::uint64_t, Ticket> tickets_;
  std::vector<pollfd> fds_;
};

}  // namespace tally
