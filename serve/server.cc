#include "serve/server.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/shallow_json.h"
#include "supervisor/run/process_executor.h"

namespace tally::serve {
namespace {

using nlohmann::json;

constexpr Nanoseconds kPauseOfStarts = Milliseconds(200);
constexpr unsigned kMostFailedStarts = 5;
constexpr unsigned kMostIdleConnections = 1024;  // beside those that wait


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

HttpReply Json(const json& body, unsigned status = 200) { return {status, body.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"}; }
HttpReply JsonText(std::string text) { return {200, std::move(text) + "\n"}; }
HttpReply Mistake(const std::string& sentence, unsigned status = 400) { return Json({{"error", sentence}}, status); }

// Not a byte earlier for one that is nearly right.
bool IsSame(std::string_view a, std::string_view b) {
  unsigned differs = a.size() != b.size() ? 1 : 0;
  for (std::size_t i = 0; i < a.size(); ++i) differs |= static_cast<unsigned>(a[i] ^ b[i % std::max<std::size_t>(b.size(), 1)]);
  return differs == 0;
}

json Parsed(const std::string& body) {
  try {
    return ParseShallow(body, "the body");
  } catch (const json::exception&) {
    throw UserError("the body is not JSON");
  }
}

std::vector<std::string> OptionsOfWorkers(const ServerSettings& settings, const std::string& store) {
  std::vector<std::string> words{"--store-folder", store, "--work-size", fmt::format("{}b", settings.work_size.count)};
  if (!settings.src_prefix.empty()) words.insert(words.end(), {"--src-prefix", settings.src_prefix});
  if (settings.plain_paths) words.emplace_back("--plain-paths");
  if (settings.weak_isolation) words.emplace_back("--weak-isolation");
  return words;
}

}  // namespace

Server::Server(ServerSettings settings) : settings_(std::move(settings)), store_(settings_.largest_store), signals_(SignalDescriptor()) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);  // connections are many
  ProcessExecutor().cgroups().Find();  // before there are workers, who would stand in the way
  for (std::size_t i = 0; i < settings_.workers; ++i) slots_.push_back({std::make_unique<WorkerProcess>(OptionsOfWorkers(settings_, store_.folder()))});
  http_ = std::make_unique<HttpDaemon>(
      std::move(settings_.listener), HttpSettings{settings_.longest_body, static_cast<unsigned>(settings_.most_waiting) + kMostIdleConnections, [this](const HttpCall& call) { return Refusal(call); }},
      [this](std::uint64_t number, const HttpCall& call) { return OnCall(number, call); }, [this](std::uint64_t number) { OnGone(number); });
  fmt::print(stderr, "tally-serve: listening on {}, {} runs at one time\n", settings_.address, settings_.workers);
}

void Server::Run() {
  while (!ends_now_ && !(draining_ && tasks_.empty())) {
    StartWorkers(sys::MonotonicNow());
    StartWaiting();
    Wait();
  }
  http_->Move({});  // the last answers
}

std::size_t Server::Idle() const {
  return static_cast<std::size_t>(std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.process->state() == WorkerProcess::State::kIdle && slot.task == 0; }));
}

// ---- calls

std::optional<HttpReply> Server::Refusal(const HttpCall& call) const {
  if (settings_.token.empty() || IsSame(call.authorization, "Bearer " + settings_.token)) return std::nullopt;
  return Mistake("expected Authorization: Bearer TOKEN", 401);
}

std::optional<HttpReply> Server::OnCall(std::uint64_t number, const HttpCall& call) {
  try {
    if (call.path == "/run" && call.method == "POST") return OnRun(number, call);
    if (call.path == "/job" && call.method == "POST") return OnJob(number, call);
    if (call.path == "/file") return OnFiles(call);
    if (call.path.starts_with("/file/")) return OnFile(call);
    if (call.method != "GET") return Mistake(fmt::format("{} {}: there is no such thing", call.method, call.path), 404);
    if (call.path == "/version") return Version();
    if (call.path == "/config") return Config();
    if (call.path == "/metrics") return Metrics();
    return Mistake(fmt::format("{}: there is no such thing", call.path), 404);
  } catch (const UserError& error) {
    return Mistake(error.what());
  } catch (const std::exception& error) {
    return Mistake(error.what(), 500);
  }
}

