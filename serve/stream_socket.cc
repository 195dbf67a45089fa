#include "serve/stream_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/sys.h"

namespace tally::serve {
namespace {

using nlohmann::json;

enum Kind : char { kRequest = 1, kResize = 2, kInput = 3, kCancel = 4 };
enum Said : char { kLast = 1, kOutput = 2 };

// What waits for a caller that does not read, or for a command; then the other side waits.
constexpr std::size_t kMostUnsent = std::size_t{1} << 20, kMostUnwritten = std::size_t{4} << 20;
constexpr std::size_t kChunk = std::size_t{32} << 10;

std::uint8_t NameOf(const PipeEnd& end) { return static_cast<std::uint8_t>(end.cmd << 4 | end.fd); }

Fd NotBlocking(Fd end) {
  ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
  return end;
}

}  // namespace

StreamSocket::StreamSocket(HttpUpgrade connection, Bytes longest_message, RunQueue* queue)
    : queue_(queue), socket_(std::move(connection), longest_message, [this](std::string_view message) { OnMessage(message); }) {}

StreamSocket::~StreamSocket() {
  if (number_) queue_->Cancel(*number_);
}

// ---- the loop

void StreamSocket::AddTo(std::vector<pollfd>* fds) {
  place_ = fds->size();
  fds->push_back(socket_.Wanted());
  for (Stream& stream : streams_) {
    const bool is_wanted = stream.end.valid() && (stream.is_input ? stream.unwritten() > 0 : socket_.unsent() <= kMostUnsent);
    stream.place = is_wanted ? fds->size() : 0;
    if (is_wanted) fds->push_back({stream.end.get(), static_cast<short>(stream.is_input ? POLLOUT : POLLIN), 0});
  }
}

bool StreamSocket::Move(const std::vector<pollfd>& fds, Nanoseconds now) {
  for (Stream& stream : streams_) {
    if (const std::size_t place = std::exchange(stream.place, 0); place == 0 || fds[place].revents == 0) continue;
    if (stream.is_input) {
      Write(&stream);
    } else {
      Read(&stream);
    }
  }
  FinishIfOver();
  const bool goes_on = socket_.Move(fds[place_].revents, now);
  socket_.set_paused(std::any_of(streams_.begin(), streams_.end(), [](const Stream& stream) { return stream.end.valid() && stream.unwritten() > kMostUnwritten; }));
  return goes_on;
}

void StreamSocket::End() {
  if (commands_ == 0) socket_.Close(kCloseGoingAway, "the server ends");  // others come to their end
}

void StreamSocket::Write(Stream* stream) {
  const ssize_t n = ::write(stream->end.get(), stream->received.data() + stream->written, stream->unwritten());
  if (n > 0) stream->written += static_cast<std::size_t>(n);
  if (stream->written > stream->received.size() / 2) stream->received.erase(0, std::exchange(stream->written, 0));
  // Nobody reads it any more; what is still said to it is lost, as with any pipe.
  if (n < 0 && errno != EAGAIN && errno != EINTR) stream->end.Reset();
}

void StreamSocket::Read(Stream* stream) {
  std::string message{kOutput, static_cast<char>(stream->name)};
  constexpr std::size_t kHead = 2;
  message.resize(kHead + kChunk);
  const ssize_t n = ::read(stream->end.get(), message.data() + kHead, kChunk);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) return stream->end.Reset();
  socket_.SendBinary(std::string_view(message).substr(0, kHead + static_cast<std::size_t>(n)));
}

// ---- messages

void StreamSocket::OnMessage(std::string_view message) {
  if (message.empty()) return Refuse("a message without a byte for its kind");
  const char kind = message.front();
  message.remove_prefix(1);
  if (commands_ == 0 && kind != kRequest) return Refuse("expected the request first");
  try {
    switch (kind) {
      case kRequest:
        if (commands_ != 0) return Refuse("expected one request");
        return Start(message);
      case kResize: return Refuse("there is no terminal");
      case kInput: {
        if (message.empty()) return Refuse("an input without a byte for its stream");
        const auto name = static_cast<std::uint8_t>(message.front());
        const auto found = std::find_if(streams_.begin(), streams_.end(), [name](const Stream& stream) { return stream.is_input && stream.name == name; });
        if (found == streams_.end()) return Refuse(fmt::format("command {} has no streamIn at descriptor {}", name >> 4, name & 15));
        if (!found->end.valid()) return;
        found->received += message.substr(1);
        return Write(&*found);
      }
      case kCancel:
        if (number_ && !results_) {
          queue_->Cancel(*std::exchange(number_, std::nullopt));
          results_ = ListOf(CancelledAnswers(commands_));
        }
        return;
      default: return Refuse(fmt::format("a message of kind {}", static_cast<int>(static_cast<std::uint8_t>(kind))));
    }
  } catch (const std::exception& error) {
    Refuse(error.what());
  }
}

void StreamSocket::Start(std::string_view text) {
  json body = ParseText(text, "the request");
  Request request = ParseRequest(body, Streams::kAllowed);
  QueuedRun run;
  std::vector<Stream> streams;
  for (const LiveStream& wanted : request.streams) {
    sys::Pipe pipe = sys::MakePipe();
    streams.push_back({NameOf(wanted.end), wanted.is_input, NotBlocking(std::move(wanted.is_input ? pipe.write_end : pipe.read_end)), {}, 0, 0});
    run.streams.push_back({wanted.end, std::move(wanted.is_input ? pipe.read_end : pipe.write_end)});
  }
  run.cmds = std::move(body["cmd"]);
  run.pipes = std::move(request.pipes);
  run.done = [this](std::vector<RunAnswer> answers) {
    number_.reset();
    results_ = ListOf(std::move(answers));
  };
  number_ = queue_->Submit(std::move(run));
  commands_ = request.cmds.size();
  streams_ = std::move(streams);
}

void StreamSocket::Refuse(const std::string& sentence) {
  SendLast(fmt::format("{{\"error\": {}}}", json(sentence).dump(-1, ' ', false, json::error_handler_t::replace)));
}

// The results come behind all that the commands wrote.
void StreamSocket::FinishIfOver() {
  const bool is_read = std::none_of(streams_.begin(), streams_.end(), [](const Stream& stream) { return !stream.is_input && stream.end.valid(); });
  if (results_ && is_read) SendLast(fmt::format("{{\"results\": {}}}", *std::exchange(results_, std::nullopt)));
}

void StreamSocket::SendLast(const std::string& text) {
  socket_.SendBinary(std::string(1, kLast) + text);
  socket_.Close(kCloseNormal, "");
  if (number_) queue_->Cancel(*std::exchange(number_, std::nullopt));
  streams_.clear();
}

}  // namespace tally::serve
