#include "profile/metrics/sink.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "base/units.h"
#include "base/http_server.h"
#include "profile/metrics/log.h"

namespace tally {
namespace {

constexpr const char* kPlain = "text/plain; charset=utf-8";
constexpr const char* kPath = "/v1/deliveries";

// Bytes as people read them, all else with a few digits.
std::string Figure(double value, const std::string& unit) {
  if (unit.starts_with("bytes") && value >= 0) return FormatBytes({static_cast<std::uint64_t>(value)});
  if (unit == "s") return FormatDuration(Nanoseconds(static_cast<std::int64_t>(value * 1e9)));
  return fmt::format("{:.1f}", value);
}

void AddTable(const char* title, const std::vector<SeriesSummary>& series, std::string* out) {
  if (series.empty()) return;
  *out += fmt::format("\n{:<26} {:>8} {:>12} {:>12} {:>12} {:>12}  unit\n", title, "count", "least", "mean", "most",
                      "last");
  for (const SeriesSummary& one : series) {
    const std::string unit = one.unit == "bytes" || one.unit == "s" ? "" : one.unit == "bytes/s" ? "/s" : one.unit;
    *out += fmt::format("{:<26} {:>8} {:>12} {:>12} {:>12} {:>12}{}\n",
                        one.name + (one.instance.empty() ? "" : " " + one.instance), FormatCount(one.count),
                        Figure(one.least, one.unit), Figure(one.mean, one.unit), Figure(one.most, one.unit),
                        Figure(one.last, one.unit), unit.empty() ? "" : "  " + unit);
  }
}

class Sink {
 public:
  explicit Sink(const SinkOptions& options)
      : options_(options),
        log_("tally metrics-sink"),
        store_(options.database, SinkStore::Access::kWrite),
        server_(options.listen, HttpLimits{}, [this](const HttpRequest& request) { return Answer(request); }) {}

  int Run() {
    const Fd signals = BlockedSignals();
    fmt::print("tally metrics-sink: listening on http://{}{}, stores into {}\n", server_.address(), kPath,
               options_.database);
    std::fflush(stdout);
    for (;;) {
      std::vector<pollfd> fds{{signals.get(), POLLIN, 0}};
      server_.AddTo(&fds);
      const Nanoseconds now = sys::MonotonicNow();
      const auto next = server_.next();
      const int timeout =
          next ? static_cast<int>(std::chrono::ceil<Milliseconds>(std::max(*next - now, Nanoseconds(0))).count()) : -1;
      if (::poll(fds.data(), fds.size(), timeout) < 0 && errno != EINTR) throw SystemError("poll", errno);
      if (fds[0].revents != 0) return kExitJobRan;
      server_.Move(sys::MonotonicNow());
    }
  }

 private:
  static Fd BlockedSignals() {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, signal);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    Fd fd(::signalfd(-1, &set, SFD_CLOEXEC));
    if (!fd.valid()) throw SystemError("signalfd", errno);
    return fd;
  }

  HttpResponse Answer(const HttpRequest& request) {
    try {
      if (request.target == "/") {
        if (request.method != "GET") return {405, kPlain, fmt::format("only GET; deliveries go to {}\n", kPath)};
        return {200, kPlain, SummaryText(store_.Summary(), options_.database)};
      }
      if (request.target == kPath) return Store(request);
      return {404, kPlain, fmt::format("GET / shows a table, POST {} takes a delivery\n", kPath)};
    } catch (const UserError& error) {
      return {400, kPlain, fmt::format("{}\n", error.what())};
    } catch (const std::exception& error) {
      log_.Say(error.what());
      return {500, kPlain, "the database cannot be used; the sink's log says why\n"};
    }
  }

  HttpResponse Store(const HttpRequest& request) {
    if (request.method != "POST") return {405, kPlain, "only POST\n"};
    // A page in a browser can send anything but this without asking first.
    if (request.content_type != "application/json")
      return {415, kPlain, "Content-Type: application/json is expected\n"};
    return {200, kPlain, store_.Add(request.body) ? "stored\n" : "is here already\n"};
  }

  SinkOptions options_;
  Log log_;
  SinkStore store_;
  HttpServer server_;
};

}  // namespace

std::string SummaryText(const StoreSummary& summary, const std::string& database) {
  std::string out = fmt::format("{}: deliveries received: {}, from agents: {}\n", database,
                                FormatCount(summary.deliveries), FormatCount(summary.agents));
  AddTable("measurement", summary.series, &out);
  AddTable("timing", summary.timings, &out);
  return out;
}

int RunSink(const SinkOptions& options) { return Sink(options).Run(); }

}  // namespace tally
