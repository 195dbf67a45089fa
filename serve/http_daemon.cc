#include "serve/http_daemon.h"

#include <microhttpd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace tally::serve {
namespace {

constexpr unsigned kIdleSeconds = 30;  // of one that says nothing; not of one that waits for an answer

}  // namespace

struct HttpDaemon::Call {
  std::uint64_t number = 0;
  HttpCall call;
  MHD_Connection* connection = nullptr;
  int socket = -1;
  bool is_refused = false, is_too_large = false, is_suspended = false, was_handled = false;
  std::optional<HttpReply> reply;
};

// What the library calls.
struct HttpDaemonCallbacks {
  static MHD_Result Access(void* self, MHD_Connection* connection, const char* url, const char* method, const char* version, const char* data, std::size_t* size, void** state) {
    auto& daemon = *static_cast<HttpDaemon*>(self);
    auto* call = static_cast<HttpDaemon::Call*>(*state);
    if (call == nullptr) {
      call = new HttpDaemon::Call;  // freed in Completed
      *state = call;
      call->number = ++daemon.calls_so_far_;
      call->connection = connection;
      ++daemon.in_hand_;
      call->call.method = method;
      call->call.version = version;
      call->call.path = url;
      const auto header = [connection](const char* name) {
        const char* const value = ::MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
        return std::string(value != nullptr ? value : "");
      };
      call->call.authorization = header("Authorization");
      call->call.content_type = header("Content-Type");
      call->call.upgrade = header("Upgrade");
      if (!call->call.upgrade.empty()) {
        call->call.connection = header("Connection");
        call->call.host = header("Host");
        call->call.origin = header("Origin");
        call->call.web_socket_key = header("Sec-WebSocket-Key");
        call->call.web_socket_version = header("Sec-WebSocket-Version");
      }
      // What is refused anyhow is not read at all.
      if (const std::optional<HttpReply> refusal = daemon.admit_(call->call)) {
        call->is_refused = true;
        return Answer(connection, *refusal);
      }
      const std::string length = header("Content-Length");
      if (!length.empty() && std::strtoull(length.c_str(), nullptr, 10) > daemon.longest_body_.count) call->is_too_large = true;
      return call->is_too_large ? Answer(connection, TooLarge()) : MHD_YES;
    }
    if (call->is_refused) {
      *size = 0;
      return MHD_YES;
    }
    if (*size > 0) {
      if (call->call.body.size() + *size > daemon.longest_body_.count) {
        call->is_too_large = true;
        call->call.body.clear();
        call->call.body.shrink_to_fit();
      } else if (!call->is_too_large) {
        call->call.body.append(data, *size);
      }
      *size = 0;
      return MHD_YES;
    }
    if (call->is_too_large) return Answer(connection, TooLarge());
    return daemon.OnCall(connection, call) != 0 ? MHD_YES : MHD_NO;
  }

  static void Completed(void* self, MHD_Connection* /*connection*/, void** state, MHD_RequestTerminationCode /*why*/) {
    auto& daemon = *static_cast<HttpDaemon*>(self);
    const std::unique_ptr<HttpDaemon::Call> call(static_cast<HttpDaemon::Call*>(std::exchange(*state, nullptr)));
    if (call != nullptr) --daemon.in_hand_;
    if (call == nullptr || daemon.waiting_.erase(call->number) == 0) return;
    daemon.on_gone_(call->number);
  }

  static void Upgraded(void* /*none*/, MHD_Connection* /*connection*/, void* state, const char* received, std::size_t size, int socket, MHD_UpgradeResponseHandle* handle) {
    const auto* const call = static_cast<const HttpDaemon::Call*>(state);
    call->reply->take(HttpUpgrade(handle, socket, std::string(received, size)));
  }

  static HttpReply TooLarge() { return {MHD_HTTP_CONTENT_TOO_LARGE, "{\"error\": \"the body is larger than this server reads (--longest-body)\"}\n"}; }

  static MHD_Result Answer(MHD_Connection* connection, const HttpReply& reply) {
    MHD_Response* const response = reply.take ? ::MHD_create_response_for_upgrade(&Upgraded, nullptr)
                                              : ::MHD_create_response_from_buffer(reply.body.size(), const_cast<char*>(reply.body.data()), MHD_RESPMEM_MUST_COPY);
    if (response == nullptr) return MHD_NO;
    if (!reply.take) ::MHD_add_response_header(response, "Content-Type", reply.type.c_str());
    for (const auto& [name, value] : reply.headers) ::MHD_add_response_header(response, name.c_str(), value.c_str());
    const MHD_Result result = ::MHD_queue_response(connection, reply.status, response);
    ::MHD_destroy_response(response);
    return result;
  }
};

