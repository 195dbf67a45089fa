#include "jobs/relay.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/sys.h"
#include "jobs/transcript.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr const char *kKept = "kept", *kInPieces = "in pieces";  // the answers where all is well
constexpr std::size_t kPiece = 4096;  // a page
constexpr Milliseconds kSilence{200};  // after which a line that has no end is passed on

// One way between two programs.
struct Way {
  Fd from, to;
  bool by_solution;
  std::size_t process;
  bool in_lines = false;
  std::string waiting = {};  // read, and not taken yet
  Nanoseconds heard{0};      // when that was last added to

  // How much of what waits may be passed on.
  [[nodiscard]] std::size_t Passable(Nanoseconds now) const {
    if (!in_lines) return waiting.size();
    const std::size_t line = waiting.find('\n');
    if (line != std::string::npos) return std::min(line + 1, kPiece);
    const bool is_all = !from.valid() || now - heard >= kSilence;
    return waiting.size() >= kPiece || is_all ? std::min(waiting.size(), kPiece) : 0;
  }
};

// Who reads is gone: then who writes is to hear of it.
void GiveUp(Way* way) {
  way->from.Reset();
  way->to.Reset();
  way->waiting.clear();
}

class Passing {
 public:
  Passing(std::vector<Way>* ways, Transcript* transcript) : ways_(*ways), transcript_(*transcript) {}

  // Until all have ended.
  void Run() {
    for (;;) {
      std::vector<pollfd> fds;
      const Nanoseconds now = sys::MonotonicNow();
      int longest = -1;
      for (const Way& way : ways_) {
        const bool has_piece = way.Passable(now) != 0;
        // Without events of its own a descriptor tells of its other side's end alone (poll(2)).
        fds.push_back({has_piece ? -1 : way.from.get(), POLLIN, 0});
        fds.push_back({way.to.get(), static_cast<short>(has_piece ? POLLOUT : 0), 0});
        if (!has_piece && !way.waiting.empty()) longest = static_cast<int>(kSilence.count());
      }
      if (std::all_of(ways_.begin(), ways_.end(), [](const Way& way) { return !way.to.valid(); })) return;
      if (::poll(fds.data(), fds.size(), longest) < 0 && errno != EINTR) throw SystemError("poll", errno);
      for (std::size_t i = 0; i < ways_.size(); ++i) {
        Way& way = ways_[i];
        if ((fds[2 * i + 1].revents & POLLERR) != 0) GiveUp(&way);
        else if ((fds[2 * i + 1].revents & POLLOUT) != 0) WriteSome(&way);
        else if (way.from.valid() && (fds[2 * i].revents & (POLLIN | POLLHUP)) != 0) ReadSome(&way);
      }
    }
  }

  [[nodiscard]] bool in_pieces() const { return in_pieces_; }

 private:
  void ReadSome(Way* way) {
    std::array<char, 65536> buffer;
    const ssize_t n = ::read(way->from.get(), buffer.data(), buffer.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0) {
      transcript_.AddEnd(way->by_solution, way->process);
      way->from.Reset();
      if (way->waiting.empty()) GiveUp(way);
      return;
    }
    const std::string_view said(buffer.data(), static_cast<std::size_t>(n));
    way->waiting += said;
    way->heard = sys::MonotonicNow();
    transcript_.Add(way->by_solution, way->process, said);
  }

  void WriteSome(Way* way) {
    const std::size_t size = way->Passable(sys::MonotonicNow());
    const bool is_cut = way->in_lines && way->from.valid() && size < kPiece && way->waiting[size - 1] != '\n';
    const ssize_t n = ::write(way->to.get(), way->waiting.data(), size);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n < 0) return GiveUp(way);
    in_pieces_ = in_pieces_ || is_cut;
    way->waiting.erase(0, static_cast<std::size_t>(n));
    if (way->waiting.empty() && !way->from.valid()) GiveUp(way);
  }

  std::vector<Way>& ways_;
  Transcript& transcript_;
  bool in_pieces_ = false;
};

std::string Listen(const std::string& text, std::vector<Fd>& ends) {
  try {
    ::signal(SIGPIPE, SIG_IGN);  // the process is ours alone
    const json request = json::parse(text);
    Transcript transcript(request.at("title"), ends.size() > 4);
    const bool in_lines = request.at("in_lines");
    std::vector<Way> ways;
    for (std::size_t i = 0; i < ends.size(); i += 4) {
      for (std::size_t end = i; end < i + 4; ++end) ::fcntl(ends[end].get(), F_SETFL, O_NONBLOCK);  // of these ends alone
      if (in_lines && ::fcntl(ends[i + 1].get(), F_SETPIPE_SZ, static_cast<int>(kPiece)) < 0) throw SystemError("make a pipe of one page", errno);
      ways.push_back({std::move(ends[i]), std::move(ends[i + 3]), true, i / 4});
      ways.push_back({std::move(ends[i + 2]), std::move(ends[i + 1]), false, i / 4, in_lines});
    }
    Passing passing(&ways, &transcript);
    passing.Run();
    if (const std::string path = request.at("path"); !path.empty()) {
      std::filesystem::create_directories(std::filesystem::path(path).parent_path());
      WriteFileAtomically(path, transcript.Text(), "--transcript");
    }
    return passing.in_pieces() ? kInPieces : kKept;
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

}  // namespace

Relay::Relay(bool in_lines) : in_lines_(in_lines), companion_("the transcript", Listen) {}

void Relay::Start(const std::string& path, const std::string& title, std::vector<Line> lines) const {
  std::vector<int> descriptors;
  for (const Line& line : lines) descriptors.insert(descriptors.end(), {line.from_solution.get(), line.to_solution.get(), line.from_interactor.get(), line.to_interactor.get()});
  const json request{{"path", path}, {"title", title}, {"in_lines", in_lines_}};
  companion_.Send(request.dump(-1, ' ', false, json::error_handler_t::replace), descriptors);
}

bool Relay::Wait() const {
  const std::string answer = companion_.Wait();
  if (answer != kKept && answer != kInPieces) throw SystemError(answer, 0);
  return answer == kKept;
}

}  // namespace tally
