#include "dispatcher/sio_worker.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/error.h"
#include "base/sys.h"
#include "dispatcher/instance_settings.h"
#include "evaluation/cpu_quota.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr Nanoseconds kFirstPause = std::chrono::seconds(1), kLongestPause = std::chrono::seconds(60);

std::uint64_t AvailableMebibytes() {
  struct sysinfo info {};
  ::sysinfo(&info);
  return (static_cast<std::uint64_t>(info.freeram) + info.bufferram) * info.mem_unit >> 20;
}

InstanceSettings SettingsForInstances(const SioWorkerConfig& config) {
  InstanceSettings settings;
  settings.plain_paths = config.plain_paths;
  settings.weak_isolation = config.weak_isolation;
  settings.sio = true;
  settings.max_answer_size = Bytes::MiB(1);
  return settings;
}

}  // namespace

SioWorker::SioWorker(const SioWorkerConfig& config) : config_(config), log_(config.log) {
  ::signal(SIGPIPE, SIG_IGN);
  // Before there are instances, which inherit our place among the cgroups; it also removes what dead ones left.
  ProcessExecutor().cgroups().Find();
  CpuQuota::StepAside();
  folder_ = std::make_unique<WorkerFolder>(config_.work_folder);
  pool_ = std::make_unique<InstancePool>(InstancePool::Settings{config_.concurrency, WriteInstanceSettings(SettingsForInstances(config_)), config_.longest_job}, *folder_, &log_, &metrics_);
  log_.Info("worker starts", {{"version", TALLY_VERSION}, {"server", config_.host + ":" + config_.port}, {"name", config_.name}, {"concurrency", config_.concurrency}});
}

void SioWorker::Run() {
  for (;;) {
    const Nanoseconds now = sys::MonotonicNow();
    try {
      if (!connection_ && !draining_ && now >= connect_at_) Connect(now);
      if (connection_) {
        for (const SioMessage& message : connection_->Read()) OnMessage(message);
      }
      for (const InstancePool::Done& done : pool_->Move(now)) OnDone(done);
      while (!waiting_.empty() && pool_->HasIdle()) {
        pool_->Give(waiting_.front(), FrameKind::kJob, jobs_.at(waiting_.front()).environ.dump(), std::nullopt, now);
        waiting_.pop_front();
      }
      if (connection_) connection_->Write();
    } catch (const std::exception& error) {  // of the connection
      Disconnect(error.what(), now);
    }
    const bool is_idle = jobs_.empty() && (!connection_ || !connection_->has_to_write());
    if (ReadSignals() || (draining_ && is_idle)) break;
    Wait();
  }
  pool_.reset();
  log_.Info("worker ends");
}

void SioWorker::Connect(Nanoseconds now) {
  pause_ = pause_ == Nanoseconds(0) ? kFirstPause : std::min(2 * pause_, kLongestPause);
  connect_at_ = now + pause_;
  connection_.emplace(config_.host, config_.port);
  was_greeted_ = false;
  connection_->Send({{"type", "hello"},
                     {"data", {{"name", config_.name}, {"concurrency", config_.concurrency}, {"available_ram_mb", AvailableMebibytes()}, {"can_run_cpu_exec", config_.can_run_cpu_exec}}}});
}

void SioWorker::Disconnect(const std::string& why, Nanoseconds now) {
  log_.Warning("the server is not there; trying again", {{"reason", why}, {"jobs_in_hand", jobs_.size()}});
  connection_.reset();
  connect_at_ = now + std::max(pause_, kFirstPause);
  pool_->Abandon();
  jobs_.clear();
  waiting_.clear();
}

// A call that makes no sense is answered, or it would be made again, of us or of the next worker.
void SioWorker::OnMessage(const SioMessage& message) {
  const json id = message.json.value("id", json());
  try {
    if (message.was_cut) throw UserError("the call is nested deeper than this worker reads");
    OnMessage(message.json);
  } catch (const UserError& error) {
    if (id.is_null()) throw;
    ReplyError(id, "exception", error.what());
  } catch (const json::exception& error) {
    if (id.is_null()) throw UserError("a message came with a value of a wrong type");
    ReplyError(id, "exception", "the call has a value of a wrong type");
  }
}

