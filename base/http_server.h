// A small HTTP/1.1 server for one poll loop: pages for Prometheus, health, the sink of metrics. It never waits for a client,
// holds few of them, and closes those that say nothing for a while. SIGPIPE is not raised.
#pragma once

#include <poll.h>

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/units.h"
#include "base/http_request.h"

namespace tally {

struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
};

class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  // UserError when nobody can listen there.
  HttpServer(const std::string& address, const HttpLimits& limits, Handler handler);

  // Where it listens, with the port it really has.
  [[nodiscard]] std::string address() const;
  // Appends what to poll for.
  void AddTo(std::vector<pollfd>* fds) const;
  // Does what can be done now without waiting.
  void Move(Nanoseconds now);
  // When the quietest client is to be closed.
  [[nodiscard]] std::optional<Nanoseconds> next() const;

 private:
  struct Client {
    Fd fd;
    std::string in, out;
    Nanoseconds heard{};
    bool continued = false;  // was told to send its body
    bool closing = false;    // after `out`
  };

  void Accept(Nanoseconds now);
  // False: the client is gone.
  bool Read(Client* client, Nanoseconds now);
  bool Write(Client* client, Nanoseconds now);
  void Answer(Client* client);

  Fd listener_;
  HttpLimits limits_;
  Handler handler_;
  std::list<Client> clients_;
};

}  // namespace tally
