#include "tests/support/worker_run.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "base/error.h"
#include "base/listen_address.h"
#include "base/sys.h"
#include "jobs/filetracker.h"
#include "tests/support/run_program.h"

namespace tally {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(30);

int LeftMs(Clock::time_point until) {
  return static_cast<int>(
      std::max<std::int64_t>(0, std::chrono::duration_cast<Milliseconds>(until - Clock::now()).count()));
}

// Of all workers of the tests.
std::string Store() {
  static const ScratchFolder folder;
  return folder.path();
}

void EnterNetwork(const std::string& name) {
  if (name.empty()) return;
  const int fd = ::open(("/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 || ::setns(fd, CLONE_NEWNET) != 0) ::_exit(125);
}

void MountDisk(const std::string& folder, const std::string& size) {
  if (size.empty()) return;
  ::mkdir(folder.c_str(), 0755);
  if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("test", folder.c_str(), "tmpfs", 0, ("size=" + size).c_str()) != 0) {
    ::_exit(125);
  }
}

}  // namespace

std::vector<pid_t> ChildrenOf(pid_t process) {
  std::vector<pid_t> out;
  std::istringstream children(sys::TryReadFile(fmt::format("/proc/{0}/task/{0}/children", process)).value_or(""));
  for (pid_t child; children >> child;) out.push_back(child);
  return out;
}

JobQueue::~JobQueue() {
  for (const std::string& one : {name(), dead()}) {
    try {
      Broker::Shared().DeleteQueue(one);
    } catch (const std::exception&) {  // it was never made
    }
  }
}

WorkerRun::WorkerRun(const WorkerOptions& options)
    : work_folder_(options.work_folder.empty() ? folder_.path() + "/work" : options.work_folder) {
  const std::string config = folder_.Write(
      "worker.yaml", fmt::format("rabbitmq:\n  host: {}\n  port: {}\n  retry_at_most: 300ms\n  heartbeat: 1s\n"
                                 "  connect_timeout: 2s\n"
                                 "job_queue: {}\ndead_queue: {}.dead\nevaluations: {}\nhttp: 127.0.0.1:0\n"
                                 "queue_expires: 1m\nwork_folder: {}\n{}",
                                 options.host, options.port != 0 ? options.port : Broker::Shared().port(),
                                 options.queue, options.queue, options.evaluations, work_folder_,
                                 options.settings));
  const Fd log = sys::Open(LogFile(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  log_changes_ = Fd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (::inotify_add_watch(log_changes_.get(), LogFile().c_str(), IN_MODIFY) < 0) throw SystemError("inotify_add_watch", errno);
  const pid_t parent = ::getpid();
  const std::string store = Store();
  const std::string executable = BuildFolder() + "/bin/tally-dispatcher";
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(126);
    EnterNetwork(options.network_namespace);
    MountDisk(work_folder_, options.disk);
    ::dup2(log.get(), STDERR_FILENO);
    ::setenv("FILETRACKER_DIR", store.c_str(), 1);
    for (const std::string& entry : options.environment) ::putenv(const_cast<char*>(entry.c_str()));
    ::execl(executable.c_str(), executable.c_str(), "worker", "--config", config.c_str(), nullptr);
    ::_exit(127);
  }
}

WorkerRun::~WorkerRun() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::string WorkerRun::log() const { return sys::ReadFile(LogFile()); }

std::vector<Json> WorkerRun::Said(const std::string& message) {
  std::vector<Json> out;
  std::istringstream lines(log());
  for (std::string line; std::getline(lines, line);) {
    Json one = Json::parse(line, nullptr, false);
    if (one.is_object() && one.value("message", "") == message) out.push_back(std::move(one));
  }
  return out;
}

bool WorkerRun::Says(const std::string& message, std::size_t times) {
  const auto until = Clock::now() + kPatience;
  const Fd process(pid_ > 0 ? static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)) : -1);
  while (Said(message).size() < times) {
    pollfd fds[] = {{log_changes_.get(), POLLIN, 0}, {process.get(), POLLIN, 0}};
    const bool over = LeftMs(until) == 0 || !process.valid() || ::poll(fds, 2, LeftMs(until)) <= 0;
    if (over || fds[1].revents != 0) return Said(message).size() >= times;
    char events[4096];
    [[maybe_unused]] const ssize_t ignored = ::read(log_changes_.get(), events, sizeof events);
  }
  return true;
}

void WorkerRun::Signal(int signal) const { ::kill(pid_, signal); }

