// Translations of earlier runs change nothing but how long a start takes, whatever is in their folder.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "supervisor/run/process_executor.h"
#include "supervisor/translator/emit/inline_cache.h"
#include "supervisor/translator/emit/translator.h"
#include "supervisor/translator/persist/code_object.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStatic = "hello";
constexpr const char* kDynamic = "hello_cxx_dynamic";

// Those whose counts depend on time or on who waits for whom (differential_test.cc).
const std::set<std::string_view> kOtherCounts = {
    "fork_then_new_code", "fork_then_thread_maps_code", "many_short_threads", "one_thread_at_a_time", "threads",
    "threads_fresh_code", "threads_rewrite_code", "threads_that_fork", "timer_beside_short_calls", "timer_signals"};

bool HasSeveralTasks(std::string_view program) {
  return program.find("fork") != std::string_view::npos || program.find("thread") != std::string_view::npos ||
         program == "executes_itself" || program == "clock_beside_popf";
}

// What was translated is written at once.
TestResult RunIn(const std::string& folder, const std::string& program, const std::vector<std::string>& arguments = {}) {
  TestRun run{.program = program, .arguments = arguments};
  run.counter = Counter::kTranslator;
  run.translation_folder = folder;
  run.limits.user_time.reset();
  run.limits.cpu_time.reset();
  run.limits.idle_time.reset();
  run.limits.wall_time = std::chrono::seconds(60);
  run.limits.processes = HasSeveralTasks(fs::path(program).filename().string()) ? 9 : 1;
  run.address_randomization = false;
  const TestResult result = RunTestProgram(run);
  ProcessExecutor().RetireAll();
  return result;
}

std::uint64_t CountOf(const TestResult& result) {
  return result.run.instructions.has_value() ? result.run.instructions.value().count : 0;
}

// By name; a file that was replaced is another inode.
std::map<std::string, ino_t> FilesIn(const std::string& folder) {
  std::map<std::string, ino_t> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    struct stat status {};
    ::lstat(entry.path().c_str(), &status);
    files[entry.path().filename()] = status.st_ino;
  }
  return files;
}

std::vector<std::uint8_t> Contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void Replace(const fs::path& path, const std::vector<std::uint8_t>& bytes) {
  fs::remove(path);
  const mode_t mask = ::umask(077);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  ::umask(mask);
}

ObjectKey KeyOf(const fs::path& path) {
  const std::string name = path.filename();
  return {{std::stoull(name.substr(0, 16), nullptr, 16), std::stoull(name.substr(16), nullptr, 16)}};
}

fs::path OnlyFileIn(const std::string& folder) {
  const auto files = FilesIn(folder);
  REQUIRE(files.size() == 1);
  return fs::path(folder) / files.begin()->first;
}

TEST_CASE("translation cache: output, end and count are the same with translations of earlier runs", "[translator]") {
  const ScratchFolder folder;  // one for all: programs share what they have in common
  std::ifstream list(BuildFolder() + "/tests/programs/translator/programs.txt");
  std::size_t programs = 0;
  for (std::string name; std::getline(list, name); ++programs) {
    const std::string program = "translator/" + name;
    const TestResult expected = RunIn("", program);
    for (const char* how : {"for the first time", "again", "once more"}) {
      const TestResult got = RunIn(folder.path(), program);
      CAPTURE(program, how, expected.run.sentence, got.run.sentence);
      CHECK(got.code() == expected.code());
      CHECK(got.run.exit_code == expected.run.exit_code);
      CHECK(got.run.signal == expected.run.signal);
      CHECK(got.output == expected.output);
      CHECK(got.error_output == expected.error_output);
      const bool has_variant =
          name.find("_dynamic") != std::string::npos || name.find("_pie") != std::string::npos;
      const std::string plain = has_variant ? name.substr(0, name.rfind('_')) : name;
      if (!kOtherCounts.contains(plain)) CHECK(CountOf(got) == CountOf(expected));
    }
  }
  CHECK(programs > 60);
  CHECK(FilesIn(folder.path()).size() > 60);
}

TEST_CASE("translation cache: what was kept is used, and nothing is written when nothing is new", "[translator]") {
  for (const char* program : {kStatic, kDynamic}) {
    const ScratchFolder folder;
    RunIn(folder.path(), program);
    const auto files = FilesIn(folder.path());
    CHECK(files.size() >= 1);
    RunIn(folder.path(), program);
    CHECK(FilesIn(folder.path()) == files);  // all of it would be new where nothing was used
  }
}

