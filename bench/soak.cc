// Does anything drift when runs follow one another for hours, as a judge's do? Four worker processes judge side by side
// (`tally judge -j4`), each one run after the other in the same process: programs of every verdict, single, with threads and
// children, hostile ones, natively and in translation. Every verdict must be the expected one, the count of a program's
// instructions the same each time and in each worker.
//
// A worker looks at itself at regular intervals, after a good run whose sandbox is gone: its resident memory, its open
// descriptors, the mounts of its namespace, its cgroups, its children. What has grown since the warm-up, the first twentieth of
// the runs or more, has leaked. The latency is that of a good native run.
//
//   soak [RUNS]     2000 by default. Exit status: 0 nothing drifted; 1 something did; 2 the bench failed.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "sandboxes/sandbox_store.h"
#include "supervisor/machine/virtual_files.h"
#include "supervisor/resources/cgroup_parent.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWorkers = 4;
constexpr std::size_t kRunsOfASandbox = 3;  // as a solution has its tests: the third is started by a reused init
constexpr std::size_t kTenths = 10;
constexpr std::size_t kMostCases = 64;
constexpr std::size_t kWarmUpPart = 20;       // of all runs; but each program once, or, of few runs, half of them
constexpr std::uint64_t kMostTold = 5;  // wrong runs of a worker that are told one by one
constexpr double kGrowthOfMemory = 1.10;
constexpr Bytes kMoreMemory = Bytes::MiB(2);
constexpr std::uint64_t kFilesOfCgroup = 2;  // of the one that is kept, open once they were asked for (memory_cgroups.cc)

struct Case {
  std::string name;
  std::string program;  // of tests/programs
  std::vector<std::string> arguments;
  ResultCode code = ResultCode::kOk;
  std::uint32_t processes = 1;
  Milliseconds user_time{2000};
  Bytes memory = Bytes::MiB(64);
  Bytes output = Bytes::MiB(1);
  std::uint64_t instructions = 0;  // the limit in translation; 0: none
  Counter counter = Counter::kNone;
};

constexpr std::size_t kBetweenGoodOnes = 8;

std::vector<Case> Cases() {
  const Case good{.name = "good", .program = "hello"};  // the one whose latency is measured
  const std::vector<Case> natively = {
      {.name = "prints a line", .program = "hello"},
      {.name = "dynamic", .program = "hello_dynamic"},
      {.name = "C++", .program = "hello_cxx"},
      {.name = "writes 100 kB", .program = "stdout_exact", .arguments = {"100000"}},
      {.name = "computes too long", .program = "busy_loop", .code = ResultCode::kTle, .user_time = Milliseconds(50),
       .instructions = 5'000'000},
      {.name = "takes too much", .program = "malloc_touch", .arguments = {"32"}, .code = ResultCode::kMle, .memory = Bytes::MiB(8)},
      {.name = "crashes", .program = "segfault_null", .code = ResultCode::kRe},
      {.name = "asks for a socket", .program = "open_socket", .code = ResultCode::kRv},
      {.name = "writes too much", .program = "stdout_exact", .arguments = {"100000"}, .code = ResultCode::kOle,
       .output = Bytes{99'999}},
      {.name = "threads", .program = "threads_ok", .processes = 8},
      {.name = "children", .program = "fork_ok", .processes = 8},
      {.name = "fork bomb", .program = "fork_bomb", .code = ResultCode::kRv, .processes = 6},
      {.name = "hostile: zombies", .program = "hostile/zombie_hoard", .arguments = {"200", "0"}, .code = ResultCode::kRv, .processes = 4},
      {.name = "hostile: siblings", .program = "hostile/siblings", .arguments = {"better"}, .code = ResultCode::kRe, .processes = 8},
      {.name = "hostile: garbage frame", .program = "hostile/frame_of_garbage", .arguments = {"0x33", "0x400000"},
       .code = ResultCode::kRe},
      {.name = "hostile: epolls", .program = "hostile/sends_descriptors", .arguments = {"epolls"}},
  };
  std::vector<Case> each = natively;
  for (Case translated : natively) {
    translated.name += ", translated";
    translated.counter = Counter::kTranslator;
    each.push_back(translated);
  }
  std::vector<Case> all;
  for (std::size_t i = 0; i < each.size(); ++i) {
    if (i % kBetweenGoodOnes == 0) all.push_back(good);
    all.push_back(each[i]);
  }
  return all;
}

struct Sample {
  std::uint64_t memory, descriptors, mounts, cgroups, children;
};

struct WorkerFigures {
  bool sampled = false;
  Sample first{}, last{};                   // after the warm-up
  std::array<double, kTenths> latency{};    // median, in ms; 0: no run of the tenth was measured
  std::uint64_t runs = 0;
};

// What the workers tell the parent, in memory that they share.
struct Board {
  std::array<WorkerFigures, kWorkers> workers;
  std::array<std::atomic<std::uint64_t>, kMostCases> counts;  // the first; 0: none yet
  std::array<std::atomic<std::uint64_t>, kMostCases> wrong, different;
  std::atomic<std::uint64_t> compared = 0;  // counts
};

Board* NewBoard() {
  void* const memory = ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw SystemError("mmap", errno);
  return new (memory) Board();
}

std::uint64_t EntriesOf(const std::string& folder) {
  return static_cast<std::uint64_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::uint64_t LinesOf(const std::string& file) {
  const std::string text = sys::ReadFile(file);
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

std::uint64_t WordsOf(const std::string& file) {
  const std::string text = sys::ReadFile(file);
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), ' '));
}

// The memory cgroups that a process has made, but for the one it lives in itself.
std::uint64_t CgroupsOf(pid_t pid) {
  std::string why;
  const std::optional<CgroupParent> room = FindCgroupParent("memory", &why);
  if (!room) return 0;
  const std::string own = fmt::format("tally-{}-", pid);
  std::uint64_t count = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(room->directory, error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(own) && name != own + "self") ++count;
  }
  return count;
}

