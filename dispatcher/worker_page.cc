// A worker's pages, for those who ask how it is: /health, /ready and /metrics.
#include "dispatcher/worker.h"

#include "base/prometheus_text.h"

namespace tally {

void Worker::StartPage() {
  if (config_.http.empty()) return;
  page_.emplace(config_.http, HttpLimits{.body = 0}, [this](const HttpRequest& request) { return Page(request); });
}

HttpResponse Worker::Page(const HttpRequest& request) const {
  const std::string type = "text/plain; charset=utf-8";
  if (request.method != "GET") return {405, type, "only GET\n"};
  if (request.target == "/health") return {200, type, "alive\n"};
  if (request.target == "/metrics") {
    return {200, kPrometheusContentType,
            metrics_.Text({broker_ == Broker::kUp, requests_.size(), pool_->alive(), pool_->busy()})};
  }
  if (request.target != "/ready") return {404, type, "/health, /ready and /metrics are here\n"};
  if (draining_) return {503, type, "ending: takes no more requests\n"};
  if (broker_ != Broker::kUp) return {503, type, "not connected to the broker\n"};
  if (!has_room_) return {503, type, "the disk of the work folder is full (least_free)\n"};
  if (pool_->alive() == 0) return {503, type, "no instance is ready\n"};
  return {200, type, "ready\n"};
}

}  // namespace tally
