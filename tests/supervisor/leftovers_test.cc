// After a thousand runs of the rudest programs nothing is left: no process, mount, cgroup, temporary file or
// descriptor.
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/sys.h"
#include "supervisor/supervisor.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::size_t Entries(const std::string& folder) {
  std::error_code error;
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder, error), fs::directory_iterator()));
}

std::size_t Lines(const std::string& path) {
  const std::string text = sys::TryReadFile(path).value_or("");
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::size_t OurCgroups() {
  std::size_t count = 0;
  std::error_code error;
  const std::string mine = "tally-" + std::to_string(::getpid());
  for (fs::recursive_directory_iterator it("/sys/fs/cgroup", fs::directory_options::skip_permission_denied, error), end;
       it != end; it.increment(error)) {
    if (error) break;
    if (it->path().filename().string().rfind(mine, 0) == 0) ++count;
  }
  return count;
}

// Processes below this one, by asking each process of the machine for its parents.
std::size_t Descendants() {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string status = sys::TryReadFile("/proc/" + name + "/status").value_or("");
    if (status.find("\nPPid:\t" + std::to_string(::getpid()) + "\n") != std::string::npos) ++count;
    if (status.find("Name:\tprogram\n") == 0) ++count;  // what runs are called, whoever adopted it
  }
  return count;
}

struct Traces {
  std::size_t descriptors, mounts, cgroups, processes, temporary_files;
  bool operator==(const Traces&) const = default;
};

// A folder for temporary files that nobody else uses meanwhile.
std::string OwnTemporaryFolder() {
  static const std::string folder = [] {
    char name[] = "/tmp/tally-leftovers-XXXXXX";
    if (::mkdtemp(name) == nullptr) throw std::runtime_error("mkdtemp");
    ::setenv("TMPDIR", name, 1);
    std::atexit([] { fs::remove_all(std::getenv("TMPDIR")); });
    return std::string(name);
  }();
  return folder;
}

Traces Look() {
  return {Entries("/proc/self/fd"), Lines("/proc/self/mounts"), OurCgroups(), Descendants(), Entries(OwnTemporaryFolder())};
}

TEST_CASE("a thousand runs leave nothing behind", "[leftovers]") {
  struct Kind {
    const char* program;
    std::vector<std::string> arguments;
    std::uint32_t processes;
  };
  const std::vector<Kind> kinds = {{"exit_zero", {}, 1},   {"hello", {}, 1},           {"segfault_null", {}, 1},
                                   {"open_socket", {}, 1}, {"fork_once", {}, 1},       {"zombies", {"5"}, 8},
                                   {"orphans", {}, 8},     {"daemon_setsid", {}, 8},   {"stdout_flood", {"2"}, 1},
                                   {"fork_bomb", {}, 4},   {"orphan_holding_stdout", {}, 8}};
  const auto run = [&](std::size_t index) {
    const Kind& kind = kinds[index % kinds.size()];
    TestRun test{.program = kind.program, .arguments = kind.arguments};
    test.limits.processes = kind.processes;
    test.output_to_pipe = index % 5 == 0;
    RunTestProgram(test);
  };
  for (std::size_t i = 0; i < kinds.size(); ++i) run(i);  // what is made once per process
  const Traces before = Look();
  for (std::size_t i = 0; i < 1000; ++i) run(i);
  EndOfRuns();
  const Traces after = Look();
  CHECK(after.descriptors == before.descriptors);
  CHECK(after.mounts == before.mounts);
  CHECK(after.cgroups == 0);
  CHECK(after.processes == before.processes);
  CHECK(after.temporary_files == before.temporary_files);
}

TEST_CASE("orphans are dead when the result is there", "[leftovers]") {
  for (const char* program : {"orphans", "daemon_setsid", "children_burning_cpu_after_exit"}) {
    CAPTURE(program);
    TestRun test{.program = program};
    test.limits.processes = 8;
    const std::size_t before = Descendants();  // a helper of our own may be among them (syscall_counter.cc)
    CHECK(RunTestProgram(test).code() == "OK");
    CHECK(Descendants() == before);
  }
}

TEST_CASE("without namespaces orphans are dead too", "[leftovers]") {
  TestRun test{.program = "orphans"};
  test.isolation = Isolation::kNone;
  test.limits.processes = 8;
  const std::size_t before = Descendants();
  CHECK(RunTestProgram(test).code() == "OK");
  CHECK(Descendants() == before);
}

}  // namespace
}  // namespace tally
