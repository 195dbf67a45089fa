#include "tests/support/broker.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "dispatcher/amqp_connection.h"

namespace tally {
namespace {

constexpr const char* kServer = "/usr/lib/rabbitmq/bin/rabbitmq-server";
constexpr auto kLongestStart = std::chrono::seconds(90);

// What differs from a broker's defaults: it is heard on loopback alone, and a little disk is enough.
constexpr const char* kConfiguration =
    "listeners.tcp.1 = 127.0.0.1:{}\n"
    "disk_free_limit.absolute = 1MB\n"
    "log.console = false\n";

constexpr const char* kTlsConfiguration =
    "listeners.ssl.1 = 127.0.0.1:{0}\n"
    "ssl_options.cacertfile = {1}/certificate.pem\n"
    "ssl_options.certfile = {1}/certificate.pem\n"
    "ssl_options.keyfile = {1}/key.pem\n"
    "ssl_options.verify = verify_none\n"
    "ssl_options.fail_if_no_peer_cert = false\n";

[[noreturn]] void Become(std::vector<std::string> words, std::vector<std::string> environment,
                         const std::string& output, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(126);
  ::setsid();
  const int in = ::open("/dev/null", O_RDONLY);
  const int out = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& entry : environment) envp.push_back(entry.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  ::execve(argv[0], argv.data(), envp.data());
  ::_exit(127);
}

void End(pid_t* pid) {
  if (*pid <= 0) return;
  ::kill(*pid, SIGKILL);
  ::waitpid(*pid, nullptr, 0);
  *pid = -1;
}

Fd NotificationSocket(const std::string& path) {
  ::unlink(path.c_str());
  Fd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::strncpy(name.sun_path, path.c_str(), sizeof name.sun_path - 1);
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) {
    throw SystemError("bind " + path, errno);
  }
  return fd;
}

}  // namespace

std::uint16_t FreePort() {
  const Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&name), size) != 0 ||
      ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&name), &size) != 0) {
    throw SystemError("bind a free port", errno);
  }
  return ntohs(name.sin_port);
}

std::optional<std::string> Broker::WhyAbsent() {
  if (::access(kServer, X_OK) != 0) return "rabbitmq-server is not installed";
  return std::nullopt;
}

Broker& Broker::Shared() {
  static Broker broker;
  return broker;
}

Broker::Broker()
    : port_(FreePort()),
      tls_port_(FreePort()),
      distribution_port_(FreePort()),
      name_server_port_(FreePort()),
      node_(fmt::format("tally{}@localhost", ::getpid())) {
  folder_.Write("plugins", "[].\n");
  folder_.Write("environment", "");
  MakeCertificate();
  std::string configuration = fmt::format(kConfiguration, port_);
  if (has_tls_) configuration += fmt::format(kTlsConfiguration, tls_port_, folder_.path());
  folder_.Write("rabbitmq.conf", configuration);
  StartNameServer();
  Start();
}

Broker::~Broker() {
  End(&broker_);
  End(&name_server_);
}

void Broker::MakeCertificate() {
  const std::string command = fmt::format(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext "
      "subjectAltName=DNS:localhost -keyout {0}/key.pem -out {0}/certificate.pem >{0}/openssl.log 2>&1",
      folder_.path());
  has_tls_ = std::system(command.c_str()) == 0;
}

// Erlang's, which would go on for ever in the background if the broker started it.
void Broker::StartNameServer() {
  const std::string port = std::to_string(name_server_port_), output = folder_.path() + "/epmd.log";
  const pid_t parent = ::getpid();
  name_server_ = ::fork();
  if (name_server_ == 0) {
    Become({"/usr/bin/epmd", "-address", "127.0.0.1", "-port", port}, {"PATH=/usr/bin:/bin"}, output, parent);
  }
}

void Broker::Start() {
  const std::string folder = folder_.path();
  const Fd notifications = NotificationSocket(folder + "/notify");
  const std::vector<std::string> environment{
      "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
      "HOME=" + folder,
      "LANG=C.UTF-8",
      "RABBITMQ_NODENAME=" + node_,
      "RABBITMQ_MNESIA_BASE=" + folder + "/mnesia",
      "RABBITMQ_LOG_BASE=" + folder + "/log",
      "RABBITMQ_DIST_PORT=" + std::to_string(distribution_port_),
      "ERL_EPMD_PORT=" + std::to_string(name_server_port_),
      "ERL_EPMD_ADDRESS=127.0.0.1",
      "RABBITMQ_ENABLED_PLUGINS_FILE=" + folder + "/plugins",
      "RABBITMQ_CONF_ENV_FILE=" + folder + "/environment",
      "RABBITMQ_CONFIG_FILE=" + folder + "/rabbitmq.conf",
      "RABBITMQ_ADVANCED_CONFIG_FILE=" + folder + "/advanced.config",
      "RABBITMQ_GENERATED_CONFIG_DIR=" + folder + "/generated",
      "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none +A 4 "
      "-kernel inet_dist_use_interface {127,0,0,1}",
      "NOTIFY_SOCKET=" + folder + "/notify",
  };
  const pid_t parent = ::getpid();
  broker_ = ::fork();
  if (broker_ == 0) Become({kServer}, environment, folder + "/broker.log", parent);
  AwaitReady(notifications.get());
}

void Broker::AwaitReady(int notifications) {
  const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, broker_, 0)));
  const auto until = std::chrono::steady_clock::now() + kLongestStart;
  std::string heard;
  while (heard.find("READY=1") == std::string::npos) {
    const auto left = std::chrono::duration_cast<Milliseconds>(until - std::chrono::steady_clock::now());
    pollfd fds[] = {{notifications, POLLIN, 0}, {process.get(), POLLIN, 0}};
    const int ready = left.count() > 0 ? ::poll(fds, 2, static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 || fds[1].revents != 0) {
      throw std::runtime_error("the broker does not start: " +
                               sys::TryReadFile(folder_.path() + "/broker.log").value_or("it says nothing"));
    }
    char buffer[4096];
    const ssize_t n = ::recv(notifications, buffer, sizeof buffer, 0);
    if (n > 0) heard.assign(buffer, static_cast<std::size_t>(n));
  }
}

void Broker::Kill() { End(&broker_); }

AmqpAddress Broker::address() const {
  AmqpAddress address;
  address.port = port_;
  address.name = "test";
  return address;
}

std::optional<AmqpAddress> Broker::tls_address() const {
  if (!has_tls_) return std::nullopt;
  AmqpAddress over_tls = address();
  over_tls.host = "localhost";
  over_tls.port = tls_port_;
  over_tls.tls = AmqpTls{.ca_file = folder_.path() + "/certificate.pem"};
  return over_tls;
}

std::optional<std::uint32_t> Broker::MessagesIn(const std::string& queue) const {
  AmqpConnection connection(address());
  try {
    return connection.Declare({.name = queue, .passive = true}).messages;
  } catch (const UserError& error) {
    if (std::string_view(error.what()).find("NOT_FOUND") == std::string_view::npos) throw;
    return std::nullopt;
  }
}

void Broker::DeleteQueue(const std::string& queue) const { AmqpConnection(address()).Delete(queue); }

}  // namespace tally
