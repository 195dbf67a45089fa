// tally-serve: a resident judge over HTTP, on loopback or a Unix socket (docs/serve.md). Exit status: 0 it was asked to end; 1 your mistake;
// 2 our or the host's failure.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

#include "base/command_line.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/listen_address.h"
#include "base/processors.h"
#include "base/standard_streams.h"
#include "base/sys.h"
#include "serve/server.h"
#include "serve/worker.h"

namespace tally::serve {
namespace {

struct Arguments {
  std::string listen = "127.0.0.1:5050", token_file, src_prefix, store_folder, made_folder;
  std::string longest_body = "256M", largest_store = "1G", work_size = "256M";
  unsigned workers = 0, queue = 512;
  bool plain_paths = false, weak_isolation = false;
  int worker = -1, server = 0;  // of a worker
};

// systemd has the socket open (sd_listen_fds(3)).
Fd FromSystemd() {
  constexpr int kFirst = 3;
  const char* const pid = std::getenv("LISTEN_PID");
  const char* const count = std::getenv("LISTEN_FDS");
  if (pid == nullptr || count == nullptr || std::atoi(pid) != ::getpid() || std::atoi(count) < 1) return Fd();
  ::unsetenv("LISTEN_PID");
  ::unsetenv("LISTEN_FDS");
  return Fd(kFirst);
}

Fd ListenOnPath(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw UserError(fmt::format("--listen: {}: a socket's path has less than {} bytes", path, sizeof address.sun_path));
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  // One that nobody listens on any more is in the way.
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) throw UserError(fmt::format("--listen: {}: somebody listens there already", path));
  if (std::filesystem::is_socket(path)) ::unlink(path.c_str());
  socket = Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(socket.get(), SOMAXCONN) != 0) {
    throw UserError(fmt::format("--listen: {}: {}", path, ErrnoText(errno)));
  }
  return socket;
}

std::string TokenIn(const std::string& path) {
  if (path.empty()) return "";
  std::string text = sys::ReadFile(path);
  text.erase(std::min(text.find('\n'), text.size()));
  if (text.empty()) throw UserError(fmt::format("--token-file: {}: its first line is empty", path));
  return text;
}

int Run(const Arguments& a) {
  const std::string prefix = a.src_prefix.empty() ? "" : std::filesystem::canonical(a.src_prefix).string();
  if (a.worker >= 0) {
    BeWorker(a.worker, a.server, {.runner = {a.store_folder, a.made_folder, prefix, ParseBytes(a.work_size)}, .plain_paths = a.plain_paths, .weak_isolation = a.weak_isolation});
    return kExitJobRan;
  }
  ServerSettings settings;
  const bool is_path = a.listen.starts_with('/');
  settings.listener = FromSystemd();
  settings.address = settings.listener.valid() ? "the socket that it was given" : a.listen;
  if (!settings.listener.valid()) {
    settings.listener = is_path ? ListenOnPath(a.listen) : ListenOn(a.listen);
    if (!is_path) settings.address = AddressOf(settings.listener);
  }
  settings.workers = a.workers != 0 ? a.workers : std::max<std::size_t>(1, OwnProcessors().size());
  settings.most_waiting = a.queue;
  settings.longest_body = ParseBytes(a.longest_body);
  settings.largest_store = ParseBytes(a.largest_store);
  settings.work_size = ParseBytes(a.work_size);
  settings.token = TokenIn(a.token_file);
  settings.src_prefix = prefix;
  settings.plain_paths = a.plain_paths;
  settings.weak_isolation = a.weak_isolation;
  Server(std::move(settings)).Run();
  if (is_path) ::unlink(a.listen.c_str());
  return kExitJobRan;
}

constexpr const char* kFooter =
    "The interface is go-judge's (docs/serve.md). Example:\n"
    "  tally serve --listen 127.0.0.1:5050 &\n"
    "  curl -d '{\"cmd\": [{\"args\": [\"/bin/echo\", \"hi\"], \"files\": [null, {\"name\": \"stdout\", \"max\": 1024}]}]}' 127.0.0.1:5050/run";

int ParseAndRun(int argc, char** argv) {
  CommandLine line("A resident judge over HTTP.", "tally-serve", argc, argv);
  auto a = std::make_shared<Arguments>();
  line.Footer(kFooter);
  line.Option("--listen", a->listen, "HOST:PORT, or the path of a Unix socket (default 127.0.0.1:5050); systemd's socket goes before");
  line.Option("--workers", a->workers, "Runs at one time (default: processors)").Within(1u, 1024u);
  line.Option("--queue", a->queue, "Requests that may wait (default 512)");
  line.Option("--token-file", a->token_file, "Its first line is what callers must have: Authorization: Bearer");
  line.Option("--longest-body", a->longest_body, "Of a request (default 256M)");
  line.Option("--largest-store", a->largest_store, "Of all stored files (default 1G)");
  line.Option("--work-size", a->work_size, "Of /w, the folder of a command, which is in memory (default 256M)");
  line.Option("--src-prefix", a->src_prefix, "A folder of this machine that src may name files of");
  line.Flag("--plain-paths", a->plain_paths, "Jobs may name files of this machine");
  line.Flag("--weak-isolation", a->weak_isolation, "Jobs may ask for less than full isolation");
  // Of a worker, which the server starts.
  line.Option("--worker", a->worker, "Of a worker").Hidden();
  line.Option("--server", a->server, "Of a worker").Hidden();
  line.Option("--store-folder", a->store_folder, "Of a worker").Hidden();
  line.Option("--made-folder", a->made_folder, "Of a worker").Hidden();
  line.Does([a] { return Run(*a); });
  return line.Run("tally serve");
}

}  // namespace
}  // namespace tally::serve

int main(int argc, char** argv) {
  tally::KeepStandardStreamsOpen();
  tally::sys::ReapOwnChildren();
  try {
    return tally::serve::ParseAndRun(argc, argv);
  } catch (const tally::UserError& error) {
    tally::Complain(fmt::format("tally: {}", error.what()));
    return tally::kExitUserError;
  } catch (const tally::Interrupted&) {
    return tally::kExitJobRan;
  } catch (const std::exception& error) {
    tally::Complain(fmt::format("tally: failure: {}", error.what()));
    return tally::kExitSystemError;
  }
}
