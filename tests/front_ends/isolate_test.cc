// tally-isolate as its callers call it: --init, --run and --cleanup as processes, the meta file read as CMS reads it.
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/fd.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

using Meta = std::map<std::string, std::string>;

// As integrations do: what is in front of the first colon, and what is behind it.
Meta ReadMeta(const std::string& path) {
  std::ifstream in(path);
  Meta meta;
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    meta[line.substr(0, colon)] = colon == std::string::npos ? "" : line.substr(colon + 1);
  }
  return meta;
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

struct BoxResult {
  CliResult process;
  Meta meta;
  [[nodiscard]] std::string Get(const std::string& key) const { return meta.contains(key) ? meta.at(key) : "(absent)"; }
};

// A box of the test's own.
class TestBox {
 public:
  explicit TestBox(std::string options = "") : options_(std::move(options)) { made_ = Isolate(options_ + " --init"); }
  ~TestBox() { Isolate("--version >/dev/null; TALLY_ISOLATE_KEEPER=off \"$ISOLATE\" " + options_ + " --cleanup"); }
  TestBox(const TestBox&) = delete;
  TestBox& operator=(const TestBox&) = delete;

  CliResult Isolate(const std::string& words, const std::string& input = "") const {
    return Shell("\"$ISOLATE\" " + words, {.input = input, .environment = {"ISOLATE=" + BuildFolder() + "/bin/isolate", "TALLY_ISOLATE_ROOT=" + folder_.path() + "/boxes"}});
  }
  // `words`: options, --, and a program.
  [[nodiscard]] BoxResult Run(const std::string& words, const std::string& input = "") const {
    BoxResult result;
    result.process = Isolate(fmt::format("{} --meta={}/meta --run {}", options_, folder_.path(), words), input);
    result.meta = ReadMeta(folder_.path() + "/meta");
    return result;
  }
  [[nodiscard]] BoxResult RunTest(const std::string& program, const std::string& words = "", const std::string& arguments = "") const {
    std::filesystem::copy_file(TestProgram(program), path() + "/" + program, std::filesystem::copy_options::overwrite_existing);
    return Run(fmt::format("{} -- ./{} {}", words, program, arguments));
  }
  // Of the program's folder on this machine, as the user reads it from what --init printed.
  [[nodiscard]] std::string path() const { return made_.out.substr(0, made_.out.find('\n')) + "/box"; }
  [[nodiscard]] const CliResult& made() const { return made_; }
  [[nodiscard]] const std::string& folder() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
  std::string options_;
  CliResult made_;
};

TEST_CASE("isolate: --init makes a box and prints its folder, --cleanup removes it, and both may be said twice", "[isolate]") {
  const TestBox box("-b 7");
  CHECK(box.made().status == 0);
  CHECK(box.made().out.ends_with("/boxes/7\n"));
  CHECK(std::filesystem::is_directory(box.path()));
  std::ofstream(box.path() + "/left") << "over";
  CHECK(box.Isolate("-b 7 --init").status == 0);
  CHECK_FALSE(std::filesystem::exists(box.path() + "/left"));
  CHECK(box.Isolate("-b 7 --cleanup").status == 0);
  CHECK_FALSE(std::filesystem::exists(box.path()));
  CHECK(box.Isolate("-b 7 --cleanup").status == 0);
  const BoxResult gone = box.Run("-- ./program");
  CHECK(gone.process.status == 2);
  CHECK(gone.Get("status") == "XX");
  CHECK(Has(gone.process.error, "isolate --init"));
}

struct Case {
  std::string program, options, arguments;
  int status;
  std::string code, exit_code, signal, message;
  bool killed;
};

TEST_CASE("isolate: each end has its status, its keys and its message", "[isolate]") {
  const TestBox box;
  const std::string absent = "(absent)";
  const Case cases[] = {
      {"hello", "", "", 0, absent, "0", absent, absent, false},
      {"exit_code", "", "7", 1, "RE", "7", absent, "Exited with error status 7", false},
      {"abort", "", "", 1, "SG", absent, "6", "Caught fatal signal 6", false},
      {"segfault_null", "", "", 1, "SG", absent, "11", "Caught fatal signal 11", false},
      {"busy_loop", "--time=0.1", "", 1, "TO", absent, absent, "Time limit exceeded", true},
      {"sleep_forever", "--wall-time=0.1", "", 1, "TO", absent, absent, "Time limit exceeded (wall clock)", true},
      {"stdout_flood", "--fsize=64 --stdout=out", "", 1, "SG", absent, "25", "Caught fatal signal 25", false},
  };
  for (const Case& one : cases) {
    CAPTURE(one.program);
    const BoxResult result = box.RunTest(one.program, one.options, one.arguments);
    CAPTURE(result.process.error);
    CHECK(result.process.status == one.status);
    CHECK(result.Get("status") == one.code);
    CHECK(result.Get("exitcode") == one.exit_code);
    CHECK(result.Get("exitsig") == one.signal);
    CHECK(result.Get("message") == one.message);
    CHECK((result.Get("killed") == "1") == one.killed);
    for (const char* key : {"time", "time-wall"}) CHECK(Has(result.Get(key), "."));
    for (const char* key : {"max-rss", "csw-voluntary", "csw-forced"}) CHECK(std::stoi(result.Get(key)) >= 0);
    CHECK(std::stoi(result.Get("max-rss")) > 0);
    CHECK(Has(result.Get("isolation"), "full"));
    CHECK(result.process.error.ends_with(one.message == absent ? " sec wall)\n" : one.message + "\n"));
  }
}

