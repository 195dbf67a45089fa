#include "serve/server.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/error.h"
#include "base/sys.h"
#include "base/units.h"
#include "serve/run_socket.h"
#include "serve/stream_socket.h"
#include "serve/web_socket.h"
#include "supervisor/run/process_executor.h"

namespace tally::serve {
namespace {

using nlohmann::json;

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

std::vector<std::string> OptionsOfWorkers(const ServerSettings& settings, const std::string& store) {
  std::vector<std::string> words{"--store-folder", store, "--work-size", fmt::format("{}b", settings.work_size.count)};
  if (!settings.src_prefix.empty()) words.insert(words.end(), {"--src-prefix", settings.src_prefix});
  if (settings.plain_paths) words.emplace_back("--plain-paths");
  if (settings.weak_isolation) words.emplace_back("--weak-isolation");
  return words;
}

}  // namespace

Server::Server(ServerSettings settings)
    : settings_(std::move(settings)),
      store_(settings_.largest_store),
      signals_(SignalDescriptor()),
      queue_(OptionsOfWorkers(settings_, store_.folder()), settings_.workers, settings_.most_waiting, &store_) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);  // connections are many
  ProcessExecutor().cgroups().Find();  // before there are workers, who would stand in the way
  http_ = std::make_unique<HttpDaemon>(
      std::move(settings_.listener), HttpSettings{settings_.longest_body, static_cast<unsigned>(settings_.most_waiting) + kMostIdleConnections, [this](const HttpCall& call) { return Refusal(call); }},
      [this](std::uint64_t number, const HttpCall& call) { return OnCall(number, call); }, [this](std::uint64_t number) { OnGone(number); });
  fmt::print(stderr, "tally-serve: listening on {}, {} at one time\n", settings_.address, CountOf(settings_.workers, "run"));
}

void Server::Run() {
  while (!ends_now_ && !(draining_ && queue_.empty() && sockets_.empty() && http_->in_hand() == 0)) {
    queue_.StartDue(sys::MonotonicNow());
    Wait();
  }
  http_->Move({});  // the last answers
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
    if (call.path == "/ws") return Open<RunSocket>(call);
    if (call.path == "/stream") return Open<StreamSocket>(call);
    if (call.method != "GET") return Mistake(fmt::format("{} {}: there is no such thing", call.method, call.path), 404);
    if (call.path == "/version") return Version();
    if (call.path == "/config") return Config();
    if (call.path == "/metrics") return Metrics();
    return Mistake(fmt::format("{}: there is no such thing", call.path), 404);
  } catch (const UserError& error) {
    return Mistake(error.what());
  } catch (const Busy& busy) {
    HttpReply reply = Mistake(busy.what(), busy.status());
    if (draining_) reply.headers["Connection"] = "close";
    return reply;
  } catch (const std::exception& error) {
    return Mistake(error.what(), 500);
  }
}

std::optional<HttpReply> Server::OnRun(std::uint64_t number, const HttpCall& call) {
  json body = ParseText(call.body, "the body");
  Request request = ParseRequest(body);
  QueuedRun run;
  run.cmds = std::move(body["cmd"]);
  run.pipes = std::move(request.pipes);
  run.done = [this, number](std::vector<RunAnswer> answers) {
    runs_of_calls_.erase(number);
    http_->Reply(number, JsonText(ListOf(std::move(answers))));
  };
  runs_of_calls_[number] = queue_.Submit(std::move(run));
  return std::nullopt;
}

std::optional<HttpReply> Server::OnJob(std::uint64_t number, const HttpCall& call) {
  QueuedRun run;
  run.job = ParseText(call.body, "the body");
  if (!run.job.is_object()) throw UserError("expected an environ, a JSON object (docs/jobs.md)");
  run.done = [this, number](std::vector<RunAnswer> answers) {
    runs_of_calls_.erase(number);
    http_->Reply(number, JsonText(std::move(answers.front().text)));
  };
  runs_of_calls_[number] = queue_.Submit(std::move(run));
  return std::nullopt;
}

