// A host that has nothing left: no disk, descriptors, processes or memory. The verdict is as it is on any other, or there is
// none and one sentence says what the host refused. Never another verdict, a crash, or a hang, and nothing is left.
//
// TALLY_FAULTS_TELL in the environment prints what came of each.
#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/exhausted_run.h"
#include "tests/support/leftovers.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

struct Attempt {
  Words command;
  std::string verdict;       // "": of `tally judge`, which says OK
  std::string output = "";   // of the program; it is on stderr
};

Words RunOf(const Words& options, const std::string& program, const Words& arguments = {}) {
  Words command{TallyPath(), "run", "--json"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", TestProgram(program)});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

const Attempt& Native() {
  static const Attempt attempt{RunOf({"--memory", "64M"}, "hello"), "OK", "hello\nEND\n"};
  return attempt;
}
const Attempt& Translated() {
  static const Attempt attempt{RunOf({"--memory", "64M", "--counter", "translator"}, "hello"), "OK", "hello\nEND\n"};
  return attempt;
}
const Attempt& WithChildren() {
  static const Attempt attempt{RunOf({"--processes", "8"}, "fork_ok"), "OK", "three children\nEND\n"};
  return attempt;
}
const Attempt& TooLarge() {
  static const Attempt attempt{RunOf({"--memory", "8M"}, "malloc_touch", {"32"}), "MLE"};
  return attempt;
}

class Host {
 public:
  Host() {
    for (const std::string name : {"1", "2"}) {
      package_.Write(name + ".in", name + " 10");
      package_.Write(name + ".out", name == "1" ? "11\nEND\n" : "12\nEND\n");
    }
    package_.Write("tally.yml", "title: Sums\ntime_limit: 2s\nmemory_limit: 64M\n");
    fs::create_directory(work_.path() + "/tmp");
    for (const std::string& folder : {work_.path(), work_.path() + "/tmp"}) {
      ::chmod(folder.c_str(), 0777);  // for an ordinary user
    }
    ::chmod(package_.path().c_str(), 0755);
  }

  [[nodiscard]] const std::string& work() const { return work_.path(); }
  [[nodiscard]] Attempt Judged() const {
    return {{TallyPath(), "judge", package_.path(), TestProgram("sum_numbers")}, ""};
  }

  // The status; -1 where there is no such scarcity here. `may_be_killed`: the kernel's OOM killer takes what it likes of a cgroup,
  // tally, too; what that one leaves the next run removes (kills_test.cc).
  int Check(const Attempt& attempt, const Scarcity& scarcity, const std::vector<int>& errors, bool may_be_killed = false) const {
    const CliOptions options{.directory = work(), .environment = {"TMPDIR=" + work() + "/tmp", "XDG_CACHE_HOME=" + work() + "/cache"}};
    const ScarceRun run = RunWithScarcity(attempt.command, scarcity, options);
    if (run.result.status == 126) return -1;
    const bool killed = may_be_killed && run.result.status == 128 + SIGKILL && !run.hung && !run.left_processes && !run.left_mounts;
    const std::string wrong = killed ? "" : Wrong(attempt, run, errors);
    INFO(fmt::format("{}: {}\n{}\n{}", scarcity.name, fmt::join(attempt.command, " "), run.result.error, run.result.out));
    if (std::getenv("TALLY_FAULTS_TELL") != nullptr) {
      fmt::print("{}: {} {}: status {} {} {}\n", scarcity.name, attempt.command[1], attempt.command.back(), run.result.status, wrong,
                 run.result.status == 0 ? "" : run.result.error);
    }
    CHECK(wrong == "");
    for (const auto& entry : fs::directory_iterator(work() + "/tmp")) fs::remove_all(entry);
    return run.result.status;
  }

 private:
  static bool IsRight(const Attempt& attempt, const ScarceRun& run) {
    if (attempt.verdict.empty()) return Has(run.result.out, " OK ") && Has(run.result.out, "2/2 tests");
    return run.result.code() == attempt.verdict && (attempt.output.empty() || run.result.error == attempt.output);
  }

  // A test that was not judged has SE in its row, and a reason as far as there is room for it.
  static bool HasNoVerdict(const ScarceRun& run) {
    const auto has = [&run](const char* code) { return Has(run.result.out, fmt::format(" {} ", code)); };
    return has("SE") && !has("WA") && !has("RE") && !has("TLE") && !has("MLE") && !has("OLE") && !has("RV");
  }

  static std::string Wrong(const Attempt& attempt, const ScarceRun& run, const std::vector<int>& errors) {
    const std::string& error = run.result.error;
    if (run.hung) return "it hangs";
    if (run.left_processes) return "a process goes on";
    if (run.left_mounts) return "a mount is left";
    if (!run.left_file.empty()) return fmt::format("{} is left", run.left_file);
    if (const std::string cgroup = CgroupsOf({run.pid}); !cgroup.empty()) return fmt::format("{} is left", cgroup);
    if (attempt.verdict.empty() && run.result.status != 1 && HasNoVerdict(run)) return "";
    if (run.result.status == 0) return IsRight(attempt, run) ? "" : "another verdict";
    // 1 where a file that the user named cannot be opened or written: the sentence says why.
    if (run.result.status > 2) return fmt::format("it ends with status {}", run.result.status);
    if (!IsOneSentence(error.substr(std::min(error.find("tally: "), error.size())))) return "it says no sentence";
    const bool named = std::any_of(errors.begin(), errors.end(), [&](int number) { return Has(error, ErrnoText(number)); });
    return named ? "" : "it names no failing call";
  }

  ScratchFolder package_, work_;
};

bool Limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  return ::setrlimit(resource, &limit) == 0;
}

Scarcity Limited(const std::string& name, __rlimit_resource resource, rlim_t value) {
  return {.name = fmt::format("{} {}", name, value), .in_command = [=] { return Limit(resource, value, value); }};
}

// --- disk ---

// A file system of 1 MiB that is full, in the place of the folder to work in. Programs and package lie outside.
bool FillDisk(const std::string& folder) {
  if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  if (::mount("full", folder.c_str(), "tmpfs", 0, "size=1m") != 0 || ::mkdir((folder + "/tmp").c_str(), 0700) != 0) return false;
  const Fd filler(::open((folder + "/filler").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  const std::string page(4096, 'x');
  while (::write(filler.get(), page.data(), page.size()) > 0) {
  }
  return errno == ENOSPC;
}

TEST_CASE("on a full disk there is the right verdict, or one sentence and none", "[faults][exhaustion]") {
  const Host host;
  const Scarcity full{.name = "full disk", .in_nanny = [&host] { return FillDisk(host.work()); }};
  const std::vector<int> errors{ENOSPC};
  if (host.Check(Native(), full, errors) < 0) TALLY_SKIP("a small file system cannot be mounted here");
  host.Check(Translated(), full, errors);
  host.Check(WithChildren(), full, errors);
  host.Check(TooLarge(), full, errors);
  host.Check({RunOf({"--stdout", "output"}, "hello"), "no verdict"}, full, errors);
  host.Check({RunOf({"--stdout", "output", "--memory", "8M"}, "malloc_touch", {"32"}), "MLE"}, full, errors);
  host.Check(host.Judged(), full, errors);
}

// --- limits of this process ---

TEST_CASE("with few descriptors there is the right verdict, or one sentence and none", "[faults][exhaustion]") {
  if (kSanitized) TALLY_SKIP("a sanitizer makes such calls itself, and ends the process where they fail");
  const Host host;
  // EINVAL: of a number that a copy is to have; EPERM: the program is promised more than that.
  const std::vector<int> errors{EMFILE, EINVAL, EPERM};
  for (rlim_t most = 3; most <= 40; ++most) {
    const Scarcity few = Limited("descriptors", RLIMIT_NOFILE, most);
    host.Check(Native(), few, errors);
    host.Check(host.Judged(), few, errors);
    if (most % 3 == 0) host.Check(Translated(), few, errors);
  }
}

TEST_CASE("with little address space there is the right verdict, or one sentence and none", "[faults][exhaustion]") {
  if (kSanitized) TALLY_SKIP("a sanitizer takes terabytes of address space");
  const Host host;
  const std::vector<int> errors{ENOMEM, EPERM};
  for (const rlim_t mebibytes : {20, 24, 32, 48, 64, 96, 128, 256, 384, 512, 640, 768, 1024, 4096}) {
    const rlim_t most = mebibytes << 20;
    for (const rlim_t hard : {most, RLIM_INFINITY}) {
      const Scarcity little{.name = fmt::format("{} MiB of address space{}", mebibytes, hard == most ? "" : ", to be raised"),
                            .in_command = [=] { return Limit(RLIMIT_AS, most, hard); }};
      host.Check(Native(), little, errors);
      host.Check(Translated(), little, errors);
      host.Check(TooLarge(), little, errors);
    }
  }
}

TEST_CASE("where no file may be written there is the right verdict, or one sentence and none", "[faults][exhaustion]") {
  const Host host;
  const std::vector<int> errors{EFBIG, EPERM};
  for (const rlim_t hard : {rlim_t{0}, RLIM_INFINITY}) {
    const Scarcity none{.name = hard == 0 ? "no files" : "no files, to be raised", .in_command = [=] { return Limit(RLIMIT_FSIZE, 0, hard); }};
    host.Check(Native(), none, errors);
    host.Check(Translated(), none, errors);
    host.Check({RunOf({"--stdout", "output"}, "hello"), "OK"}, none, errors);
    host.Check(host.Judged(), none, errors);
  }
}

// Below that no program of this size begins: its first frames do not fit.
constexpr rlim_t kLeastStackKib = 128;

TEST_CASE("with a small stack there is the right verdict, or one sentence and none", "[faults][exhaustion]") {
  if (kSanitized) TALLY_SKIP("what a sanitizer adds does not fit into a small stack");
  const Host host;
  for (rlim_t kibibytes = kLeastStackKib; kibibytes <= 8192; kibibytes *= 2) {
    const Scarcity small = Limited("stack", RLIMIT_STACK, kibibytes << 10);
    for (const Attempt& attempt : {Native(), Translated(), host.Judged()}) host.Check(attempt, small, {EPERM});
  }
}

TEST_CASE("what limits tally, and may be raised, does not limit the program", "[faults][exhaustion]") {
  if (kSanitized) TALLY_SKIP("a sanitizer takes terabytes of address space");
  const Host host;
  const auto soft = [](__rlimit_resource resource, rlim_t value) {
    return Scarcity{.name = fmt::format("limit {}", static_cast<int>(resource)),
                    .in_command = [=] { return Limit(resource, value, RLIM_INFINITY); }};
  };
  const Attempt large{RunOf({"--memory", "200M"}, "malloc_touch", {"100"}), "OK", "END\n"};
  CHECK(host.Check(large, soft(RLIMIT_AS, 64 << 20), {}) == 0);
  CHECK(host.Check(large, soft(RLIMIT_DATA, 32 << 20), {}) == 0);
  CHECK(host.Check({RunOf({"--stdout", "output"}, "stdout_exact", {"100000"}), "OK"}, soft(RLIMIT_FSIZE, 1000), {}) == 0);
  CHECK(host.Check({RunOf({"--time", "1200ms"}, "busy_loop"), "TLE"}, soft(RLIMIT_CPU, 1), {}) == 0);
}

// --- processes ---

// Between these, tally has what it needs (itself, init, the program), and the host refuses the program's own three children.
// That is left out: nobody tells the judge of a fork(2) that the kernel refuses, and the program ends as it likes, which is RE.
bool RefusesProgramsChildren(rlim_t most) { return most >= 3 && most < 6; }

constexpr uid_t kLonelyUser = 64'123;  // one who has no other process (Debian policy 9.2.2: reserved)

bool BecomeUser(uid_t user) {
  return ::setgroups(0, nullptr) == 0 && ::setresgid(user, user, user) == 0 && ::setresuid(user, user, user) == 0 &&
         ::access(TallyPath().c_str(), X_OK) == 0 && ::access(TestProgram("hello").c_str(), R_OK) == 0;
}

TEST_CASE("who may have few processes gets the right verdict, or one sentence and none", "[faults][exhaustion]") {
  if (kSanitized) TALLY_SKIP("a sanitizer makes such calls itself, and ends the process where they fail");
  if (::geteuid() != 0) TALLY_SKIP("only root can become a user with no other process");
  const Host host;
  for (rlim_t most = 1; most <= 6; ++most) {
    const Scarcity few{.name = fmt::format("{} processes of a user", most),
                       .in_command = [=] { return BecomeUser(kLonelyUser) && Limit(RLIMIT_NPROC, most, most); }};
    std::vector<Attempt> attempts{Native(), Translated(), host.Judged()};
    if (!RefusesProgramsChildren(most)) attempts.push_back(WithChildren());
    for (const Attempt& attempt : attempts) {
      if (host.Check(attempt, few, {EAGAIN}) < 0) TALLY_SKIP("an ordinary user cannot read the executables");
    }
  }
}

// --- cgroups ---

// A cgroup of version 1 below ours. It cannot be removed while a cgroup or a process is left in it.
class OwnCgroup {
 public:
  explicit OwnCgroup(const std::string& controller) {
    for (std::string line, text = sys::ReadFile("/proc/self/cgroup"); !text.empty(); text.erase(0, line.size() + 1)) {
      line = text.substr(0, text.find('\n'));
      const std::size_t at = line.find(":" + controller + ":");
      if (at == std::string::npos) continue;
      const std::string folder = "/sys/fs/cgroup/" + controller + line.substr(at + controller.size() + 2);
      path_ = fmt::format("{}/exhaustion-{}", folder == "/" ? "" : folder, ::getpid());
      if (::mkdir(path_.c_str(), 0755) != 0) path_.clear();
      return;
    }
  }
  ~OwnCgroup() {
    if (exists()) CHECK(::rmdir(path_.c_str()) == 0);
  }
  OwnCgroup(const OwnCgroup&) = delete;
  OwnCgroup& operator=(const OwnCgroup&) = delete;

  [[nodiscard]] bool exists() const { return !path_.empty(); }
  [[nodiscard]] bool Set(const std::string& file, const std::string& value) const {
    return sys::TryWriteFile(path_ + "/" + file, value);
  }
  [[nodiscard]] bool Enter() const { return Set("cgroup.procs", "0"); }

 private:
  std::string path_;
};

TEST_CASE("in a cgroup of few processes there is the right verdict, or one sentence and none", "[faults][exhaustion]") {
  if (kSanitized) TALLY_SKIP("a sanitizer makes such calls itself, and ends the process where they fail");
  const Host host;
  const OwnCgroup cgroup("pids");
  if (!cgroup.exists()) TALLY_SKIP("a cgroup (version 1) for processes cannot be made here");
  for (int most = 1; most <= 6; ++most) {
    const Scarcity few{.name = fmt::format("{} processes of a cgroup", most), .in_command = [&cgroup] { return cgroup.Enter(); }};
    REQUIRE(cgroup.Set("pids.max", std::to_string(most)));
    std::vector<Attempt> attempts{Native(), Translated(), host.Judged()};
    if (!RefusesProgramsChildren(static_cast<rlim_t>(most))) attempts.push_back(WithChildren());
    for (const Attempt& attempt : attempts) host.Check(attempt, few, {EAGAIN});
  }
}

TEST_CASE("in a memory cgroup that is full there is the right verdict, or one sentence and none", "[faults][exhaustion]") {
  const Host host;
  if (kSanitized) TALLY_SKIP("a sanitizer fills it by itself: it is Tally that is killed, and what it leaves stays there");
  const OwnCgroup cgroup("memory");
  if (!cgroup.exists()) TALLY_SKIP("a memory cgroup (version 1) cannot be made here");
  for (int mebibytes = 1; mebibytes <= 16; ++mebibytes) {
    const Scarcity little{.name = fmt::format("{} MiB of a cgroup", mebibytes), .in_command = [&cgroup] { return cgroup.Enter(); }};
    REQUIRE(cgroup.Set("memory.limit_in_bytes", fmt::format("{}M", mebibytes)));
    for (const Attempt& attempt : {Native(), Translated(), WithChildren(), host.Judged()}) {
      host.Check(attempt, little, {ENOMEM}, true);
    }
  }
}

}  // namespace
}  // namespace tally