TEST_CASE("isolate: with extra time a program that is late is told its time", "[isolate]") {
  const TestBox box;
  const BoxResult late = box.RunTest("burn_cpu", "--time=0.05 --extra-time=20", "200");
  CHECK(late.process.status == 1);
  CHECK(late.Get("status") == "TO");
  CHECK(late.Get("killed") == "(absent)");
  CHECK(std::stod(late.Get("time")) > 0.05);
}

TEST_CASE("isolate: a memory limit with --cg ends the program, and says so", "[isolate]") {
  const TestBox box("--cg");
  const BoxResult result = box.RunTest("malloc_unchecked", "--cg-mem=16384");
  CHECK(result.process.status == 1);
  CHECK(result.Get("status") == "SG");
  CHECK(std::stoi(result.Get("cg-mem")) > 0);
  if (Has(result.Get("memory-metric"), "cgroup")) CHECK(result.Get("cg-oom-killed") == "1");
  CHECK(box.RunTest("hello").Get("cg-mem") != "(absent)");
}

TEST_CASE("isolate: an address space limit is the program's to live with", "[isolate]") {
  const TestBox box;
  CHECK(box.RunTest("malloc_refused_survives", "--mem=65536").process.status == 0);
}

TEST_CASE("isolate: streams are files as the program would name them", "[isolate]") {
  const TestBox box;
  std::ofstream(box.path() + "/in") << "1 2 3\n";
  CHECK(box.RunTest("echo_stdin", "--stdin=in --stdout=/box/out").process.status == 0);
  CHECK(Has(ReadFile(box.path() + "/out"), "1 2 3"));
  CHECK(box.Run("--stdout=both --stderr-to-stdout -- /bin/sh -c 'echo out; echo error >&2'").process.status == 0);
  CHECK(ReadFile(box.path() + "/both") == "out\nerror\n");
  const BoxResult missing = box.Run("--stdin=nothing -- /bin/true");
  CHECK(missing.process.status == 2);
  CHECK(missing.Get("status") == "XX");
}

TEST_CASE("isolate: a link that a program has left leads nowhere outside of its box", "[isolate]") {
  const TestBox box("--special-files");
  const ScratchFolder outside;
  std::ofstream(outside.path() + "/secret") << "secret";
  CHECK(box.Run(fmt::format("-p -- /bin/sh -c 'ln -s {0}/secret in; ln -s {0}/made out'", outside.path())).process.status == 0);
  CHECK(std::filesystem::is_symlink(box.path() + "/in"));
  CHECK(box.Run("--stdin=in -- /bin/cat").process.status == 2);
  CHECK(box.Run("--stdout=out -- /bin/echo hi").process.status == 2);
  CHECK_FALSE(std::filesystem::exists(outside.path() + "/made"));
}

TEST_CASE("isolate: what a program leaves is the caller's, and its links are not kept unless asked for", "[isolate]") {
  const char* const script = "-p -- /bin/sh -c 'mkdir -p a/b; echo x > a/b/c; chmod 700 a; ln -s c a/b/link'";
  const TestBox box;
  REQUIRE(box.Run(script).process.status == 0);
  CHECK(ReadFile(box.path() + "/a/b/c") == "x\n");
  CHECK_FALSE(std::filesystem::is_symlink(box.path() + "/a/b/link"));
  struct stat status {};
  REQUIRE(::stat((box.path() + "/a/b/c").c_str(), &status) == 0);
  CHECK(status.st_uid == ::geteuid());
  const TestBox keeping("--special-files");
  REQUIRE(keeping.Run(script).process.status == 0);
  CHECK(std::filesystem::is_symlink(keeping.path() + "/a/b/link"));
}

TEST_CASE("isolate: what one run writes in the box the next one finds, and nothing of its /tmp", "[isolate]") {
  const TestBox box;
  CHECK(box.Run("-p -- /bin/sh -c 'echo one > here; echo two > /tmp/there'").process.status == 0);
  CHECK(box.Run("-p -- /bin/sh -c 'cat here; cat /tmp/there'").process.out == "one\n");
}

TEST_CASE("isolate: the environment is what was asked for", "[isolate]") {
  const TestBox box;
  CHECK(box.Run("-- /usr/bin/env").process.out == "LIBC_FATAL_STDERR_=1\n");
  const std::string out = box.Run("-E HOME=/tmp -E LIBC_FATAL_STDERR_= -E ISOLATE -- /usr/bin/env").process.out;
  CHECK(Has(out, "HOME=/tmp\n"));
  CHECK(Has(out, "ISOLATE=/"));
  CHECK_FALSE(Has(out, "LIBC_FATAL"));
  CHECK(Has(box.Run("-e -- /usr/bin/env").process.out, "TALLY_ISOLATE_ROOT="));
}

TEST_CASE("isolate: folders are shown by rules, read-only unless they say more", "[isolate]") {
  const TestBox box;
  const ScratchFolder data;
  std::ofstream(data.path() + "/file") << "data\n";
  ::chmod(data.path().c_str(), 0777);
  const std::string rule = "-d /data=" + data.path();
  CHECK(box.Run(rule + " -- /bin/cat /data/file").process.out == "data\n");
  CHECK(box.Run(rule + " -p -- /bin/sh -c 'echo x > /data/new'").process.status == 1);
  CHECK(box.Run(rule + ":rw -p -- /bin/sh -c 'echo x > /data/new'").process.status == 0);
  CHECK(std::filesystem::exists(data.path() + "/new"));
  CHECK(box.Run("-d /no-such-folder -- /bin/true").process.status == 2);
  CHECK(Has(box.Run("-d /tmp/data=/usr -- /bin/true").process.error, "/tmp/data lies in /tmp"));
  CHECK(box.Run("-d /no-such-folder:maybe -- /bin/true").process.status == 0);
  CHECK(box.Run("-d proc= -- /bin/ls /proc").process.status == 1);
  CHECK_FALSE(Has(box.Run("-- /bin/ls /proc").process.out, "meminfo"));
  CHECK(Has(box.Run("-- /bin/ls /proc").process.out, "self"));
  CHECK(Has(box.Run("-p -- /bin/ls /proc").process.out, "meminfo"));
  CHECK(box.Run("-- /bin/ls /etc").process.status == 1);
}