std::optional<HttpReply> Server::OnRun(std::uint64_t number, const HttpCall& call) {
  json body = Parsed(call.body);
  Request request = ParseRequest(body);
  Task task;
  task.cmds = std::move(body["cmd"]);
  task.pipes = std::move(request.pipes);
  task.id = std::move(request.id);
  return Enqueue(number, std::move(task));
}

std::optional<HttpReply> Server::OnJob(std::uint64_t number, const HttpCall& call) {
  Task task;
  task.job = Parsed(call.body);
  if (!task.job.is_object()) throw UserError("expected an environ, a JSON object (docs/jobs.md)");
  return Enqueue(number, std::move(task));
}

std::optional<HttpReply> Server::Enqueue(std::uint64_t number, Task task) {
  task.left = task.job.is_null() ? task.cmds.size() : 1;
  task.answers.resize(task.left);
  if (task.left > slots_.size()) throw UserError(fmt::format("cmd: {} commands run at one time; this server has {} workers (--workers)", task.left, slots_.size()));
  if (draining_) return Mistake("the server ends", 503);
  if (waiting_.size() >= settings_.most_waiting) return Mistake(fmt::format("{} requests wait already", waiting_.size()), 429);
  tasks_[number] = std::move(task);
  waiting_.push_back(number);
  return std::nullopt;
}

HttpReply Server::OnFiles(const HttpCall& call) {
  if (call.method == "GET") return Json(json(store_.All()));
  if (call.method != "POST") return Mistake("expected GET or POST", 405);
  // A form with a file in it, as browsers and curl -F send it; else the body is the file.
  const std::string mark = "boundary=";
  const std::size_t at = call.content_type.find(mark);
  if (!call.content_type.starts_with("multipart/form-data") || at == std::string::npos) return Json(store_.Add("file", call.body));
  std::string boundary = call.content_type.substr(at + mark.size());
  if (boundary.size() >= 2 && boundary.front() == '"') boundary = boundary.substr(1, boundary.size() - 2);
  const std::string line = "--" + boundary;
  const std::size_t begin = call.body.find(line), head_end = call.body.find("\r\n\r\n", begin == std::string::npos ? 0 : begin);
  const std::size_t end = head_end == std::string::npos ? head_end : call.body.find("\r\n" + line, head_end);
  if (begin == std::string::npos || end == std::string::npos) throw UserError("the form has no file in it");
  const std::string head = call.body.substr(begin, head_end - begin), name_mark = "filename=\"";
  const std::size_t name_at = head.find(name_mark);
  const std::string name = name_at == std::string::npos ? "file" : head.substr(name_at + name_mark.size(), head.find('"', name_at + name_mark.size()) - name_at - name_mark.size());
  return Json(store_.Add(name, std::string_view(call.body).substr(head_end + 4, end - head_end - 4)));
}

HttpReply Server::OnFile(const HttpCall& call) {
  const std::string id = call.path.substr(std::string("/file/").size());
  if (!IsId(id) || !store_.Has(id)) return Mistake(fmt::format("there is no file {}", id), 404);
  if (call.method == "GET") return {200, *store_.Read(id), "application/octet-stream"};
  if (call.method != "DELETE") return Mistake("expected GET or DELETE", 405);
  store_.Remove(id);
  return {200, ""};
}

HttpReply Server::Version() const {
  return Json({{"buildVersion", "v1.9.0-tally." TALLY_VERSION}, {"platform", "amd64"}, {"os", "linux"}, {"copyOutOptional", true}, {"pipeProxy", false}, {"symlink", true}, {"fixSymlinkEscape", true}, {"addressSpaceLimit", false}, {"stream", false}, {"copyOutTruncate", true}});
}

