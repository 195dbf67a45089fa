#include "serve/run_socket.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"

namespace tally::serve {
namespace {

using nlohmann::json;

// Who asks for more than it reads is not heard until it reads.
constexpr std::size_t kMostUnsent = std::size_t{16} << 20;
// What it had asked for before that is answered all the same, up to here; then it is no client.
constexpr std::size_t kMostKept = std::size_t{512} << 20;

std::string Quoted(const std::string& text) { return json(text).dump(-1, ' ', false, json::error_handler_t::replace); }

// As Go's decoder takes it: "" where there is none.
std::string TextOf(const json& request, const char* key) {
  const auto found = request.find(key);
  if (found == request.end() || found->is_null()) return "";
  if (!found->is_string()) throw UserError(fmt::format("{}: expected a text", key));
  return found->get<std::string>();
}

}  // namespace

RunSocket::RunSocket(HttpUpgrade connection, Bytes longest_message, RunQueue* queue)
    : queue_(queue), socket_(std::move(connection), longest_message, [this](std::string_view message) { OnMessage(message); }) {}

RunSocket::~RunSocket() {
  for (const auto& [id, open] : open_) queue_->Cancel(open.number);
}

void RunSocket::AddTo(std::vector<pollfd>* fds) {
  place_ = fds->size();
  fds->push_back(socket_.Wanted());
}

bool RunSocket::Move(const std::vector<pollfd>& fds, Nanoseconds now) {
  const bool goes_on = socket_.Move(fds[place_].revents, now);
  socket_.set_paused(socket_.unsent() > kMostUnsent);
  return goes_on && socket_.unsent() <= kMostKept;
}

void RunSocket::End() {
  if (open_.empty()) socket_.Close(kCloseGoingAway, "the server ends");
}

void RunSocket::OnMessage(std::string_view message) {
  std::string id;
  try {
    json request = ParseText(message, "the message");
    if (!request.is_object()) throw UserError("expected a JSON object with requestId and cmd");
    if (const std::string cancelled = TextOf(request, "cancelRequestId"); !cancelled.empty()) return Cancel(cancelled);
    id = TextOf(request, "requestId");
    Submit(id, std::move(request));
  } catch (const std::exception& error) {
    Answer(id, "error", Quoted(error.what()));
  }
}

void RunSocket::Submit(const std::string& id, json body) {
  if (id.empty()) throw UserError("requestId: expected a text, for the answer");
  if (open_.contains(id)) throw UserError(fmt::format("requestId: \"{}\" is in hand already", id));
  Request request = ParseRequest(body);
  QueuedRun run;
  run.cmds = std::move(body["cmd"]);
  run.pipes = std::move(request.pipes);
  run.done = [this, id](std::vector<RunAnswer> answers) {
    open_.erase(id);
    Answer(id, "results", ListOf(std::move(answers)));
  };
  const std::size_t commands = request.cmds.size();
  open_[id] = {queue_->Submit(std::move(run)), commands};
}

void RunSocket::Cancel(const std::string& id) {
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  const Open open = found->second;
  open_.erase(found);
  if (queue_->Cancel(open.number) == RunQueue::Cancelled::kWhileItRan) {
    Answer(id, "results", ListOf(CancelledAnswers(open.commands)));
  } else {
    Answer(id, "error", Quoted("cancelled before it ran"));
  }
}

// `text` is JSON already.
void RunSocket::Answer(const std::string& id, const char* key, const std::string& text) {
  socket_.SendText(fmt::format("{{\"requestId\": {}, \"{}\": {}}}", Quoted(id), key, text));
}

}  // namespace tally::serve