void SioWorker::OnMessage(const json& message) {
  const std::string type = message.value("type", "");
  if (type == "hello_ack") {
    was_greeted_ = true;
    pause_ = Nanoseconds(0);
    log_.Info("connected", {{"server", config_.host + ":" + config_.port}});
  } else if (type == "call" && message.contains("id")) {
    OnCall(message);
  } else {
    log_.Warning("a message that this worker does not know", {{"type", type}});
  }
}

void SioWorker::OnCall(const json& call) {
  const std::string method = call.value("method", "");
  if (method == "get_running") return Reply(call["id"], Running());
  if (method != "run") return ReplyError(call["id"], "method_not_found", "there is no method " + method);
  const json arguments = call.value("args", json::array());
  if (!arguments.is_array() || arguments.size() != 1 || !arguments[0].is_object()) return ReplyError(call["id"], "exception", "run: expected one argument, an environ");
  if (draining_) return;  // it goes to another worker, when we are gone
  const std::string job_type = arguments[0].value("job_type", "");
  const std::uint64_t id = ++jobs_so_far_;
  Job& job = jobs_[id];
  job = {call["id"], arguments[0].value("task_id", json()), arguments[0]};
  log_.Info("works on a job", {{"task_id", job.task_id}, {"job_type", job_type}});
  waiting_.push_back(id);
}

void SioWorker::OnDone(const InstancePool::Done& done) {
  const auto found = jobs_.find(done.request);
  if (found == jobs_.end()) return;
  const Job job = std::move(found->second);
  jobs_.erase(found);
  if (!connection_) return;
  if (done.how != InstancePool::Done::How::kAnswered) {
    const bool too_long = done.how == InstancePool::Done::How::kTooLong;
    return ReplyError(job.call_id, "exception", too_long ? "the job was not done in time and was ended" : "the process that worked on it died: " + done.text);
  }
  json environ = json::parse(done.text, nullptr, false);
  if (!environ.is_object()) return ReplyError(job.call_id, "exception", "the answer is no environ");
  if (environ.value("result", "") != "SUCCESS") return ReplyError(job.call_id, "exception", environ.value("result_string", "the job failed"));
  environ["worker"] = config_.name;
  log_.Info("answered", {{"task_id", job.task_id}, {"result_code", environ.value("result_code", "")}});
  Reply(job.call_id, std::move(environ));
}

void SioWorker::Reply(const json& call_id, json result) {
  if (connection_->Send({{"type", "result"}, {"id", call_id}, {"result", std::move(result)}})) return;
  ReplyError(call_id, "exception", "the result is longer than a message may be");
}

void SioWorker::ReplyError(const json& call_id, const char* kind, const std::string& sentence) {
  log_.Warning("a call failed", {{"reason", sentence}});
  connection_->Send({{"type", "error"}, {"id", call_id}, {"kind", kind}, {"data", sentence}, {"traceback", ""}});
}

json SioWorker::Running() const {
  json tasks = json::array();
  for (const auto& [id, job] : jobs_) tasks.push_back(job.task_id);
  return tasks;
}

// True: end at once.
bool SioWorker::ReadSignals() {
  signalfd_siginfo info{};
  while (::read(signals_.fd(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    if (draining_) return true;
    draining_ = true;
    log_.Info("ending when the jobs in hand are answered", {{"signal", info.ssi_signo}, {"jobs_in_hand", jobs_.size()}});
  }
  return false;
}

void SioWorker::Wait() {
  std::vector<pollfd> fds{{signals_.fd(), POLLIN, 0}};
  if (connection_) fds.push_back({connection_->fd(), static_cast<short>(POLLIN | (connection_->has_to_write() ? POLLOUT : 0)), 0});
  pool_->AddTo(&fds);
  std::optional<Nanoseconds> until = pool_->next();
  if (!connection_ && !draining_) until = std::min(until.value_or(Nanoseconds::max()), connect_at_);
  timespec timeout{};
  if (until) {
    const Nanoseconds left = std::max(*until - sys::MonotonicNow(), Nanoseconds(0));
    timeout = {.tv_sec = left.count() / 1'000'000'000, .tv_nsec = left.count() % 1'000'000'000};
  }
  if (::ppoll(fds.data(), fds.size(), until ? &timeout : nullptr, nullptr) < 0 && errno != EINTR) throw SystemError("ppoll", errno);
}

}  // namespace tally