TEST_CASE("translation cache: where an inline cache leads to what is for its call alone, it does so in the next run", "[translator]") {
  const ScratchFolder folder;
  RunIn(folder.path(), "translator/calls_through_pointers");
  const fs::path path = OnlyFileIn(folder.path());
  const std::vector<std::uint8_t> file = Contents(path);
  const CodeObject object = CodeObject::Parse(file, KeyOf(path)).value();
  const auto returns_soon = [&](const InlineCaches::Way& way) {
    const auto waits = [&](const object::StubSite& site) { return site.at == way.displacement_at; };
    if (std::any_of(object.stub_sites.begin(), object.stub_sites.end(), waits)) return false;
    return std::any_of(object.fragments.begin(), object.fragments.end(), [&](const auto& f) { return f.on_way_back() && f.begin == way.to; });
  };
  int calls = 0;
  for (const object::Trap& trap : object.traps) {
    if (trap.kind != static_cast<int>(Trap::Kind::kInlineCache)) continue;
    for (int way = 0; way < trap.used; ++way) calls += returns_soon(InlineCaches::WayOf(trap.at, way, &object.code[trap.at]));
  }
  CHECK(calls >= 6);
}

TEST_CASE("translation cache: code that comes to be behind other code does not have all forgotten", "[translator]") {
  const ScratchFolder folder;
  CHECK(RunIn(folder.path(), "translator/code_behind").output == "jumps: 7000\nruns off: 7000\nEND\n");
  CHECK(FilesIn(folder.path()).size() == 1);
}

TEST_CASE("translation cache: of code whose data is mapped over its end, translations are kept", "[translator]") {
  const ScratchFolder folder;
  CHECK(RunIn(folder.path(), "translator/code_cut").output == "171700, 171700\nEND\n");
  const auto files = FilesIn(folder.path());
  CHECK(files.size() == 3);  // the executable's and one of each copy
  RunIn(folder.path(), "translator/code_cut");
  CHECK(FilesIn(folder.path()) == files);
}

TEST_CASE("translation cache: what was set aside because its code was written beside is not kept", "[translator]") {
  const ScratchFolder folder;
  CHECK(RunIn(folder.path(), "translator/code_sealed").output == "171700\n171700\nEND\n");
  CHECK(FilesIn(folder.path()).size() == 2);  // the executable's and the copy's
  CHECK(RunIn(folder.path(), "translator/code_sealed", {"again"}).output == "171700\n171700\n171700\nEND\n");
}

