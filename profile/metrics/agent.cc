#include "profile/metrics/agent.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/shared_memory.h"
#include "base/sys.h"
#include "base/units.h"
#include "profile/metrics/activity.h"
#include "profile/metrics/delivery.h"
#include "profile/metrics/gpu_meter.h"
#include "base/http_server.h"
#include "profile/metrics/log.h"
#include "profile/metrics/machine_lock.h"
#include "profile/metrics/prometheus.h"
#include "profile/metrics/record.h"
#include "profile/metrics/record_socket.h"
#include "profile/metrics/sender.h"
#include "profile/metrics/system_sampler.h"

namespace tally {
namespace {

// So many records are read before the rest of the loop has its turn.
constexpr int kRecordsAtOnce = 256;
constexpr Nanoseconds kLongestWait = std::chrono::seconds(60);

DeliverySource SourceOf(const MetricsConfig& config) {
  DeliverySource source;
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0) source.host = host.data();
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) throw SystemError("getrandom", errno);
  source.agent = fmt::format("{:016x}", random);
  source.label = config.label;
  return source;
}

class Agent {
 public:
  Agent(const MetricsConfig& config, int socket, int dropped)
      : config_(config),
        socket_(socket),
        dropped_(Fd(dropped), sizeof(std::uint64_t)),
        log_("tally-metrics"),
        source_(SourceOf(config)),
        lock_(config.lock),
        activity_(config),
        sender_(config, &log_, [this](bool sent) {
          page_.CountDelivery(sent);
          ++(sent ? sent_ : failed_);
        }) {
    if (lock_.IsOurs()) {
      gpu_.emplace();
      if (!gpu_->absent().empty()) log_.Say("no GPU is measured: " + gpu_->absent());
    } else {
      log_.Say(fmt::format("{} looks at this machine already; this agent sends timings only",
                           lock_.holder() ? fmt::format("the agent with pid {}", *lock_.holder()) : "another agent"));
    }
    StartPage();
    StartRecords();
  }

  [[noreturn]] void Run() {
    for (;;) {
      if (!ReadRecords()) Leave();
      ReadOthers();
      const Nanoseconds now = sys::MonotonicNow();
      SampleWhenDue(now);
      DeliverWhenDue(now);
      sender_.Move(now);
      if (page_server_) page_server_->Move(now);
      Wait(sys::MonotonicNow());
    }
  }

 private:
  void StartPage() {
    if (config_.prometheus.empty()) return;
    try {
      page_server_.emplace(config_.prometheus, HttpLimits{.body = 0},
                           [this](const HttpRequest& request) -> HttpResponse {
                             if (request.target != "/metrics")
                               return {404, "text/plain; charset=utf-8", "/metrics is here\n"};
                             if (request.method != "GET") return {405, "text/plain; charset=utf-8", "only GET\n"};
                             return {200, kPrometheusContentType, page_.Text(config_.label)};
                           });
      log_.Say(fmt::format("prometheus: http://{}/metrics", page_server_->address()));
    } catch (const UserError& error) {
      log_.Say(fmt::format("prometheus: {}; there is no page", error.what()));
    }
  }

  // False when judging has ended.
  bool ReadRecords() {
    for (int i = 0; i < kRecordsAtOnce; ++i) {
      MetricsRecord record;
      const ssize_t n = ::recv(socket_.get(), &record, sizeof record, MSG_DONTWAIT | MSG_TRUNC);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno == EAGAIN;
      if (n == 0) return false;
      const bool understood = n == sizeof record && record.version == MetricsRecord::kVersion && record.name_size <= record.name.size();
      if (understood) {
        Take(record);
      } else {
        log_.SayOnce("judging", "its records are of another version of Tally");
      }
    }
    return true;
  }

  void ReadOthers() {
    if (!records_) return;
    for (int i = 0; i < kRecordsAtOnce; ++i) {
      std::optional<RecordSocket::Received> received = records_->Receive();
      if (!received) return;
      if (!received->record) {
        log_.SayOnce("a record", received->why);
        continue;
      }
      MetricsRecord& record = *received->record;
      if (received->has_batch) told_batch_ = record.batch;
      record.batch = told_batch_.value_or(activity_.batch());
      Take(record);
    }
  }

  void StartRecords() {
    if (config_.records.empty()) return;
    try {
      records_.emplace(config_.records);
    } catch (const UserError& error) {
      log_.Say(fmt::format("{}; nobody else's are heard", error.what()));
    }
  }

  void Take(const MetricsRecord& record) {
    if (record.kind == MetricsRecord::Kind::kBatch) {
      const Nanoseconds now = sys::MonotonicNow();
      const bool was_active = activity_.IsActive();
      activity_.OnBatch(record.batch, now);
      if (delivers_ && (activity_.batch() == record.batch || activity_.IsActive())) {
        delivery_.NameBatch(record.batch, std::string(record.Name()));
      }
      page_.SetBatch(activity_.batch());
      if (!was_active && activity_.IsActive()) Begin(now);
    } else if (activity_.IsActive() && config_.timings) {
      const Timing timing{record.unix_ms, record.batch, std::string(record.Name()), static_cast<double>(record.nanoseconds) / 1e9};
      if (!page_.Add(timing)) log_.SayOnce("prometheus", "too many names of steps; the rest of them is not shown");
      if (!delivers_) return;
      if (!delivery_.Add(timing)) log_.SayOnce("timings", "too many for one delivery; the rest of them is left out");
    }
  }