HttpReply Server::Config() const {
  return Json({{"copyOutOptional", true}, {"pipeProxy", false}, {"symlink", true}, {"fixSymlinkEscape", true}, {"fileStorePath", ""}, {"runnerConfig", {{"workers", settings_.workers}, {"longestBody", settings_.longest_body.count}, {"workDir", "/w"}}}});
}

HttpReply Server::Metrics() const {
  std::string text = "# HELP tally_serve_runs_total Commands that were run, by how they ended.\n# TYPE tally_serve_runs_total counter\n";
  for (const auto& [status, count] : statuses_) text += fmt::format("tally_serve_runs_total{{status=\"{}\"}} {}\n", status, count);
  const auto busy = std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.task != 0; });
  const std::tuple<const char*, const char*, std::uint64_t> gauges[] = {{"workers", "Workers.", slots_.size()},
                                                                        {"workers_busy", "Workers that run something.", static_cast<std::uint64_t>(busy)},
                                                                        {"requests_waiting", "Requests that wait for workers.", waiting_.size()},
                                                                        {"store_bytes", "Bytes of stored files.", store_.used()}};
  for (const auto& [name, help, value] : gauges) text += fmt::format("# HELP tally_serve_{0} {1}\n# TYPE tally_serve_{0} gauge\ntally_serve_{0} {2}\n", name, help, value);
  return {200, text, "text/plain; version=0.0.4; charset=utf-8"};
}

void Server::OnGone(std::uint64_t number) {
  std::erase(waiting_, number);
  const auto found = tasks_.find(number);
  if (found == tasks_.end()) return;
  for (const Answer& answer : found->second.answers) ForgetFiles(answer);
  tasks_.erase(found);
  for (Slot& slot : slots_) {
    if (slot.task != number) continue;
    slot.process->Kill();
    slot.task = 0;
  }
}

// Nobody was told of them.
void Server::ForgetFiles(const Answer& answer) {
  if (!answer.head.is_object()) return;
  const json ids = answer.head.value("fileIds", json::object());
  for (const auto& [name, id] : ids.items()) store_.Discard(id.get<std::string>());
}

// ---- workers

void Server::StartWorkers(Nanoseconds now) {
  for (Slot& slot : slots_) {
    if (slot.process->state() == WorkerProcess::State::kAbsent && now >= slot.start_at) slot.process->Start();
  }
}

void Server::StartWaiting() {
  while (!waiting_.empty()) {
    const std::uint64_t number = waiting_.front();
    Task& task = tasks_.at(number);
    if (task.left > Idle()) return;
    waiting_.pop_front();
    StartTask(number, &task);
  }
}

void Server::StartTask(std::uint64_t number, Task* task) {
  std::vector<sys::Pipe> pipes;
  for (std::size_t i = 0; i < task->pipes.size(); ++i) pipes.push_back(sys::MakePipe());
  std::size_t index = 0;
  for (Slot& slot : slots_) {
    if (index == task->answers.size()) break;
    if (slot.process->state() != WorkerProcess::State::kIdle || slot.task != 0) continue;
    json message{{"job", task->job}};
    std::vector<int> files;
    if (task->job.is_null()) {
      message = {{"cmd", task->cmds[index]}, {"where", fmt::format("cmd[{}]", index)}, {"streams", json::array()}};
      for (std::size_t i = 0; i < pipes.size(); ++i) {
        const auto give = [&](const PipeEnd& end, const Fd& fd) {
          if (end.cmd != index) return;
          message["streams"].push_back(end.fd);
          files.push_back(fd.get());
        };
        give(task->pipes[i].in, pipes[i].write_end);
        give(task->pipes[i].out, pipes[i].read_end);
      }
    }
    slot.task = number;
    slot.index = index++;
    slot.process->Give(message.dump(-1, ' ', false, json::error_handler_t::replace), files);  // one that is gone is seen when it is read
  }
}

