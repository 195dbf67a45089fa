#include "cli/schedules.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/columns.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "cli/terminal.h"
#include "sandboxes/sha256.h"

namespace tally {
namespace {

constexpr std::uint64_t kMost = 1'000'000;
constexpr Bytes kMostOutput = Bytes::MiB(64);  // of one run, which is kept in memory

std::optional<std::uint64_t> Number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Fd NewFile(const char* name) {
  Fd file(::memfd_create(name, MFD_CLOEXEC));
  if (!file.valid()) throw SystemError("memfd_create", errno);
  return file;
}

// The input that every run reads from where it stood. A pipe's is taken whole; a terminal's is none.
class Input {
 public:
  explicit Input(int fd) : fd_(fd) {
    struct stat status {};
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
      begin_ = std::max<off_t>(::lseek(fd, 0, SEEK_CUR), 0);
      return;
    }
    copy_ = NewFile("input");
    fd_ = copy_.get();
    if (::isatty(fd) != 0) return;
    std::array<char, 1 << 16> bytes;
    for (ssize_t n = 0; (n = ::read(fd, bytes.data(), bytes.size())) > 0;) {
      sys::WriteAll(fd_, {bytes.data(), static_cast<std::size_t>(n)}, "a copy of the input");
    }
  }
  [[nodiscard]] int Again() const {
    ::lseek(fd_, begin_, SEEK_SET);
    return fd_;
  }

 private:
  int fd_;
  off_t begin_ = 0;
  Fd copy_;
};

struct Outcome {
  std::uint64_t seeds = 0, first = 0;
  ResultCode code{};
  std::string sentence, sum, excerpt;
  std::uint64_t bytes = 0;
};

// The first line, as far as it is plain text.
std::string Excerpt(const std::string& output) {
  constexpr std::size_t kMostShown = 48;
  std::string line = output.substr(0, std::min(output.find('\n'), output.size()));
  std::replace_if(line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  if (line.size() > kMostShown) line.replace(kMostShown, std::string::npos, "...");
  return line;
}

void PrintTable(const std::vector<Outcome>& outcomes, std::uint64_t runs) {
  const bool colour = WantsColour(STDOUT_FILENO);
  const std::size_t terminal = TerminalColumns(STDOUT_FILENO);
  const Columns columns({{"seeds", 9, true}, {"first seed", 10, true}, {"outcome", 7}}, terminal, colour);
  fmt::print("{}", columns.Head());
  for (const Outcome& o : outcomes) {
    const std::string what = o.code == ResultCode::kOk ? CountOf(o.bytes, "byte") + ": " + o.excerpt : o.sentence;
    fmt::print("{}", columns.Row({{FormatCount(o.seeds)}, {FormatCount(o.first)}, {std::string(Name(o.code)), StyleOf(o.code)}}, {what}));
  }
  const std::string under = fmt::format("{} under {}", CountOf(outcomes.size(), "outcome"), CountOf(runs, "schedule"));
  const std::string advice = fmt::format(": what it does depends on whose turn it is; --schedule-seed {} shows one again", outcomes.back().first);
  fmt::print("{}\n", Wrapped(under + (outcomes.size() == 1 ? "" : advice), terminal, 2));
}

std::string Json(const std::vector<Outcome>& outcomes, std::uint64_t runs) {
  nlohmann::json list = nlohmann::json::array();
  for (const Outcome& o : outcomes) {
    list.push_back({{"result_code", Name(o.code)}, {"result_string", o.sentence}, {"seeds", o.seeds}, {"first_seed", o.first},
                    {"output_bytes", o.bytes}, {"output_sha256", o.sum}});
  }
  return nlohmann::json{{"schedules", runs}, {"outcomes", list}}.dump(2) + "\n";
}

}  // namespace

ScheduleSeeds ParseScheduleSeeds(const char* option, const std::string& text) {
  const std::size_t dots = text.find("..");
  const auto first = Number(std::string_view(text).substr(0, std::min(dots, text.size())));
  const auto last = dots == std::string::npos ? first : Number(std::string_view(text).substr(dots + 2));
  if (!first || !last || *last < *first) throw UserError(fmt::format("{}: found \"{}\"; expected a number, or two as in 1..1000", option, text));
  if (*last - *first >= kMost) throw UserError(fmt::format("{}: found \"{}\"; expected at most {} of them", option, text, kMost));
  return {*first, *last};
}

void ExploreSchedules(PreparedRun* run, ScheduleSeeds seeds, const JsonOutput& json) {
  const Input input(run->request().stdin_fd);
  run->LimitOutput(kMostOutput);
  const Fd nowhere = sys::Open("/dev/null", O_WRONLY);
  const std::uint64_t runs = seeds.last - seeds.first + 1;
  std::map<std::tuple<ResultCode, std::string, std::string>, Outcome> found;
  const ProgressBar progress(runs, "schedules");
  for (std::uint64_t seed = seeds.first;; ++seed) {
    progress.Show(seed - seeds.first, fmt::format("seed {}: {} so far", seed, CountOf(found.size(), "outcome")));
    const Fd output = NewFile("output");
    run->Stream(input.Again(), output.get(), nowhere.get());
    run->SetScheduleSeed(seed);
    const RunResult result = run->Run();
    const std::string text = sys::ReadFile(fmt::format("/proc/self/fd/{}", output.get()));
    Sha256 sum;
    sum.Update(text);
    const std::string hex = sum.Finish();
    Outcome& outcome = found[{result.code, result.sentence, hex}];
    if (outcome.seeds++ == 0) {
      outcome.first = seed;
      outcome.code = result.code;
      outcome.sentence = result.sentence;
      outcome.sum = hex;
      outcome.excerpt = Excerpt(text);
      outcome.bytes = text.size();
    }
    if (seed == seeds.last) break;
  }
  progress.Clear();
  std::vector<Outcome> outcomes;
  for (auto& [key, outcome] : found) outcomes.push_back(std::move(outcome));
  std::stable_sort(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) { return a.seeds > b.seeds; });
  if (json.wanted()) json.Write(Json(outcomes, runs));
  if (!json.to_stdout()) PrintTable(outcomes, runs);
}

}  // namespace tally