TEST_CASE("isolate: one process unless more are allowed", "[isolate]") {
  const TestBox box;
  CHECK(box.RunTest("threads_ok").process.status == 1);
  CHECK(box.RunTest("threads_ok", "--processes").process.status == 0);
  CHECK(box.RunTest("threads_ok", "--processes=20").process.status == 0);
  const BoxResult bomb = box.RunTest("fork_bomb", "-p20 --wall-time=20");
  CHECK(bomb.process.status == 1);
}

TEST_CASE("isolate: a program that cannot be executed ends with 127", "[isolate]") {
  const TestBox box;
  const BoxResult result = box.Run("-- /box/nothing");
  CHECK(result.process.status == 1);
  CHECK(result.Get("exitcode") == "127");
  CHECK(result.Get("status") == "RE");
}

TEST_CASE("isolate: instructions are told behind what isolate tells, exactly where the translator counts", "[isolate]") {
  const TestBox box;
  const BoxResult once = box.RunTest("hello", "--counter=translator"), again = box.RunTest("hello", "--counter=translator");
  CHECK(std::stoi(once.Get("instructions")) > 1000);
  CHECK(once.Get("instructions") == again.Get("instructions"));
  CHECK(Has(once.Get("virtual-time"), "0.0"));
}

TEST_CASE("isolate: a box that its program has closed is looked through as well", "[isolate]") {
  const TestBox box;
  CHECK(box.Run("-p -- /bin/sh -c 'ln -s /etc/passwd answer; cp /bin/true sh; chmod 6777 sh; chmod 0111 .'").process.status == 0);
  CHECK_FALSE(std::filesystem::is_symlink(box.path() + "/answer"));
  struct stat status {};
  REQUIRE(::stat((box.path() + "/sh").c_str(), &status) == 0);
  CHECK((status.st_mode & 07000) == 0);
  REQUIRE(::stat(box.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0700);
}

void MakeWithoutKeeper(const TestBox& box) {
  REQUIRE(box.Isolate("--cleanup; TALLY_ISOLATE_KEEPER=off \"$ISOLATE\" --init").status == 0);
}

TEST_CASE("isolate: with the keeper of --init and without one runs are the same", "[isolate]") {
  const TestBox kept;
  CHECK(std::filesystem::exists(kept.folder() + "/boxes/0.socket"));
  const TestBox bare;
  MakeWithoutKeeper(bare);
  CHECK_FALSE(std::filesystem::exists(bare.folder() + "/boxes/0.socket"));
  for (const TestBox* box : {&kept, &bare}) {
    std::ofstream(box->path() + "/in") << "from the box\n";
    for (int i = 0; i < 3; ++i) {
      CHECK(Has(box->Run("-v -- /bin/true").process.error, box == &kept ? "Run by the box's keeper\n" : "Run without a keeper\n"));
      CHECK(box->Run("-- /bin/cat", "from the caller\n").process.out == "from the caller\n");
      CHECK(box->Run("--stdin=in -E A=b -- /usr/bin/env cat").process.out == "from the box\n");
      CHECK(box->Run("-p -d /data=/usr/share -- /bin/sh -c 'ls /data | head -c 1; exit 3'").Get("exitcode") == "3");
      CHECK(box->Run("-- /box/nothing").Get("exitcode") == "127");
      CHECK(box->Run("--stdin=none -- /bin/cat").Get("status") == "XX");
    }
  }
}

struct stat StatOf(const std::string& path) {
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status;
}

// The places where a folder's list goes on behind its names, one of which is new.
std::vector<long> PlacesIn(const std::string& path) {
  std::ofstream(path + "/new") << "x";
  std::vector<long> places;
  DIR* const folder = ::opendir(path.c_str());
  REQUIRE(folder != nullptr);
  while (const dirent* entry = ::readdir(folder)) places.push_back(entry->d_off);
  ::closedir(folder);
  return places;
}

// Then no box is the keeper's twice.
bool AreNamesCounted(const TestBox& box) {
  const std::vector<long> first = PlacesIn(box.folder());
  std::filesystem::remove(box.folder() + "/new");
  return first != PlacesIn(box.folder());
}

// The keeper's process, which has the test's folder in its environment and no number in a namespace of its own, as what it has started has.
pid_t KeeperOf(const TestBox& box) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid > 0 && Has(ReadFile(entry.path() / "environ"), box.folder() + "/boxes") && Has(ReadFile(entry.path() / "status"), fmt::format("NSpid:\t{}\n", pid))) return pid;
  }
  return 0;
}

