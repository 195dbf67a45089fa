#include "jobs/transcript.h"

#include <fcntl.h>
#include <fmt/format.h>
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
#include "base/printable.h"
#include "base/sys.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr const char* kKept = "kept";  // the answer where all is well
constexpr std::size_t kMostKept = 4 << 20;  // bytes of text; what is said beyond is passed on and counted

// What was said, in the order in which it came.
class Record {
 public:
  Record(const std::string& title, bool has_many) : has_many_(has_many), begin_(sys::MonotonicNow()), text_(fmt::format("# {}\n# seconds; > the solution says, < the interactor says; an end that is no end of a line is \\\n", title)) {}

  void Add(bool by_solution, std::size_t process, std::string_view said) {
    Count& count = counts_[by_solution ? 0 : 1];
    count.bytes += said.size();
    count.lines += static_cast<std::size_t>(std::count(said.begin(), said.end(), '\n'));
    for (std::string_view rest = said; !rest.empty() && !is_cut_;) {
      const std::size_t end = rest.find('\n');
      Write(by_solution, process, fmt::format("{}{}", Printable(rest.substr(0, end)), end == std::string_view::npos ? "\\" : ""));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
  }
  void AddEnd(bool by_solution, std::size_t process) { Write(by_solution, process, "(end)"); }

  [[nodiscard]] std::string Text() const {
    return text_ + fmt::format("# bytes and lines: the solution {} and {}, the interactor {} and {}\n", counts_[0].bytes, counts_[0].lines, counts_[1].bytes, counts_[1].lines);
  }

 private:
  struct Count {
    std::size_t bytes = 0, lines = 0;
  };

  void Write(bool by_solution, std::size_t process, const std::string& words) {
    if (is_cut_) return;
    const double seconds = std::chrono::duration<double>(sys::MonotonicNow() - begin_).count();
    text_ += fmt::format("{:9.6f} {}{} {}\n", seconds, has_many_ ? fmt::format("{} ", process) : "", by_solution ? '>' : '<', words);
    is_cut_ = text_.size() > kMostKept;
    if (is_cut_) text_ += "# what was said after this is counted, and not kept\n";
  }

  bool has_many_;
  Nanoseconds begin_;
  std::string text_;
  std::array<Count, 2> counts_;
  bool is_cut_ = false;
};

// One way between two programs.
struct Way {
  Fd from, to;
  bool by_solution;
  std::size_t process;
  std::string waiting;  // read, and not taken yet
};

// Who reads is gone: then who writes is to hear of it.
void GiveUp(Way* way) {
  way->from.Reset();
  way->to.Reset();
  way->waiting.clear();
}

void ReadSome(Way* way, Record* record) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::read(way->from.get(), buffer.data(), buffer.size());
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n <= 0) {
    record->AddEnd(way->by_solution, way->process);
    return GiveUp(way);
  }
  way->waiting.assign(buffer.data(), static_cast<std::size_t>(n));
  record->Add(way->by_solution, way->process, way->waiting);
}

void WriteSome(Way* way) {
  const ssize_t n = ::write(way->to.get(), way->waiting.data(), way->waiting.size());
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n < 0) return GiveUp(way);
  way->waiting.erase(0, static_cast<std::size_t>(n));
}

void PassOn(std::vector<Way>* ways, Record* record) {
  for (;;) {
    std::vector<pollfd> fds;
    for (const Way& way : *ways) {
      // Without events of its own a descriptor tells of its other side's end alone (poll(2)).
      fds.push_back({way.waiting.empty() ? way.from.get() : -1, POLLIN, 0});
      fds.push_back({way.to.get(), static_cast<short>(way.waiting.empty() ? 0 : POLLOUT), 0});
    }
    if (std::all_of(ways->begin(), ways->end(), [](const Way& way) { return !way.from.valid(); })) return;
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) throw SystemError("poll", errno);
    for (std::size_t i = 0; i < ways->size(); ++i) {
      Way& way = (*ways)[i];
      if ((fds[2 * i + 1].revents & POLLERR) != 0) GiveUp(&way);
      else if ((fds[2 * i + 1].revents & POLLOUT) != 0) WriteSome(&way);
      else if (way.from.valid() && (fds[2 * i].revents & (POLLIN | POLLHUP)) != 0) ReadSome(&way, record);
    }
  }
}

std::string Listen(const std::string& text, std::vector<Fd>& ends) {
  try {
    ::signal(SIGPIPE, SIG_IGN);  // the process is ours alone
    const json request = json::parse(text);
    Record record(request.at("title"), ends.size() > 4);
    std::vector<Way> ways;
    for (std::size_t i = 0; i < ends.size(); i += 4) {
      for (std::size_t end = i; end < i + 4; ++end) ::fcntl(ends[end].get(), F_SETFL, O_NONBLOCK);  // of these ends alone
      ways.push_back({std::move(ends[i]), std::move(ends[i + 3]), true, i / 4, {}});
      ways.push_back({std::move(ends[i + 2]), std::move(ends[i + 1]), false, i / 4, {}});
    }
    PassOn(&ways, &record);
    const std::string path = request.at("path");
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    WriteFileAtomically(path, record.Text(), "--transcript");
    return kKept;
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

std::string AsFileName(std::string text) {
  constexpr std::size_t kMost = 200;
  while (text.starts_with("./")) text.erase(0, 2);
  std::replace(text.begin(), text.end(), '/', '_');
  if (text.size() > kMost) text.erase(0, text.size() - kMost);
  return text.starts_with('.') ? "_" + text : text;
}

}  // namespace

Transcriber::Transcriber() : companion_("the transcript", Listen) {}

void Transcriber::Start(const std::string& path, const std::string& title, std::vector<Line> lines) const {
  std::vector<int> descriptors;
  for (const Line& line : lines) descriptors.insert(descriptors.end(), {line.from_solution.get(), line.to_solution.get(), line.from_interactor.get(), line.to_interactor.get()});
  const json request{{"path", path}, {"title", title}};
  companion_.Send(request.dump(-1, ' ', false, json::error_handler_t::replace), descriptors);
}

void Transcriber::Wait() const {
  if (const std::string failure = companion_.Wait(); failure != kKept) throw SystemError(failure, 0);
}

std::string TranscriptPath(const std::string& folder, const std::string& solution, const std::string& test) {
  return folder + "/" + AsFileName(solution) + "/" + AsFileName(test) + ".txt";
}

}  // namespace tally
