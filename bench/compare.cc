// How fast is the default comparison, beside the tools it replaces? Ours, `cmp` and `diff -b -q` take turns,
// each in a process of its own, on files in the page cache: equal bytes, then equal tokens under white space
// that differs everywhere. Prints medians, p10..p90 and whether the goals are met.
//
//   compare [--rounds N] [MEGABYTES]      files in a folder of its own under $TMPDIR, removed at the end
//   compare --compare EXPECTED GOT        one comparison; exit status 0 equal, 1 different
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "checkers/compare_files.h"
#include "checkers/wording.h"

namespace tally {
namespace {

constexpr double kGoalOfCmp = 0.5;
constexpr double kGoalOfDiff = 10;

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / "tally-compare-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) throw SystemError("mkdtemp " + path_, errno);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string File(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Lines of numbers of all lengths, as outputs are. A megabyte of them is repeated: the comparison cannot
// tell.
std::vector<std::vector<std::string>> MakeLines() {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  constexpr int kPerLine = 10;
  std::mt19937 random(2024);
  std::vector<std::vector<std::string>> lines;
  for (std::size_t bytes = 0; bytes < kBytes;) {
    std::vector<std::string>& line = lines.emplace_back();
    for (int i = 0; i < kPerLine; ++i) {
      bytes += line.emplace_back(std::to_string(random() >> random() % 32)).size() + 1;
    }
  }
  return lines;
}

void WriteFile(const std::string& path, const std::vector<std::vector<std::string>>& lines,
               std::string_view between, std::string_view at_end, std::size_t megabytes) {
  std::string block;
  for (const std::vector<std::string>& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i > 0) block += between;
      block += line[i];
    }
    block += at_end;
  }
  const Fd file = sys::Open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  for (std::size_t i = 0; i < megabytes; ++i) sys::WriteAll(file.get(), block, path);
}

using Command = std::vector<std::string>;

// Seconds from start to end of a process that must exit with `status`.
double Time(const Command& command, int status) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const Nanoseconds begin = sys::MonotonicNow();
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ);
  if (error != 0) throw SystemError("start " + command[0], error);
  int ended = 0;
  while (::waitpid(child, &ended, 0) < 0 && errno == EINTR) {
  }
  const Nanoseconds end = sys::MonotonicNow();
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != status) {
    throw UserError(fmt::format("{} did not exit with {} as it should", command[0], status));
  }
  return std::chrono::duration<double>(end - begin).count();
}

double Quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
}

struct Contender {
  std::string name;
  Command command;
  std::vector<double> seconds;

  [[nodiscard]] double Median() const { return Quantile(seconds, 0.5); }
};

void RunRounds(std::vector<Contender>& contenders, int rounds) {
  for (Contender& contender : contenders) Time(contender.command, 0);  // the files into the page cache
  for (int round = 0; round < rounds; ++round) {
    for (Contender& contender : contenders) contender.seconds.push_back(Time(contender.command, 0));
  }
}

void Print(std::string_view title, const std::vector<Contender>& contenders, std::uintmax_t bytes) {
  fmt::print("{}\n", title);
  for (const Contender& contender : contenders) {
    fmt::print("  {:<14} median {:8.1f} ms   p10..p90 {:8.1f} .. {:8.1f}   {:7.2f} GB/s\n", contender.name,
               contender.Median() * 1e3, Quantile(contender.seconds, 0.1) * 1e3,
               Quantile(contender.seconds, 0.9) * 1e3, static_cast<double>(bytes) / 1e9 / contender.Median());
  }
}

// Whether `ours` is at least `goal` times as fast as `theirs`.
bool Judge(const Contender& ours, const Contender& theirs, double goal) {
  const double ratio = theirs.Median() / ours.Median();
  const bool pass = ratio >= goal;
  fmt::print("  {}: {:.2f} times the speed of {}, the goal is {}\n", pass ? "pass" : "MISS", ratio,
             theirs.name, goal);
  return pass;
}

int Bench(std::size_t megabytes, int rounds) {
  const TemporaryFolder folder;
  const std::string model = folder.File("model");
  const std::string copy = folder.File("copy");
  const std::string crlf = folder.File("crlf");
  const std::string wide = folder.File("wide");
  const std::vector<std::vector<std::string>> lines = MakeLines();
  WriteFile(model, lines, " ", "\n", megabytes);
  WriteFile(copy, lines, " ", "\n", megabytes);
  WriteFile(crlf, lines, " ", "\r\n", megabytes);
  WriteFile(wide, lines, "  ", " \r\n", megabytes);
  const std::uintmax_t bytes = std::filesystem::file_size(model);
  fmt::print("{} MB of numbers, {} rounds, times of whole processes\n\n", bytes / 1'000'000, rounds);

  const auto ours = [&](const std::string& got) {
    return Contender{"tally", {"/proc/self/exe", "--compare", model, got}, {}};
  };
  const auto diff = [&](const std::string& got) {
    return Contender{"diff -b -q", {"diff", "-b", "-q", model, got}, {}};
  };
  bool pass = true;

  std::vector<Contender> same = {ours(copy), {"cmp", {"cmp", model, copy}, {}}, diff(copy)};
  RunRounds(same, rounds);
  Print("equal bytes", same, bytes);
  pass &= Judge(same[0], same[1], kGoalOfCmp);

  for (const auto& [title, got] :
       {std::pair("equal tokens; CRLF for LF", crlf),
        std::pair("equal tokens; two spaces for one, trailing blanks, CRLF", wide)}) {
    std::vector<Contender> spaced = {ours(got), diff(got)};
    RunRounds(spaced, rounds);
    Print(title, spaced, bytes);
    pass &= Judge(spaced[0], spaced[1], kGoalOfDiff);
  }
  return pass ? 0 : 1;
}

int Compare(const std::string& expected_path, const std::string& got_path) {
  const Fd expected = sys::Open(expected_path, O_RDONLY);
  const Fd got = sys::Open(got_path, O_RDONLY);
  const FileComparison comparison = CompareFiles(expected.get(), got.get());
  if (!comparison.equal()) fmt::print("{}\n", Describe(comparison.mismatch(), {}));
  return comparison.equal() ? 0 : 1;
}

std::size_t ParseCount(const std::string& text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0 || count > 1'000'000) {
    throw UserError("\"" + text + "\" is not a count from 1 to 1000000");
  }
  return count;
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() == 3 && arguments[0] == "--compare") return Compare(arguments[1], arguments[2]);
  std::size_t megabytes = 256;
  std::size_t rounds = 7;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--rounds" && i + 1 < arguments.size()) {
      rounds = ParseCount(arguments[++i]);
    } else {
      megabytes = ParseCount(arguments[i]);
    }
  }
  return Bench(megabytes, static_cast<int>(rounds));
}

}  // namespace
}  // namespace tally

int main(int argc, char** argv) {
  try {
    return tally::Main({argv + 1, argv + argc});
  } catch (const tally::UserError& error) {
    fmt::print(stderr, "compare: {}\n", error.what());
    return tally::kExitUserError;
  } catch (const std::exception& error) {
    fmt::print(stderr, "compare: {}\n", error.what());
    return tally::kExitSystemError;
  }
}