TEST_CASE("isolate: a keeper that gets a signal between runs ends, removes what it has hidden, and no later run is told of it", "[isolate]") {
  const TestBox box;
  if (AreNamesCounted(box)) return;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    CAPTURE(signal);
    CHECK(Has(box.Run("-v -- /bin/true").process.error, "Run by the box's keeper"));
    REQUIRE(KeeperOf(box) > 0);
    CHECK(::kill(KeeperOf(box), signal) == 0);
    CHECK(box.Run("-- /bin/true").Get("exitcode") == "0");
    CHECK(box.Isolate("--init").status == 0);
    CHECK(box.Isolate("--cleanup").status == 0);
    REQUIRE(KeeperOf(box) > 0);
    CHECK(::kill(KeeperOf(box), signal) == 0);
    for (int i = 0; i < 200 && KeeperOf(box) != 0; ++i) ::usleep(10'000);
    CHECK_FALSE(std::filesystem::exists(box.folder() + "/boxes/0.kept"));
    CHECK_FALSE(std::filesystem::exists(box.folder() + "/boxes/0.socket"));
    CHECK(box.Isolate("--init").status == 0);
  }
}

TEST_CASE("isolate: how many files a box has had cannot be told from the next one, also where the file system counts them", "[isolate]") {
  const TestBox box;
  const std::string root = fmt::format("/dev/shm/tally-isolate-test-{}", ::getpid());
  const auto isolate = [&](const std::string& command) { return box.Isolate(fmt::format("--version >/dev/null; TALLY_ISOLATE_ROOT={} \"$ISOLATE\" {}", root, command)).status; };
  std::vector<long> first;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(isolate("--init") == 0);
    const std::vector<long> places = PlacesIn(root + "/0/box");
    if (i == 0) first = places;
    CHECK(places == first);
    for (int file = 0; file < 10; ++file) std::ofstream(fmt::format("{}/0/box/{}", root, file)) << "x";
    ::usleep(100'000);  // the keeper is ready
    CHECK(isolate("--cleanup") == 0);
  }
  std::filesystem::remove_all(root);
}

TEST_CASE("isolate: a keeper whose root was removed touches nothing of the next one", "[isolate]") {
  const TestBox box;
  if (AreNamesCounted(box)) return;
  const std::string hidden = box.folder() + "/boxes/0.kept";
  CHECK(Has(box.Run("-v -- /bin/true").process.error, "Run by the box's keeper"));
  CHECK(box.Isolate("--cleanup").status == 0);
  const pid_t keeper = KeeperOf(box);
  REQUIRE(keeper > 0);
  std::filesystem::remove_all(box.folder() + "/boxes");
  std::filesystem::create_directories(hidden + "/box");
  std::ofstream(box.folder() + "/boxes/0.socket") << "another's";
  ::kill(keeper, SIGTERM);
  for (int i = 0; i < 200 && KeeperOf(box) != 0; ++i) ::usleep(10'000);
  CHECK(std::filesystem::exists(hidden + "/box"));
  CHECK(std::filesystem::exists(box.folder() + "/boxes/0.socket"));
}

TEST_CASE("isolate: a box that is made again soon after --cleanup is the keeper's, and tells nothing of the last one", "[isolate]") {
  const TestBox box;
  if (AreNamesCounted(box)) return;
  const std::string path = box.path();
  const struct stat first = StatOf(path);
  for (const char* left : {"echo x > f", "mkdir -p a/b; ln -s /etc/passwd a/link; chmod 0 a", "touch -d 1990-01-01 .", "chmod 0777 .", "mkfifo p; touch .hidden"}) {
    CAPTURE(left);
    std::ofstream(path + "/mine") << "x";
    std::ofstream(path + "/../beside") << "x";
    CHECK(box.Run(fmt::format("-v -p -- /bin/sh -c '{}'", left)).Get("exitcode") == "0");
    CHECK(box.Isolate("--cleanup").status == 0);
    CHECK_FALSE(std::filesystem::exists(path + "/.."));
    const BoxResult gone = box.Run("-- /bin/true");
    CHECK(Has(gone.process.error, "isolate --init"));
    CHECK(box.Isolate("--cleanup").status == 0);
    const time_t before = ::time(nullptr);
    const CliResult made = box.Isolate("--init");
    CHECK(made.out == box.made().out);
    CHECK(made.error.empty());
    const struct stat now = StatOf(path);
    CHECK(now.st_ino == first.st_ino);
    CHECK(now.st_mode == first.st_mode);
    CHECK(now.st_size == first.st_size);
    CHECK(now.st_uid == first.st_uid);
    CHECK(now.st_mtime >= before);
    CHECK(now.st_atime >= before);
    CHECK(std::filesystem::is_empty(path));
    CHECK_FALSE(std::filesystem::exists(path + "/../beside"));
    CHECK(Has(box.Run("-v -- /bin/true").process.error, "Run by the box's keeper"));
    CHECK(box.Run("-p -- /bin/sh -c 'ls -A | wc -l'").process.out == "0\n");
  }
  CHECK(box.Isolate("--init").status == 0);  // of one that is there
  CHECK(std::filesystem::is_empty(path));
  CHECK(StatOf(path).st_ino == first.st_ino);
}

TEST_CASE("isolate: a box's access rights and attributes are those of a new one", "[isolate]") {
  const TestBox box;
  if (::setxattr(box.path().c_str(), "user.note", "x", 1, 0) != 0) return;  // such a file system
  CHECK(box.Isolate("--cleanup").status == 0);
  CHECK(box.Isolate("--init").status == 0);
  CHECK(::getxattr(box.path().c_str(), "user.note", nullptr, 0) < 0);
}

TEST_CASE("isolate: a box is made anew where the keeper's is not as it was, or not for who asks", "[isolate]") {
  const TestBox box;
  if (AreNamesCounted(box)) return;
  const auto ends = [&](const std::string& before, const std::string& init) {
    CAPTURE(before, init);
    const ino_t old = StatOf(box.path()).st_ino;
    const Fd held(::open(box.path().c_str(), O_PATH | O_CLOEXEC));  // so that its number is nobody else's
    box.Isolate("--version >/dev/null; " + before + "; \"$ISOLATE\" --cleanup");
    CHECK_FALSE(std::filesystem::exists(box.path()));
    CHECK(box.Isolate("--version >/dev/null; " + init).status == 0);
    CHECK_FALSE(std::filesystem::exists(box.folder() + "/boxes/0.kept"));
    CHECK(std::filesystem::is_empty(box.path()));
    return StatOf(box.path()).st_ino != old || !std::filesystem::exists(box.folder() + "/boxes/0.socket");
  };
  CHECK(ends("true", "umask 077; \"$ISOLATE\" --init"));
  CHECK(ends("true", "\"$ISOLATE\" --cg --init"));
  CHECK(ends("true", "nice \"$ISOLATE\" --init"));
  CHECK(ends("true", "TALLY_ISOLATE_KEEPER=off \"$ISOLATE\" --init"));
  box.Isolate("--init");
  CHECK(std::filesystem::exists(box.folder() + "/boxes/0.socket"));
  box.Isolate("--cleanup");
  CHECK(std::filesystem::exists(box.folder() + "/boxes/0.kept"));
  box.Isolate("--version >/dev/null; TALLY_ISOLATE_KEEPER=off \"$ISOLATE\" --cleanup");
  CHECK_FALSE(std::filesystem::exists(box.folder() + "/boxes/0.kept"));
  CHECK_FALSE(std::filesystem::exists(box.folder() + "/boxes/0.socket"));
}

std::string Replaced(std::string text, const std::string& old, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) text.replace(at, old.size(), by);
  return text;
}

