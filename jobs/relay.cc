#include "jobs/relay.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/sys.h"
#include "jobs/transcript.h"
#include "jobs/unheard.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr const char *kKept = "kept", *kInPieces = "in pieces";  // the answers where all is well
constexpr std::size_t kPiece = 4096;  // a page
constexpr Milliseconds kSilence{200};  // after which a line that has no end is passed on

// Ends of fifos. To open one waits for the other side (fifo(7)), so each has a thread for that, and comes through a pipe.
class ComingEnds {
 public:
  struct Opened {
    std::size_t way;
    int fd;
    int error;
  };

  void Open(std::size_t way, const std::string& path, int flags) {
    paths_.push_back(path);
    std::thread([way, path, flags, pipe = pipe_] {
      const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
      const Opened opened{way, fd, errno};
      static_cast<void>(::write(pipe->write_end.get(), &opened, sizeof opened));
    }).detach();
  }
  // Readable when one has come.
  [[nodiscard]] int fd() const { return pipe_->read_end.get(); }
  [[nodiscard]] Opened Take() const {
    Opened opened{};
    if (::read(fd(), &opened, sizeof opened) != sizeof opened) throw SystemError("read the end of a fifo", errno);
    if (opened.fd < 0) throw SystemError("open a fifo", opened.error);
    return opened;
  }
  // Nobody is there to open the other sides: as long as these are held, all come.
  [[nodiscard]] std::vector<Fd> HoldBothSides() const {
    std::vector<Fd> held;
    for (const std::string& path : paths_) held.push_back(sys::Open(path, O_RDWR | O_NONBLOCK));
    return held;
  }

 private:
  std::vector<std::string> paths_;
  std::shared_ptr<const sys::Pipe> pipe_ = std::make_shared<const sys::Pipe>(sys::MakePipe());  // threads may outlive us
};

// One way between two programs.
struct Way {
  Fd from, to;  // the interactor's may be still to come
  bool by_solution;
  std::size_t process;
  bool in_lines = false;
  bool is_coming = false;
  std::size_t unheard = 0;   // said to a solution that reads no more
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

// Who reads is gone.
void StopPassing(Way* way) {
  way->unheard += way->waiting.size();
  way->to.Reset();
  way->waiting.clear();
  // A solution that writes is to hear of it, and an interactor that speaks without end (unheard.h).
  if (way->by_solution || way->unheard >= kMostUnheard) way->from.Reset();
}

class Passing {
 public:
  Passing(std::vector<Way>* ways, const ComingEnds& coming, Fd interactor_ends, Transcript* transcript)
      : ways_(*ways), coming_(coming), interactor_ends_(std::move(interactor_ends)), transcript_(*transcript) {}

  // Until all have ended.
  void Run() {
    for (;;) {
      std::vector<pollfd> fds;
      const Nanoseconds now = sys::MonotonicNow();
      int longest = -1;
      for (const Way& way : ways_) {
        if (way.is_coming) {
          fds.insert(fds.end(), 2, {-1, 0, 0});
          continue;
        }
        const bool has_piece = way.Passable(now) != 0;
        // Without events of its own a descriptor tells of its other side's end alone (poll(2)).
        fds.push_back({has_piece ? -1 : way.from.get(), POLLIN, 0});
        fds.push_back({way.to.get(), static_cast<short>(has_piece ? POLLOUT : 0), 0});
        if (!has_piece && !way.waiting.empty()) longest = static_cast<int>(kSilence.count());
      }
      if (std::all_of(ways_.begin(), ways_.end(), [](const Way& way) { return !way.from.valid() && !way.to.valid() && !way.is_coming; })) return;
      fds.push_back({coming_.fd(), POLLIN, 0});
      fds.push_back({interactor_ends_.get(), 0, 0});
      if (::poll(fds.data(), fds.size(), longest) < 0 && errno != EINTR) throw SystemError("poll", errno);
      if (fds.back().revents != 0) {
        LetAllCome();
      } else if (fds[fds.size() - 2].revents != 0) {
        Come(coming_.Take());
      }
      for (std::size_t i = 0; i < ways_.size(); ++i) {
        Way& way = ways_[i];
        if ((fds[2 * i + 1].revents & POLLERR) != 0) StopPassing(&way);
        else if ((fds[2 * i + 1].revents & POLLOUT) != 0) WriteSome(&way);
        else if (way.from.valid() && (fds[2 * i].revents & (POLLIN | POLLHUP)) != 0) ReadSome(&way);
      }
    }
  }

  [[nodiscard]] bool in_pieces() const { return in_pieces_; }