Sample Look() {
  return {ProcStatusBytes(::getpid(), "VmRSS").value_or(Bytes{}).count, EntriesOf("/proc/self/fd"),
          LinesOf("/proc/self/mountinfo"), CgroupsOf(::getpid()), WordsOf("/proc/thread-self/children")};
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class Worker {
 public:
  Worker(std::size_t number, std::size_t runs, const std::string& scratch, Board* board)
      : number_(number), runs_(runs), translations_(scratch + "/translations"), board_(board), figures_(&board->workers[number]) {}

  void Work() {
    ProcessExecutor().PrepareForManyRuns();
    // Each begins elsewhere, so that few runs have every program somewhere.
    for (std::size_t at = number_ * cases_.size() / kWorkers; figures_->runs < runs_; at = (at + 1) % cases_.size()) {
      JudgeSolution(at);
      if (IsMeasured(at)) Note();
    }
    figures_->latency[kTenths - 1] = Median(latencies_);
    ProcessExecutor().RetireAll();
  }

 private:
  [[nodiscard]] bool IsMeasured(std::size_t at) const { return cases_[at].name == cases_[0].name; }

  void JudgeSolution(std::size_t at) {
    const Case& program = cases_[at];
    RootSpec spec = store_.Get("exec-sandbox");
    ShowVirtualFiles(program.counter, {}, &spec);
    const Sandbox sandbox(ProcessExecutor().sandboxes(), spec, {{programs_ + program.program, "/box/program", false, true}});
    for (std::size_t test = 0; test < kRunsOfASandbox && figures_->runs < runs_; ++test) {
      std::string wrong;
      try {
        wrong = RunOnce(at, sandbox);
      } catch (const std::exception& error) {
        wrong = fmt::format("failure: {}", error.what());
      }
      ++figures_->runs;
      if (wrong.empty()) continue;
      ++board_->wrong[at];
      if (told_++ < kMostTold) fmt::print(stderr, "run {} of worker {}, {}: {}\n", figures_->runs, number_, program.name, wrong);
    }
  }

  // What is wrong with it; "" for nothing.
  std::string RunOnce(std::size_t at, const Sandbox& sandbox) {
    const Case& program = cases_[at];
    const Fd output(::memfd_create("output", MFD_CLOEXEC));
    ::fcntl(output.get(), F_SETFL, O_APPEND);
    RunRequest request;
    request.program = sandbox.PathInside("/box/program");
    request.argv = {"program"};
    request.argv.insert(request.argv.end(), program.arguments.begin(), program.arguments.end());
    request.env = sandbox.spec().env;
    request.stdout_fd = output.get();
    request.limits = {.user_time = program.user_time, .wall_time = Milliseconds(20'000), .memory = program.memory,
                      .output = program.output, .processes = program.processes};
    request.counter = program.counter;
    if (program.counter == Counter::kTranslator) {
      request.address_randomization = false;  // counts depend on addresses
      if (figures_->runs % 2 == 0) request.translation_folder = translations_;
      if (program.instructions > 0) {
        request.limits.instructions = Instructions{program.instructions};
        request.limits.user_time = Milliseconds(2000);
      }
    }
    const Nanoseconds start = sys::MonotonicNow();
    const RunResult result = ProcessExecutor().Run(request, sandbox);
    if (IsMeasured(at)) NoteLatency(sys::MonotonicNow() - start);
    if (result.code != program.code) return fmt::format("{}: {}", Name(result.code), result.sentence);
    if (program.counter == Counter::kTranslator) NoteCount(at, result);
    return "";
  }

  // Not where Tally says that it may be another: threads took turns, or a limit ended the program at some moment.
  void NoteCount(std::size_t at, const RunResult& result) {
    if (!result.count_varies.empty() || !result.instructions.has_value()) return;
    const std::uint64_t count = result.instructions.value().count;
    ++board_->compared;
    std::uint64_t first = 0;
    if (board_->counts[at].compare_exchange_strong(first, count) || first == count) return;
    ++board_->different[at];
    if (told_++ < kMostTold) fmt::print(stderr, "{}: {} instructions, not {}\n", cases_[at].name, count, first);
  }

  void NoteLatency(Nanoseconds took) {
    const std::size_t tenth = std::min(figures_->runs * kTenths / runs_, kTenths - 1);
    for (; tenth_ < tenth; ++tenth_) {
      figures_->latency[tenth_] = Median(latencies_);
      latencies_.clear();
    }
    latencies_.push_back(std::chrono::duration<double, std::milli>(took).count());
  }

  void Note() {
    ProcessExecutor().RetireRuns();
    if (figures_->runs < warm_up_) return;
    const Sample now = Look();
    if (!figures_->sampled) figures_->first = now;
    figures_->sampled = true;
    figures_->last = now;
  }

  const std::size_t number_;
  const std::size_t runs_;
  const std::string translations_;
  const std::string programs_ = fs::read_symlink("/proc/self/exe").parent_path().string() + "/../tests/programs/";
  const std::vector<Case> cases_ = Cases();
  const std::size_t warm_up_ = std::max(runs_ / kWarmUpPart, std::min(cases_.size() * kRunsOfASandbox, runs_ / 2));
  const SandboxStore store_;
  Board* const board_;
  WorkerFigures* const figures_;
  std::vector<double> latencies_;  // of this tenth
  std::size_t tenth_ = 0;
  std::uint64_t told_ = 0;
};

// The host as the workers must leave it. Temporary files have a folder of this bench's own.
class Host {
 public:
  Host() : scratch_((fs::temp_directory_path() / "soak-XXXXXX").string()), mounts_(LinesOf("/proc/self/mountinfo")) {
    if (::mkdtemp(scratch_.data()) == nullptr) throw SystemError("mkdtemp " + scratch_, errno);
    const std::string temporary = scratch_ + "/tmp";
    fs::create_directory(temporary);
    fs::create_directory(scratch_ + "/translations");
    fs::permissions(scratch_ + "/translations", fs::perms::owner_all);
    ::setenv("TMPDIR", temporary.c_str(), 1);
  }
  ~Host() {
    std::error_code ignored;
    fs::remove_all(scratch_, ignored);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  [[nodiscard]] const std::string& scratch() const { return scratch_; }
  [[nodiscard]] std::uint64_t NewMounts() const { return std::max(LinesOf("/proc/self/mountinfo"), mounts_) - mounts_; }
  [[nodiscard]] std::uint64_t Files() const { return EntriesOf(scratch_ + "/tmp"); }

 private:
  std::string scratch_;
  std::uint64_t mounts_;
};

// Prints figures, and remembers whether one of them is bad.
class Table {
 public:
  void Row(const std::string& name, const std::string& figure, const std::string& verdict = "-") {
    fmt::print("{:<34} {:>24}   {}\n", name, figure, verdict);
  }
  void Must(const std::string& name, const std::string& figure, bool good) {
    Row(name, figure, good ? "met" : "MISSED");
    drifted_ = drifted_ || !good;
  }
  // Of the worker in which it grew most.
  void Growth(const std::string& name, const Board& board, std::uint64_t Sample::*figure, bool is_memory = false, std::uint64_t slack = 0) {
    std::uint64_t first = 0, last = 0;
    bool any = false, good = true;
    for (const WorkerFigures& worker : board.workers) {
      if (!worker.sampled) continue;
      const std::uint64_t from = worker.first.*figure, to = worker.last.*figure;
      if (!any || to * 1.0 - from > last * 1.0 - first) first = from, last = to;
      any = true;
      good = good && (is_memory ? to <= from * kGrowthOfMemory + kMoreMemory.count : to <= from + slack);
    }
    const double unit = is_memory ? 1024.0 * 1024.0 : 1.0;
    Must(name, fmt::format("{:.{}f} -> {:.{}f}", first / unit, is_memory ? 1 : 0, last / unit, is_memory ? 1 : 0), any && good);
  }
  [[nodiscard]] bool drifted() const { return drifted_; }

 private:
  bool drifted_ = false;
};

std::string Named(const std::array<std::atomic<std::uint64_t>, kMostCases>& of_cases, const std::vector<Case>& cases) {
  std::string names;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (of_cases[i] > 0) names += fmt::format("{}{} ({})", names.empty() ? "" : "; ", cases[i].name, of_cases[i].load());
  }
  return names;
}

double LatencyOfTenth(const Board& board, std::size_t tenth) {
  std::vector<double> medians;
  for (const WorkerFigures& worker : board.workers) {
    if (worker.latency[tenth] > 0) medians.push_back(worker.latency[tenth]);
  }
  return Median(medians);
}

bool Report(const Board& board, double seconds, std::uint64_t bad_ends, std::uint64_t cgroups, const Host& host) {
  Table table;
  std::uint64_t runs = 0;
  for (const WorkerFigures& worker : board.workers) runs += worker.runs;
  const std::vector<Case> cases = Cases();
  const std::string wrong = Named(board.wrong, cases), different = Named(board.different, cases);
  fmt::print("{:<34} {:>24}   goal\n", fmt::format("{} workers, {} programs", kWorkers, cases.size()), "figure");
  table.Row("runs", fmt::format("{}", runs));
  table.Row("runs a second", fmt::format("{:.1f}", runs / seconds));
  table.Must("wrong verdicts", wrong.empty() ? "none" : wrong, wrong.empty());
  table.Must("counts compared", fmt::format("{}", board.compared.load()), board.compared > 0);
  table.Must("different counts", different.empty() ? "none" : different, different.empty());
  table.Must("workers that failed", fmt::format("{}", bad_ends), bad_ends == 0);
  table.Growth("resident memory, MiB", board, &Sample::memory, true);
  table.Growth("descriptors", board, &Sample::descriptors, false, kFilesOfCgroup);
  table.Growth("mounts", board, &Sample::mounts);
  table.Growth("cgroups", board, &Sample::cgroups);
  table.Growth("children", board, &Sample::children);
  table.Must("left: mounts, cgroups, files", fmt::format("{}, {}, {}", host.NewMounts(), cgroups, host.Files()),
             host.NewMounts() + cgroups + host.Files() == 0);
  std::string tenths;
  for (std::size_t i = 0; i < kTenths; ++i) tenths += fmt::format(" {:.2f}", LatencyOfTenth(board, i));
  const double first = LatencyOfTenth(board, 0), last = LatencyOfTenth(board, kTenths - 1);
  table.Row("latency, last tenth to first", first > 0 && last > 0 ? fmt::format("{:.2f}", last / first) : "too few runs");
  fmt::print("latency of a good run, median ms of each tenth:{}\n", tenths);
  return !table.drifted();
}

int Main(std::size_t runs) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // a process that outlived its worker would come to us
  const Host host;
  ProcessExecutor().cgroups().Find();  // before there are workers
  Board* const board = NewBoard();
  const Nanoseconds start = sys::MonotonicNow();
  std::vector<pid_t> workers;
  for (std::size_t i = 0; i < kWorkers; ++i) {
    const pid_t pid = ::fork();
    if (pid < 0) throw SystemError("fork", errno);
    if (pid == 0) {
      try {
        Worker(i, (runs + kWorkers - 1) / kWorkers, host.scratch(), board).Work();
        ::_exit(0);
      } catch (const std::exception& error) {
        fmt::print(stderr, "soak: worker {}: {}\n", i, error.what());
        ::_exit(2);
      }
    }
    workers.push_back(pid);
  }
  std::uint64_t bad_ends = 0, cgroups = 0;
  for (const pid_t worker : workers) {
    int status = 0;
    ::waitpid(worker, &status, 0);
    if (status != 0) ++bad_ends;
  }
  const double seconds = std::chrono::duration<double>(sys::MonotonicNow() - start).count();
  for (const pid_t worker : workers) cgroups += CgroupsOf(worker);
  return Report(*board, seconds, bad_ends, cgroups, host) ? 0 : 1;
}

}  // namespace
}  // namespace tally

int main(int argc, char** argv) {
  try {
    const long runs = argc > 1 ? std::atol(argv[1]) : 2000;
    if (argc > 2 || runs <= 0) throw tally::UserError("soak [RUNS]: how many runs in all");
    return tally::Main(static_cast<std::size_t>(runs));
  } catch (const std::exception& error) {
    fmt::print(stderr, "soak: {}\n", error.what());
    return 2;
  }
}