void Server::OnGone(std::uint64_t number) {
  const auto found = runs_of_calls_.find(number);
  if (found == runs_of_calls_.end()) return;
  queue_.Cancel(found->second);
  runs_of_calls_.erase(found);
}

template <typename Call>
HttpReply Server::Open(const HttpCall& call) {
  if (draining_) throw Busy(503, "the server ends");
  return WebSocketReply(call, [this](HttpUpgrade connection) { sockets_.push_back(std::make_unique<Call>(std::move(connection), settings_.longest_body, &queue_)); });
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
  return Json({{"buildVersion", "v1.9.0-tally." TALLY_VERSION}, {"platform", "amd64"}, {"os", "linux"}, {"copyOutOptional", true}, {"pipeProxy", false}, {"symlink", true}, {"fixSymlinkEscape", true}, {"addressSpaceLimit", false}, {"stream", true}, {"copyOutTruncate", true}});
}

HttpReply Server::Config() const {
  return Json({{"copyOutOptional", true}, {"pipeProxy", false}, {"symlink", true}, {"fixSymlinkEscape", true}, {"fileStorePath", ""}, {"runnerConfig", {{"workers", settings_.workers}, {"longestBody", settings_.longest_body.count}, {"workDir", "/w"}}}});
}

HttpReply Server::Metrics() const {
  std::string text = "# HELP tally_serve_runs_total Commands that were run, by how they ended.\n# TYPE tally_serve_runs_total counter\n";
  const RunQueue::Figures figures = queue_.figures();
  for (const auto& [status, count] : figures.statuses) text += fmt::format("tally_serve_runs_total{{status=\"{}\"}} {}\n", status, count);
  const std::tuple<const char*, const char*, std::uint64_t> gauges[] = {{"workers", "Workers.", figures.workers},
                                                                        {"workers_busy", "Workers that run something.", figures.busy},
                                                                        {"requests_waiting", "Requests that wait for workers.", figures.waiting},
                                                                        {"sockets", "Connections of /ws and /stream.", sockets_.size()},
                                                                        {"store_bytes", "Bytes of stored files.", store_.used()}};
  for (const auto& [name, help, value] : gauges) text += fmt::format("# HELP tally_serve_{0} {1}\n# TYPE tally_serve_{0} gauge\ntally_serve_{0} {2}\n", name, help, value);
  return {200, text, "text/plain; version=0.0.4; charset=utf-8"};
}

// ---- the loop

void Server::Wait() {
  fds_.assign(1, {signals_.get(), POLLIN, 0});
  queue_.AddTo(&fds_);
  for (const auto& socket : sockets_) socket->AddTo(&fds_);
  const std::size_t known = sockets_.size();
  http_->AddTo(&fds_);
  Nanoseconds longest = std::min({queue_.longest_wait(), http_->next().value_or(Nanoseconds::max()), Nanoseconds(std::chrono::seconds(60))});
  const Nanoseconds before = sys::MonotonicNow();
  for (const auto& socket : sockets_) longest = std::min(longest, std::max(socket->next() - before, Nanoseconds(0)));
  const timespec timeout{.tv_sec = longest.count() / 1'000'000'000, .tv_nsec = longest.count() % 1'000'000'000};
  if (::ppoll(fds_.data(), fds_.size(), &timeout, nullptr) < 0 && errno != EINTR) throw SystemError("ppoll", errno);
  const Nanoseconds now = sys::MonotonicNow();
  queue_.Move(fds_, now);
  for (std::size_t i = 0; i < known; ++i) {
    if (!sockets_[i]->Move(fds_, now)) sockets_[i].reset();
  }
  std::erase(sockets_, nullptr);
  http_->Move(fds_);  // and with it sockets that are new
  OnSignals();
}

void Server::OnSignals() {
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    ends_now_ = draining_;
    if (std::exchange(draining_, true)) continue;
    queue_.Drain();
    http_->StopListening();
    fmt::print(stderr, "tally-serve: ending when {} {} answered\n", CountOf(queue_.size(), "request"), queue_.size() == 1 ? "is" : "are");
  }
  if (!draining_) return;
  for (const auto& socket : sockets_) socket->End();
}

}  // namespace tally::serve