TEST_CASE("translation cache: a file that is damaged, cut short or not ours alone is not used but replaced",
          "[translator]") {
  const ScratchFolder folder;
  const std::uint64_t expected = CountOf(RunIn(folder.path(), kStatic));
  const fs::path file = OnlyFileIn(folder.path());
  const std::vector<std::uint8_t> good = Contents(file);
  const auto is_replaced = [&] {
    const auto before = FilesIn(folder.path());
    const TestResult got = RunIn(folder.path(), kStatic);
    CHECK(got.code() == "OK");
    CHECK(CountOf(got) == expected);
    return FilesIn(folder.path()) != before && Contents(file).size() == good.size();
  };
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, std::size_t{30}, std::size_t{100},
                               good.size() / 2, good.size() - 1}) {
    CAPTURE(at);
    std::vector<std::uint8_t> damaged = good;
    damaged[at] ^= 0x10;
    Replace(file, damaged);
    CHECK(is_replaced());
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{50}, good.size() / 3, good.size() - 1}) {
    CAPTURE(size);
    Replace(file, {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
    CHECK(is_replaced());
  }
  Replace(file, good);
  fs::permissions(file, fs::perms(0644));
  CHECK(is_replaced());
  const fs::path elsewhere = folder.path() + "-elsewhere";
  Replace(elsewhere, good);
  fs::remove(file);
  fs::create_symlink(elsewhere, file);
  CHECK(is_replaced());
  fs::remove(elsewhere);
}

// A file of the right name for the right place, whole, but of other code.
TEST_CASE("translation cache: another program under the same name is not mistaken", "[translator]") {
  const ScratchFolder folder;
  const TestResult expected = RunIn(folder.path(), kStatic);
  const fs::path file = OnlyFileIn(folder.path());
  const std::vector<std::uint8_t> bytes = Contents(file);
  const auto object = CodeObject::Parse(bytes, KeyOf(file));
  REQUIRE(object);
  REQUIRE_FALSE(object->pages.empty());
  // One byte of the last page is another.
  std::vector<std::uint8_t> other = bytes;
  const auto at = static_cast<std::size_t>(&object->page_bytes.back() - bytes.data());
  other[at] ^= 1;
  Seal(other, KeyOf(file));
  REQUIRE(CodeObject::Parse(other, KeyOf(file)));
  Replace(file, other);
  const auto before = FilesIn(folder.path());
  const TestResult got = RunIn(folder.path(), kStatic);
  CHECK(got.output == expected.output);
  CHECK(CountOf(got) == CountOf(expected));
  CHECK(FilesIn(folder.path()) != before);
  CHECK(Contents(file)[at] == bytes[at]);
}

constexpr const char* kFolder = "TALLY_TEST_KEPT_IN";
constexpr const char* kCount = "TALLY_TEST_KEPT_COUNT";

// Hidden: what the next one executes.
TEST_CASE("translation cache: runs beside others", "[.][kept]") {
  if (std::getenv(kFolder) == nullptr) return;
  for (int i = 0; i < 3; ++i)
    CHECK(CountOf(RunIn(std::getenv(kFolder), kDynamic)) == std::stoull(std::getenv(kCount)));
}

TEST_CASE("translation cache: runs at the same time do not disturb each other", "[translator]") {
  const ScratchFolder folder;
  const std::string expected = std::to_string(CountOf(RunIn("", kDynamic)));
  std::vector<pid_t> pids;
  for (int i = 0; i < 4; ++i) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::setenv(kFolder, folder.path().c_str(), 1);
      ::setenv(kCount, expected.c_str(), 1);
      const Fd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));  // its summary is not this one's
      ::dup2(nowhere.get(), STDOUT_FILENO);
      ::execl("/proc/self/exe", "kept", "[kept]", nullptr);
      ::_exit(127);
    }
    pids.push_back(pid);
  }
  for (const pid_t pid : pids) {
    int status = -1;
    ::waitpid(pid, &status, 0);
    CHECK(status == 0);
  }
  for (const auto& [name, inode] : FilesIn(folder.path())) {
    CAPTURE(name);
    CHECK(CodeObject::Parse(Contents(fs::path(folder.path()) / name), KeyOf(name)));
  }
}

// A popf that was translated and not executed once had the supervisor answer questions about the time, each of which took of the turn.
// Node had another count each first time.
TEST_CASE("translation cache: by turns a count does not depend on whether translated code or the supervisor tells the time", "[translator]") {
  const ScratchFolder folder;
  const TestResult none = RunIn("", "clock_beside_popf");
  REQUIRE(none.ended());
  CHECK(none.run.count_varies.empty());
  for (int i = 0; i < 3; ++i) {
    const TestResult kept = RunIn(folder.path(), "clock_beside_popf");
    CHECK(kept.output == none.output);
    CHECK(CountOf(kept) == CountOf(none));
  }
}

TEST_CASE("translation cache: a folder that cannot be used is no failure of the run", "[translator]") {
  const ScratchFolder folder;
  const std::uint64_t expected = CountOf(RunIn("", kStatic));
  const std::string file = folder.Write("file", "");
  const std::string open = folder.path() + "/open";
  fs::create_directory(open);
  fs::permissions(open, fs::perms(0777));
  for (const std::string& bad : {file, file + "/below", open, std::string("/proc/translations")}) {
    CAPTURE(bad);
    const TestResult got = RunIn(bad, kStatic);
    CHECK(got.code() == "OK");
    CHECK(CountOf(got) == expected);
  }
  CHECK(fs::is_empty(open));
}

TEST_CASE("translation cache: a folder that the program finds in its sandbox is not used", "[translator]") {
  const ScratchFolder shown;
  TestRun run{.program = kStatic};
  run.counter = Counter::kTranslator;
  run.translation_folder = shown.path() + "/translations";
  run.extra_mounts.push_back({.kind = MountKind::kBind, .source = shown.path(), .target = "/shown"});
  CHECK(RunTestProgram(run).code() == "OK");
  ProcessExecutor().RetireAll();
  CHECK_FALSE(fs::exists(run.translation_folder));
}

}  // namespace
}  // namespace tally