HttpUpgrade::~HttpUpgrade() {
  if (handle_ != nullptr) ::MHD_upgrade_action(handle_, MHD_UPGRADE_ACTION_CLOSE);
}

HttpDaemon::HttpDaemon(Fd listener, const HttpSettings& settings, Handler handler, OnGone on_gone)
    : longest_body_(settings.longest_body), admit_(settings.admit), handler_(std::move(handler)), on_gone_(std::move(on_gone)), listener_(std::move(listener)) {
  daemon_ = ::MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE, 0, nullptr, nullptr, &HttpDaemonCallbacks::Access, this,
                               MHD_OPTION_LISTEN_SOCKET, listener_.get(), MHD_OPTION_NOTIFY_COMPLETED, &HttpDaemonCallbacks::Completed, this,
                               MHD_OPTION_CONNECTION_LIMIT, settings.most_connections, MHD_OPTION_CONNECTION_TIMEOUT, kIdleSeconds, MHD_OPTION_END);
  if (daemon_ == nullptr) throw SystemError("MHD_start_daemon", errno);
}

// The library does not stop while connections are put aside.
HttpDaemon::~HttpDaemon() {
  while (!waiting_.empty()) Reply(waiting_.begin()->first, {503, "{\"error\": \"the server ends\"}\n"});
  ::MHD_run(daemon_);
  ::MHD_stop_daemon(daemon_);
}

// For the first time, or with an answer in hand.
int HttpDaemon::OnCall(MHD_Connection* connection, Call* call) {
  if (!call->was_handled) {
    call->was_handled = true;
    // It is among those that wait while it is handled, so that an answer may come from in there.
    waiting_[call->number] = call;
    std::optional<HttpReply> reply = handler_(call->number, call->call);
    std::string().swap(call->call.body);  // it may be long, and the call stay
    if (reply) {
      waiting_.erase(call->number);
      call->reply = std::move(reply);
    }
  }
  if (call->reply) return HttpDaemonCallbacks::Answer(connection, *call->reply) == MHD_YES ? 1 : 0;
  const MHD_ConnectionInfo* const info = ::MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  call->socket = info != nullptr ? info->connect_fd : -1;
  call->is_suspended = true;
  ::MHD_suspend_connection(connection);
  return 1;
}

void HttpDaemon::Reply(std::uint64_t number, HttpReply reply) {
  const auto found = waiting_.find(number);
  if (found == waiting_.end()) return;
  Call* const call = found->second;
  waiting_.erase(found);
  call->reply = std::move(reply);
  if (std::exchange(call->is_suspended, false)) ::MHD_resume_connection(call->connection);
}

void HttpDaemon::StopListening() { ::MHD_quiesce_daemon(daemon_); }

void HttpDaemon::AddTo(std::vector<pollfd>* fds) const {
  const MHD_DaemonInfo* const info = ::MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_EPOLL_FD);
  fds->push_back({info->epoll_fd, POLLIN, 0});
  for (const auto& [number, call] : waiting_) {
    if (call->is_suspended) fds->push_back({call->socket, POLLRDHUP, 0});
  }
}

std::optional<Nanoseconds> HttpDaemon::next() const {
  MHD_UNSIGNED_LONG_LONG milliseconds = 0;
  if (::MHD_get_timeout(daemon_, &milliseconds) != MHD_YES) return std::nullopt;
  return Milliseconds(static_cast<std::int64_t>(milliseconds));
}

void HttpDaemon::Move(const std::vector<pollfd>& fds) {
  std::vector<std::uint64_t> gone;
  for (const auto& [number, call] : waiting_) {
    const bool is_gone = call->is_suspended && std::any_of(fds.begin(), fds.end(), [socket = call->socket](const pollfd& fd) { return fd.fd == socket && fd.revents != 0; });
    if (is_gone) gone.push_back(number);
  }
  for (const std::uint64_t number : gone) {
    on_gone_(number);
    Reply(number, {503, "{}\n"});  // to nobody; the library finds the end of the connection itself
  }
  ::MHD_run(daemon_);
}

}  // namespace tally::serve