std::optional<int> WorkerRun::Ends() {
  const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  pollfd fd{process.get(), POLLIN, 0};
  if (::poll(&fd, 1, static_cast<int>(Milliseconds(kPatience).count())) <= 0) return std::nullopt;
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string WorkerRun::page() {
  Says("worker starts");
  return Said("worker starts").at(0).at("http");
}

TestClient::TestClient(const Broker& broker) : address_(broker.address()) { Reconnect(); }

void TestClient::Reconnect() {
  connection_.reset();
  connection_ = std::make_unique<AmqpConnection>(address_);
  // Durable, and named, so that it outlives the broker.
  if (reply_queue_.empty()) reply_queue_ = fmt::format("answers.{}.{}", ::getpid(), Clock::now().time_since_epoch().count());
  connection_->Declare({.name = reply_queue_, .durable = true, .arguments = {{"x-expires", 60000}}});
  connection_->Consume(reply_queue_);
}

void TestClient::Publish(const std::string& queue, const Message& message) {
  const std::uint64_t publication = connection_->Publish(queue, message);
  for (;;) {
    std::optional<AmqpEvent> event = connection_->Next(kPatience);
    if (!event) throw std::runtime_error("the broker confirms nothing");
    if (auto* delivery = std::get_if<Delivery>(&*event)) {
      answers_[delivery->message.properties.correlation_id].push_back(
          Json::parse(delivery->message.body, nullptr, false));
      connection_->Acknowledge(delivery->tag);
    }
    const auto* settled = std::get_if<Settled>(&*event);
    if (settled == nullptr || settled->publication != publication) continue;
    if (settled->outcome != Settled::Outcome::kTaken) throw std::runtime_error("no queue " + queue);
    return;
  }
}

std::string TestClient::Ask(const std::string& queue, const std::string& body) {
  Message message;
  message.properties.correlation_id = fmt::format("ask-{}", ++asked_);
  message.properties.reply_to = reply_queue_;
  message.body = body;
  Publish(queue, message);
  return message.properties.correlation_id;
}

std::map<std::string, std::vector<Json>> TestClient::Await(std::size_t count, Nanoseconds patience) {
  const auto until = Clock::now() + patience;
  while (answers_.size() < count && LeftMs(until) > 0) {
    const std::optional<AmqpEvent> event = connection_->Next(Milliseconds(LeftMs(until)));
    const auto* delivery = event ? std::get_if<Delivery>(&*event) : nullptr;
    if (delivery == nullptr) continue;
    answers_[delivery->message.properties.correlation_id].push_back(
        Json::parse(delivery->message.body, nullptr, false));
    connection_->Acknowledge(delivery->tag);
  }
  return std::exchange(answers_, {});
}

Json TestClient::Call(const std::string& queue, const std::string& body) {
  const std::string id = Ask(queue, body);
  for (;;) {
    auto answers = Await(1);
    if (answers.empty()) return {{"answers", 0}};
    if (const auto found = answers.find(id); found != answers.end()) return std::move(found->second.front());
  }
}

std::string JobOf(const std::string& program, const Json& keys) {
  Json job{{"job_type", "exec"},
           {"exe_file", "/" + program},
           {"exec_time_limit", 20000},
           {"exec_idle_time_limit", 0}};
  job.update(keys);
  const LocalStore store(Store());
  if (!store.Has({"/" + program, {}})) store.Put({"/" + program, {}}, TestProgram(program));
  return job.dump();
}

bool Soon(const std::function<bool()>& condition) {
  const auto until = Clock::now() + kPatience;
  while (!condition()) {
    if (LeftMs(until) == 0) return false;
    ::poll(nullptr, 0, 5);
  }
  return true;
}

Page Get(const std::string& address, const std::string& target) {
  const ListenAddress to = ParseListenAddress(address);
  const Fd fd(::socket(to.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience{10, 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&to.storage), to.size) != 0) return {0, ErrnoText(errno)};
  sys::WriteAll(fd.get(), fmt::format("GET {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", target), address);
  std::string all;
  char buffer[4096];
  for (ssize_t n; (n = ::recv(fd.get(), buffer, sizeof buffer, 0)) > 0;) all.append(buffer, static_cast<std::size_t>(n));
  const std::size_t end = all.find("\r\n\r\n");
  if (all.size() < 12 || end == std::string::npos) return {};
  return {std::stoi(all.substr(9, 3)), all.substr(end + 4)};
}

}  // namespace tally