// Without what differs from run to run.
struct Said {
  int status;
  std::string text, meta;
};

Said RunWording(const TestBox& box, const std::string& command) {
  std::filesystem::remove(box.folder() + "/meta");
  std::ofstream(box.folder() + "/script") << command << "\n";
  const CliResult result = box.Isolate(fmt::format("--version >/dev/null; cd {0}; META={0}/meta bash script >said 2>&1; status=$?; sed -E 's/[0-9.]+ sec/N sec/g; s/tmp-[A-Za-z0-9]+/tmp/' said; exit $status", box.folder()));
  Said said{result.status, Replaced(result.out + result.error, box.folder(), "FOLDER"), ""};
  for (const auto& [key, value] : ReadMeta(box.folder() + "/meta")) {
    const bool varies = key.starts_with("time") || key.starts_with("csw") || key == "max-rss";
    said.meta += key + ":" + (varies ? "" : Replaced(value, box.folder(), "FOLDER")) + "\n";
  }
  return said;
}

struct Wording {
  std::string command;  // $ISOLATE is isolate; $META is where the meta file is to be
  bool kept = true;     // a keeper serves it
};

// A run's words go to the keeper before libc is there to read them.
TEST_CASE("isolate: however a run is worded, and whatever its caller lacks, one with a keeper says what one without says", "[isolate]") {
  const Wording wordings[] = {
      {"$ISOLATE -v -b0 -M$META --run -- /bin/sh -c 'exit 4'"},
      {"$ISOLATE -vsb 0 -M $META --run -- /bin/false"},
      {"$ISOLATE -svb0 --meta $META --run /bin/false"},
      {"$ISOLATE --box-id 0 -v --run -- /bin/echo --cleanup -b 3"},
      {"$ISOLATE -v --stderr err -E b=5 -p --run -- /usr/bin/env"},
      {"$ISOLATE -v --env=-b7 --run -- /bin/true"},
      {"$ISOLATE -v --box=0 --run -- /bin/echo box", false},
      {"$ISOLATE -v --ru -- /bin/echo run", false},
      {"$ISOLATE --box-id=x -M$META --run -- /bin/true", false},
      {"$ISOLATE -b 99999999999 -M$META --run -- /bin/true", false},
      {"$ISOLATE -b 4 -M$META --run -- /bin/true", false},
      {"$ISOLATE -M$META --run", false},
      {"$ISOLATE -M$META --run --nonsense -- /bin/true", false},
      {"$ISOLATE -M$META --mem=much --run -- /bin/true", false},
      {"$ISOLATE -M$META --run --init -- /bin/true", false},
      {"$ISOLATE -M$META -d /x=/nowhere-at-all --run -- /bin/true"},
      {"$ISOLATE -v -M/nowhere/meta --run -- /bin/true", false},
      {"$ISOLATE -v -M/dev/full --run -- /bin/true"},
      {"$ISOLATE -v -M/dev/stdout --run -- /bin/true | grep -e Run -e exitcode"},
      {"$ISOLATE -v -M. --run -- /bin/true", false},
      {"umask 077; $ISOLATE -v --run -- /bin/sh -c 'umask'", false},
      {"ulimit -n 100; $ISOLATE -v --run -- /bin/true", false},
      {"ulimit -t 500; $ISOLATE -v --run -- /bin/true", false},
      {"ulimit -v 4000000; $ISOLATE -v --run -- /bin/true", false},
      {"ulimit -u 4000; $ISOLATE -v -p --run -- /bin/sh -c 'ulimit -H -u'", false},
      {"setarch -R $ISOLATE -v --run -- /bin/true", false},
      {"chrt -b 0 $ISOLATE -v --run -- /bin/true", false},
      {"nice -n 3 $ISOLATE -v --run -- /bin/true", false},
      {"$ISOLATE -v -M$META --run -- /bin/cat <&-", false},
      {"$ISOLATE -v -M$META --run -- /bin/echo x >&-", false},
      {"ulimit -S -f 0; $ISOLATE -v -M$META --run -- /bin/true"},
      {"(trap '' HUP; exec $ISOLATE -v -M$META --run -- /bin/sleep 0.5) & child=$!; sleep 0.2; kill -HUP $child; wait $child"},
      {"$ISOLATE -v -M$META --run -- /bin/sleep 0.5 & child=$!; sleep 0.2; kill -PIPE $child; wait $child"},
      {"rm -f pipe; mkfifo pipe; cat pipe >read & $ISOLATE -v -Mpipe --run -- /bin/true; wait; grep -e exitcode read"},
      {"rm -f pipe; mkfifo pipe; timeout 1 $ISOLATE -v -Mpipe --run -- /bin/true"},
      {"cd /; $ISOLATE -v --inherit-fds --run -- /bin/true", false},
      {"cd $TALLY_ISOLATE_ROOT/..; export TALLY_ISOLATE_ROOT=boxes; $ISOLATE -v -Mmeta --run -- /bin/echo relative"},
      {"env -i TALLY_ISOLATE_ROOT=$TALLY_ISOLATE_ROOT $ISOLATE -v -e -M$META --run -- /usr/bin/env"},
      {"export BIG=$(head -c 100000 /dev/zero | tr '\\0' x) MORE=$(head -c 100000 /dev/zero | tr '\\0' x); $ISOLATE -v -M$META --run -- /bin/true", false},
      {"$ISOLATE -v -M$META --run -- /bin/sleep 5 & child=$!; sleep 0.2; kill -TERM $child; wait $child"},  // which ends the keeper, too
  };
  const TestBox kept, bare;
  MakeWithoutKeeper(bare);
  for (const Wording& wording : wordings) {
    CAPTURE(wording.command);
    const Said by_keeper = RunWording(kept, wording.command), alone = RunWording(bare, wording.command);
    CHECK(by_keeper.status == alone.status);
    CHECK(Replaced(by_keeper.text, "Run by the box's keeper", "Run without a keeper") == alone.text);
    CHECK(by_keeper.meta == alone.meta);
    if (Has(alone.text, "Run without")) CHECK(Has(by_keeper.text, "Run by the box's keeper") == wording.kept);
  }
}