  void Begin(Nanoseconds now) {
    page_.SetActive(true);
    next_delivery_ = now + config_.send_every;
    if (!lock_.IsOurs()) return;
    Sample first;  // the totals from which the first differences are taken
    sampler_.Take(now, &first);
    next_sample_ = now + config_.interval;
  }

  void SampleWhenDue(Nanoseconds now) {
    if (!next_sample_ || now < *next_sample_ || !activity_.IsActive()) return;
    Sample sample;
    sampler_.Take(now, &sample);
    gpu_->Take(&sample);
    for (const NotMeasured& one : sample.failed) {
      if (one.reason == gpu_->absent()) continue;  // was said already
      log_.SayOnce(one.series.name + (one.series.instance.empty() ? "" : " " + one.series.instance),
                   "not measured: " + one.reason);
    }
    if (delivers_) delivery_.Add(UnixMs(), activity_.batch(), sample);
    page_.Add(sample);
    ++samples_;
    // A look that came late is not made up for.
    const auto missed = (now - *next_sample_) / config_.interval;
    *next_sample_ += (missed + 1) * config_.interval;
  }

  void DeliverWhenDue(Nanoseconds now) {
    activity_.OnTime(now);
    const bool ended = next_delivery_ && activity_.over();
    if (!next_delivery_ || (now < *next_delivery_ && !ended)) return;
    if (!delivery_.IsEmpty()) {
      ++sequence_;
      Keep();
      if (!config_.endpoint.empty()) sender_.Send(sequence_, delivery_.Json(source_, sequence_));
      delivery_.Clear();
    }
    next_delivery_ = now + config_.send_every;
    if (!ended) return;
    log_.Say(fmt::format("nothing more is collected: {}", *activity_.over()));
    page_.SetActive(false);
    next_delivery_.reset();
    next_sample_.reset();
  }

  void Wait(Nanoseconds now) {
    fds_.clear();
    fds_.push_back({socket_.get(), POLLIN, 0});
    if (records_) fds_.push_back({records_->fd(), POLLIN, 0});
    if (page_server_) page_server_->AddTo(&fds_);
    Nanoseconds until = now + kLongestWait;
    const auto sooner = [&until](const std::optional<Nanoseconds>& time) {
      if (time) until = std::min(until, *time);
    };
    sooner(next_sample_);
    sooner(next_delivery_);
    if (activity_.IsActive()) sooner(activity_.ends_at());
    sooner(sender_.next());
    if (page_server_) sooner(page_server_->next());
    sender_.Wait(fds_, std::max(until - now, Nanoseconds(0)));
  }

  // In a file of this machine; the last one, too, which is not sent any more.
  void Keep() {
    if (config_.keep.empty() || delivery_.IsEmpty()) return;
    try {
      const Fd file = sys::Open(config_.keep, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0644);
      sys::WriteAll(file.get(), delivery_.Json(source_, sequence_) + "\n", config_.keep);
    } catch (const SystemError& error) {
      log_.SayOnce("keep", error.what());
    }
  }

  [[noreturn]] void Leave() {
    ++sequence_;
    Keep();
    log_.SayRepetitions();
    const std::uint64_t lost =
        std::atomic_ref(*reinterpret_cast<std::uint64_t*>(dropped_.data())).load(std::memory_order_relaxed);
    if (lost > 0) log_.Say(fmt::format("{} of judging did not fit into the socket and {} lost", CountOf(lost, "record"), lost == 1 ? "is" : "are"));
    if (!config_.endpoint.empty()) {
      log_.Say(
          fmt::format("{} samples; deliveries sent: {}, not sent: {}; dropped at the end: {} samples and {} timings{}",
                      samples_, sent_, failed_ + sender_.waiting(), delivery_.samples(), delivery_.timings(),
                      sender_.waiting() > 0 ? ", a send was cut off" : ""));
    }
    ::_exit(kExitJobRan);
  }

  MetricsConfig config_;
  bool delivers_ = !config_.endpoint.empty() || !config_.keep.empty();  // or only shows what is now
  Fd socket_;
  SharedMemory dropped_;
  Log log_;
  DeliverySource source_;
  MachineLock lock_;
  Activity activity_;
  PrometheusPage page_;
  Sender sender_;
  std::optional<HttpServer> page_server_;
  std::optional<RecordSocket> records_;
  std::optional<std::uint64_t> told_batch_;  // by others than judging
  SystemSampler sampler_;
  std::optional<GpuMeter> gpu_;
  MetricsDelivery delivery_;
  std::optional<Nanoseconds> next_sample_, next_delivery_;
  std::uint64_t sequence_ = 0, samples_ = 0, sent_ = 0, failed_ = 0;
  std::vector<pollfd> fds_;
};

}  // namespace

void RunAgent(const AgentArguments& arguments) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) throw SystemError("prctl(PR_SET_PDEATHSIG)", errno);
  if (::getppid() != arguments.parent) ::_exit(kExitJobRan);  // it ended before we asked
  ::signal(SIGPIPE, SIG_IGN);
  // Terminals and service managers tell a whole group to end; judging says so itself, when it does.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);
  Agent(ReadMetricsConfig(YamlMap::FromFile(arguments.config_path)), arguments.socket, arguments.dropped).Run();
}

}  // namespace tally