Server::Answer Server::ParseAnswer(std::string said) {
  const std::size_t end = said.find('\n');
  json head = end == std::string::npos ? json() : json::parse(said.begin(), said.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
  if (!head.is_object()) {
    const json died{{"status", "Internal Error"}, {"error", "the worker that ran it died"}, {"exitStatus", 0}, {"time", 0}, {"runTime", 0}, {"memory", 0}};
    return {died, died.dump()};
  }
  said.erase(0, end + 1);
  return {std::move(head), std::move(said)};
}

void Server::OnNews(Slot* slot, WorkerProcess::News news, Nanoseconds now) {
  if (news.is_partial) return;
  const std::uint64_t number = std::exchange(slot->task, 0);
  if (news.is_gone) {
    slot->start_at = now + kPauseOfStarts;
    if (number == 0 && ++slot->failed_starts >= kMostFailedStarts) throw SystemError("workers end as soon as they start; `tally check-host` says why", 0);
  } else {
    slot->failed_starts = 0;
  }
  const auto found = tasks_.find(number);
  if (found == tasks_.end()) return;
  Task& task = found->second;
  task.answers[slot->index] = ParseAnswer(news.answer.value_or(""));
  if (--task.left == 0) Finish(number);
}

void Server::Finish(std::uint64_t number) {
  Task task = std::move(tasks_.at(number));
  tasks_.erase(number);
  if (!task.job.is_null()) return http_->Reply(number, JsonText(std::move(task.answers[0].text)));
  std::string list;
  for (Answer& answer : task.answers) {
    RegisterFiles(&answer);
    ++statuses_[answer.head.value("status", "Internal Error")];
    list += (list.empty() ? '[' : ',') + std::move(answer.text);
  }
  http_->Reply(number, JsonText(std::move(list) + "]"));
}

void Server::RegisterFiles(Answer* answer) {
  const json ids = answer->head.value("fileIds", json::object());
  for (const auto& [name, id] : ids.items()) {
    try {
      store_.Register(id.get<std::string>(), name);
    } catch (const std::exception& error) {
      json whole = json::parse(answer->text);
      whole["status"] = answer->head["status"] = "File Error";
      whole["fileError"].push_back({{"name", name}, {"type", "CopyOutCreate"}, {"message", error.what()}});
      answer->text = whole.dump();
    }
  }
}

void Server::Wait() {
  fds_.assign(1, {signals_.get(), POLLIN, 0});
  for (const Slot& slot : slots_) {
    if (slot.process->fd() >= 0) fds_.push_back({slot.process->fd(), POLLIN, 0});
  }
  http_->AddTo(&fds_);
  Nanoseconds longest = http_->next().value_or(std::chrono::seconds(60));
  const bool starts = std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.process->state() == WorkerProcess::State::kAbsent; });
  if (starts) longest = std::min(longest, kPauseOfStarts);
  const timespec timeout{.tv_sec = longest.count() / 1'000'000'000, .tv_nsec = longest.count() % 1'000'000'000};
  if (::ppoll(fds_.data(), fds_.size(), &timeout, nullptr) < 0 && errno != EINTR) throw SystemError("ppoll", errno);
  const Nanoseconds now = sys::MonotonicNow();
  for (Slot& slot : slots_) {
    const int fd = slot.process->fd();
    const bool has_news = fd >= 0 && std::any_of(fds_.begin(), fds_.end(), [fd](const pollfd& one) { return one.fd == fd && one.revents != 0; });
    if (has_news) OnNews(&slot, slot.process->Read(), now);
  }
  http_->Move(fds_);
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    ends_now_ = draining_;
    if (!std::exchange(draining_, true)) {
      http_->StopListening();
      fmt::print(stderr, "tally-serve: ending when {} requests are answered\n", tasks_.size());
    }
  }
}

}  // namespace tally::serve