Fd ConnectedTo(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  REQUIRE(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return socket;
}

// A --run's words, and one descriptor more than go with them.
void SendFourDescriptors(int socket) {
  std::string words{"run\0001\0isolate\0", 14};
  iovec part{words.data(), words.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(4 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(4 * sizeof(int));
  const std::array<int, 4> descriptors{0, 1, 2, 0};
  std::memcpy(CMSG_DATA(header), descriptors.data(), sizeof descriptors);
  REQUIRE(::sendmsg(socket, &message, 0) == static_cast<ssize_t>(words.size()));
}

TEST_CASE("isolate: who connects to the keeper and says nothing, or sends what it does not take, keeps no run from it", "[isolate]") {
  const TestBox box;
  const std::string path = box.folder() + "/boxes/0.socket";
  {
    const Fd silent = ConnectedTo(path);
    CHECK(box.Isolate("--version >/dev/null; timeout -k 0.5 0.2 \"$ISOLATE\" --run -- /bin/true; echo $?").out == "124\n");
  }
  const Fd silent = ConnectedTo(path), odd = ConnectedTo(path);
  SendFourDescriptors(odd.get());
  CHECK(Has(box.Run("-v -- /bin/true").process.error, "Run by the box's keeper\n"));
}

// As CMS has it where two programs talk: each end is opened by another run.
TEST_CASE("isolate: a run that waits for the other end of a named pipe begins with it, and ends by SIGTERM", "[isolate]") {
  const TestBox kept, bare;
  MakeWithoutKeeper(bare);
  for (const TestBox* box : {&kept, &bare}) {
    CHECK(box->Run("-- /bin/true").process.status == 0);
    REQUIRE(::mkfifo((box->path() + "/pipe").c_str(), 0666) == 0);
    const auto waiting = [&](const std::string& meanwhile) {
      return box->Isolate("--version >/dev/null; timeout -k 1 2 \"$ISOLATE\" --special-files --stdin=pipe --run -s -- /bin/cat & " + meanwhile + "; wait $!; echo $?").out;
    };
    CHECK(waiting("echo word >" + box->path() + "/pipe") == "word\n0\n");
    CHECK(waiting("sleep 0") == "124\n");
    CHECK(box->Isolate("--cleanup").status == 0);
  }
}

TEST_CASE("isolate: a folder that is another one at the next run is seen as it is then", "[isolate]") {
  const TestBox box;
  const std::string folder = box.folder() + "/data";
  for (const char* text : {"one\n", "two\n"}) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    ::chmod(folder.c_str(), 0755);
    std::ofstream(folder + "/file") << text;
    CHECK(box.Run("-d /data=" + folder + " -- /bin/cat /data/file").process.out == text);
  }
}

TEST_CASE("isolate: when who asked for a run is killed, its program ends, and the box can be used again", "[isolate]") {
  const TestBox box;
  const std::string name = "sleep 300." + std::to_string(::getpid());
  box.Isolate("--run -- /bin/" + name + " & child=$!; sleep 0.5; kill -9 $child; wait $child; sleep 0.5");
  CHECK(Shell("grep -lzx '300." + std::to_string(::getpid()) + "' /proc/[0-9]*/cmdline 2>/dev/null").out.empty());
  CHECK(box.Run("-- /bin/echo again").process.out == "again\n");
}

TEST_CASE("isolate: a box that somebody has made a link is refused, and where it leads stays as it is", "[isolate]") {
  TestBox box;
  const ScratchFolder elsewhere;
  std::filesystem::permissions(elsewhere.path(), std::filesystem::perms(0755));
  std::ofstream(elsewhere.path() + "/file") << "x";
  std::filesystem::remove_all(box.path());
  std::filesystem::create_directory_symlink(elsewhere.path(), box.path());
  const BoxResult result = box.Run("-- /bin/true");
  CHECK(result.process.status == 2);
  CHECK(Has(result.process.error, "/box is not a folder"));
  CHECK(result.Get("status") == "XX");
  CHECK(std::filesystem::status(elsewhere.path()).permissions() == std::filesystem::perms(0755));
  box.Isolate("--cleanup");
  CHECK(std::filesystem::exists(elsewhere.path() + "/file"));
}

TEST_CASE("isolate: where a link leads that has got the number of the box's folder nothing is removed", "[isolate]") {
  const ScratchFolder elsewhere;
  std::ofstream(elsewhere.path() + "/file") << "x";
  for (int left = 50; left > 0; --left) {
    const TestBox box;
    const ino_t number = StatOf(box.path()).st_ino;
    std::filesystem::remove_all(box.path());
    std::filesystem::create_directory_symlink(elsewhere.path(), box.path());
    if (StatOf(box.path()).st_ino == number) left = 0;  // which is so where the keeper was not ready yet
    CHECK(box.Isolate("--cleanup").status == 0);
    REQUIRE(std::filesystem::exists(elsewhere.path() + "/file"));
  }
}

TEST_CASE("isolate: a box that somebody has moved is not emptied through a link to it", "[isolate]") {
  for (const std::string command : {"--cleanup", "--init"}) {
    const TestBox box;
    const std::string moved = box.folder() + "/moved", there = box.folder() + "/boxes/0";
    std::filesystem::rename(there, moved);
    std::filesystem::create_directory_symlink(moved, there);
    std::ofstream(moved + "/mine") << "x";
    CHECK(box.Isolate(command).status == 0);
    CHECK(std::filesystem::exists(moved + "/mine"));
    CHECK_FALSE(std::filesystem::is_symlink(there));
  }
}

TEST_CASE("isolate: links are not kept, however deep they lie, in closed folders, or after an interrupted run", "[isolate]") {
  const TestBox box;
  const auto links = [&] { return Shell("find " + box.path() + " -type l | wc -l").out; };
  CHECK(box.Run("-p -- /bin/sh -c 'i=0; while [ $i -lt 150 ]; do mkdir d; cd d; ln -s /etc/passwd link; i=$((i+1)); done'").process.status == 0);
  CHECK(links() == "0\n");
  CHECK(box.Run("-p -- /bin/sh -c 'mkdir a; ln -s /etc/passwd a/link; chmod 111 a'").process.status == 0);
  CHECK(links() == "0\n");
  for (const char* keeper : {"on", "off"}) {
    CAPTURE(keeper);
    box.Isolate("--init");
    const CliResult ended = box.Isolate(fmt::format("--version >/dev/null; export TALLY_ISOLATE_KEEPER={0}; \"$ISOLATE\" --init >/dev/null; echo exitcode:0 > {1}/meta; "
                                                    "\"$ISOLATE\" --meta={1}/meta --run -p -- /bin/sh -c 'ln -s /etc/passwd link; sleep 20' & child=$!; sleep 0.5; kill -TERM $child; wait $child; echo $?", keeper, box.folder()));
    CHECK(ended.out == "1\n");
    CHECK(links() == "0\n");
    const Meta meta = ReadMeta(box.folder() + "/meta");
    CHECK(meta.at("status") == "SG");
    CHECK(meta.at("exitsig") == "15");
    CHECK_FALSE(meta.contains("exitcode"));
  }
}

TEST_CASE("isolate: a program has no sockets, by which it might reach one of this machine's", "[isolate]") {
  const TestBox box;
  const BoxResult result = box.Run("-p -- /usr/bin/python3 -c 'import socket; socket.socket(socket.AF_UNIX)'");
  CHECK(result.process.status == 1);
  CHECK(Has(result.process.error, "PermissionError"));
}

TEST_CASE("isolate: the limit on files holds for the caller's own, also where that holds something", "[isolate]") {
  const TestBox box;
  const CliResult result = box.Isolate(fmt::format("--fsize=64 --run -- /usr/bin/yes >> {0}/log; echo $?; stat -c %s {0}/log", box.folder()));
  CHECK(Has(result.error, "Caught fatal signal 25"));
  std::ofstream(box.folder() + "/log") << "something\n";
  const CliResult again = box.Isolate(fmt::format("--fsize=64 --run -- /usr/bin/yes >> {0}/log; stat -c %s {0}/log", box.folder()));
  CHECK(Has(again.error, "Caught fatal signal 25"));
  CHECK(std::stoi(again.out) < 200'000);
}

TEST_CASE("isolate: a run has its caller's processors, with a keeper as well", "[isolate]") {
  const TestBox box;
  CHECK(Has(box.Run("-v -- /bin/true").process.error, "by the box's keeper"));
  CHECK(box.Isolate("--version >/dev/null; taskset -c 0 \"$ISOLATE\" --run -- /usr/bin/nproc").out == "1\n");
}

TEST_CASE("isolate: setuid files and open folders of a program's are not left", "[isolate]") {
  const TestBox box;
  REQUIRE(box.Run("-p -- /bin/sh -c 'cp /bin/true t; chmod 6777 t; chmod 777 .'").process.status == 0);
  struct stat status {};
  REQUIRE(::stat((box.path() + "/t").c_str(), &status) == 0);
  CHECK((status.st_mode & 06000) == 0);
  REQUIRE(::stat(box.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
}

TEST_CASE("isolate: a box that is in use is refused, or waited for", "[isolate]") {
  const TestBox box;
  const CliResult result = box.Isolate("--run -- /bin/sleep 1 & sleep 0.4; \"$ISOLATE\" --run -- /bin/true; echo $?; \"$ISOLATE\" --wait --run -- /bin/true; echo $?; wait");
  CHECK(Has(result.error, "is in use"));
  CHECK(Has(result.out, "2\n0\n"));
}

// The words of CMS (Sandbox.build_box_options) and of Judge0's job.
TEST_CASE("isolate: the command lines of CMS and of Judge0 work as they are", "[isolate]") {
  const TestBox box("--cg --box-id=12");
  const ScratchFolder work;
  ::chmod(work.path().c_str(), 0777);
  std::filesystem::copy_file(TestProgram("sum_numbers"), work.path() + "/sum");
  std::ofstream(work.path() + "/input.txt") << "1 2 3\n";
  const BoxResult cms = box.Run(fmt::format(
      "--chdir=/tmp --dir=/tmp={}:rw --full-env --env=HOME=./ --stdin=/tmp/input.txt --stack=262144 --cg-mem=262144 "
      "--stdout=/tmp/output.txt --processes --stderr=/tmp/stderr.txt --time=5 --verbose --wall-time=10 --extra-time=0.5 -- ./sum", work.path()));
  CAPTURE(cms.process.error);
  CHECK(cms.process.status == 0);
  CHECK(Has(ReadFile(work.path() + "/output.txt"), "6"));
  std::ofstream(box.path() + "/run") << "#!/bin/bash\ncat | tr a-z A-Z\n";
  std::ofstream(box.path() + "/stdin") << "shout\n";
  const BoxResult judge0 = box.Run(
      "-s -i /box/stdin -t 5 -x 1 -w 10 -k 64000 -p60 --cg-mem=128000 -f 1024 -E HOME=/tmp -E PATH=\"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\" "
      "-E LANG -d /etc:noexec -- /bin/bash run");
  CHECK(judge0.process.status == 0);
  CHECK(judge0.process.out == "SHOUT\n");
  CHECK(judge0.process.error.empty());
  CHECK(judge0.Get("exitcode") == "0");
}

TEST_CASE("isolate: the command lines of Piston work as they are", "[isolate]") {
  const TestBox box("--cg -b5");
  const ScratchFolder package;
  ::chmod(package.path().c_str(), 0755);
  std::ofstream(package.path() + "/compile") << "gcc -std=c11 *.c -lm\n";
  std::ofstream(package.path() + "/run") << "shift\n./a.out \"$@\"\n";
  std::filesystem::create_directory(box.path() + "/submission");
  std::ofstream(box.path() + "/submission/file0.c") << "#include <stdio.h>\nint main(int n, char** a) { int c; while ((c = getchar()) != EOF) putchar(c); puts(a[n - 1]); return 7; }\n";
  const auto stage = [&](const std::string& words, const std::string& input) {
    return box.Run(fmt::format("-s -c /box/submission -E HOME=/tmp -E PATH=/usr/bin:/bin -E PISTON_LANGUAGE=c --dir=/piston={0} --dir=/etc:noexec --processes=64 --open-files=2048 --fsize=10000 "
                               "--wall-time=10 --time=10 --extra-time=0 --cg-mem=512000 -- /bin/bash /piston/{1}", package.path(), words),
                   input);
  };
  const BoxResult compiled = stage("compile file0.c", "");
  CAPTURE(compiled.process.error);
  REQUIRE(compiled.Get("exitcode") == "0");
  const BoxResult run = stage("run file0.c one 'two words'", "said\n");
  CHECK(run.process.out == "said\ntwo words\n");
  CHECK(run.Get("exitcode") == "7");
  CHECK(run.Get("status") == "RE");
  for (const char* key : {"time", "time-wall", "cg-mem", "message"}) CHECK(run.Get(key) != "(absent)");
}

TEST_CASE("isolate: a mistake is one sentence, status 2, and XX in the meta file", "[isolate]") {
  const TestBox box;
  const std::pair<const char*, const char*> mistakes[] = {
      {"--no-such -- /bin/true", "--no-such"}, {"--time=abc -- /bin/true", "--time: \"abc\""}, {"--mem=1x -- /bin/true", "--mem: \"1x\""},
      {"--cg-mem=100 -- /bin/true", "--cg"},   {"", "no program"},                            {"--init -- /bin/true", "not two"},
      {"-d /x:y -- /bin/true", "\"y\""},       {"--quota=1,1 -- /bin/true", "--quota"},       {"-E =x -- /bin/true", "--env"},
  };
  for (const auto& [words, sentence] : mistakes) {
    CAPTURE(words);
    const BoxResult result = box.Run(words);
    CHECK(result.process.status == 2);
    CHECK(Has(result.process.error, sentence));
    CHECK(std::count(result.process.error.begin(), result.process.error.end(), '\n') == 1);
  }
  CHECK(box.Run("--stdin=nothing -- /bin/true").Get("status") == "XX");
  CHECK(Has(box.Isolate("--version").out, "isolator"));
  CHECK(box.Isolate("").status == 2);
}

}  // namespace
}  // namespace tally