 private:
  void Come(const ComingEnds::Opened& opened) {
    Way& way = ways_[opened.way];
    ::fcntl(opened.fd, F_SETFL, O_NONBLOCK);
    (way.by_solution ? way.to : way.from) = Fd(opened.fd);
    way.is_coming = false;
  }

  // What the interactor has said is read, though it has gone since; to speak to it is to speak to nobody.
  void LetAllCome() {
    interactor_ends_.Reset();
    const std::vector<Fd> held = coming_.HoldBothSides();
    while (std::any_of(ways_.begin(), ways_.end(), [](const Way& way) { return way.is_coming; })) Come(coming_.Take());
  }

  void ReadSome(Way* way) {
    std::array<char, 65536> buffer;
    const ssize_t n = ::read(way->from.get(), buffer.data(), buffer.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0) {
      transcript_.AddEnd(way->by_solution, way->process);
      way->from.Reset();
      if (way->waiting.empty()) way->to.Reset();
      return;
    }
    const std::string_view said(buffer.data(), static_cast<std::size_t>(n));
    way->waiting += said;
    way->heard = sys::MonotonicNow();
    transcript_.Add(way->by_solution, way->process, said);
    if (!way->to.valid() && !way->is_coming) StopPassing(way);
  }

  void WriteSome(Way* way) {
    const std::size_t size = way->Passable(sys::MonotonicNow());
    const bool is_cut = way->in_lines && way->from.valid() && size < kPiece && way->waiting[size - 1] != '\n';
    const ssize_t n = ::write(way->to.get(), way->waiting.data(), size);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n < 0) return StopPassing(way);
    in_pieces_ = in_pieces_ || is_cut;
    way->waiting.erase(0, static_cast<std::size_t>(n));
    if (way->waiting.empty() && !way->from.valid()) way->to.Reset();
  }

  std::vector<Way>& ways_;
  const ComingEnds& coming_;
  Fd interactor_ends_;
  Transcript& transcript_;
  bool in_pieces_ = false;
};

std::string Listen(const json& request, std::vector<Fd>& ends) {
  try {
    ::signal(SIGPIPE, SIG_IGN);  // the process is ours alone
    const auto fifos = request.at("fifos").get<std::vector<std::pair<std::string, std::string>>>();
    Fd interactor_ends;
    if (!fifos.empty()) {
      interactor_ends = std::move(ends.back());
      ends.pop_back();
    }
    const std::size_t each = fifos.empty() ? 4 : 2, lines = ends.size() / each;
    Transcript transcript(request.at("title"), lines > 1);
    const bool in_lines = request.at("in_lines");
    std::vector<Way> ways;
    ComingEnds coming;
    for (const Fd& end : ends) ::fcntl(end.get(), F_SETFL, O_NONBLOCK);  // of these ends alone
    for (std::size_t i = 0; i < lines; ++i) {
      Fd* const own = &ends[i * each];
      if (in_lines && ::fcntl(own[1].get(), F_SETPIPE_SZ, static_cast<int>(kPiece)) < 0) throw SystemError("make a pipe of one page", errno);
      Way from_solution{std::move(own[0]), {}, true, i}, to_solution{{}, std::move(own[1]), false, i, in_lines};
      if (fifos.empty()) {
        to_solution.from = std::move(own[2]);
        from_solution.to = std::move(own[3]);
      } else {
        from_solution.is_coming = to_solution.is_coming = true;
        coming.Open(ways.size(), fifos[i].second, O_WRONLY);
        coming.Open(ways.size() + 1, fifos[i].first, O_RDONLY);
      }
      ways.push_back(std::move(from_solution));
      ways.push_back(std::move(to_solution));
    }
    Passing passing(&ways, coming, std::move(interactor_ends), &transcript);
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

Relay::Relay() : companion_("what is said", Listen) {}

void Relay::Start(const Talk& talk) const {
  std::vector<int> descriptors;
  json fifos = json::array();
  for (const Line& line : talk.lines) {
    descriptors.insert(descriptors.end(), {line.from_solution.get(), line.to_solution.get()});
    if (line.from_fifo.empty()) {
      descriptors.insert(descriptors.end(), {line.from_interactor.get(), line.to_interactor.get()});
    } else {
      fifos.push_back({line.from_fifo, line.to_fifo});
    }
  }
  if (!fifos.empty()) descriptors.push_back(talk.interactor_ends.get());
  const json request{{"path", talk.path}, {"title", talk.title}, {"in_lines", talk.in_lines}, {"fifos", fifos}};
  companion_.Send(request, descriptors);
}

bool Relay::Wait() const {
  const std::string answer = companion_.Wait();
  if (answer != kKept && answer != kInPieces) throw SystemError(answer, 0);
  return answer == kKept;
}

}  // namespace tally
