// What a program's memory figure says, and how the program gets into its memory cgroup: by itself, for which nobody waits
// (supervisor/sandbox/child_setup.h, CgroupToJoin), and before its first instruction.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/sys.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/child_setup.h"
#include "supervisor/sandbox/seccomp/policy.h"
#include "tests/support/batch.h"
#include "tests/support/catch.h"
#include "tests/support/memory_cgroup.h"
#include "tests/support/skip.h"
#include "tests/support/this_machine.h"

namespace tally {
namespace {

TEST_CASE("memory cgroup: a program that is ready to start has joined it, and nobody has moved it there", "[cgroup]") {
  if (!CgroupsWork()) TALLY_SKIP("this user has no memory cgroup");
  Batch batch;
  for (const std::uint32_t processes : {1u, 4u}) {
    Limits limits = TestRun::SmallLimits();
    limits.processes = processes;
    std::string why;
    const auto meter = ProcessExecutor().cgroups().MakeMeter(limits, &why);
    const Fd null = sys::Open("/dev/null", O_RDWR);
    ChildPlan plan{.sandboxes = &ProcessExecutor().sandboxes(), .sandbox = &batch.sandbox(), .program = "/box/exit_zero", .argv = {"exit_zero"}, .work_dir = "/box"};
    plan.stdin_fd = plan.stdout_fd = plan.stderr_fd = null.get();
    plan.init_filter = InitPolicy(batch.sandbox().spec().permissions);
    plan.alone = processes == 1;
    meter->PrepareChild(&plan.limits, Isolation::kFull);
    Child child = StartChild(plan);
    CHECK(child.is_in_cgroup());
    const std::string where = sys::ReadFile(fmt::format("/proc/{}/cgroup", child.program()));
    CHECK(where.find(fmt::format("/tally-{}-", ::getpid())) != std::string::npos);
    child.KillRoot();
    ::waitpid(child.root(), nullptr, __WALL);
  }
}

TEST_CASE("memory: files in the run's own tmpfs count, whatever meters; those of a host's folder do not", "[memory]") {
  for (const MemoryBy by : {MemoryBy::kAuto, MemoryBy::kAddressSpace, MemoryBy::kResident}) {
    CAPTURE(static_cast<int>(by));
    TestRun run{.program = "hostile/files_in_memory", .memory_by = by};
    run.limits.memory = Bytes::MiB(32);
    run.limits.user_time = run.limits.cpu_time = run.limits.wall_time = std::chrono::seconds(60);  // an emulated machine takes its time to fill it
    for (const char* how : {"fill", "unlinked"}) {
      run.arguments = {how};
      CHECK(RunTestProgram(run).code() == "MLE");
    }
    struct statfs status {};
    if (by == MemoryBy::kAuto || ::statfs("/dev/shm", &status) != 0 || status.f_type != TMPFS_MAGIC) continue;
    const std::string folder = fmt::format("/dev/shm/tally-test-{}", ::getpid());
    std::filesystem::create_directory(folder);
    std::ofstream(folder + "/large") << std::string(Bytes::MiB(40).count, 'x');
    TestRun innocent{.program = "hello", .memory_by = by};
    innocent.limits.memory = Bytes::MiB(32);
    innocent.extra_mounts = {{.kind = MountKind::kBind, .source = folder, .target = "/shown", .writable = true}};
    CHECK(RunTestProgram(innocent).code() == "OK");
    std::filesystem::remove_all(folder);
  }
}

// Old kernels tell of the first 64 pages of a kind late (supervisor/resources/memory_meter.cc).
TEST_CASE("memory: the figure has every page that a program touched, a small one's too", "[memory]") {
  for (const MemoryBy by : {MemoryBy::kCgroup, MemoryBy::kResident}) {
    if (by == MemoryBy::kCgroup && !CgroupsWork()) continue;
    const auto peak = [by](const std::string& mib) {
      const TestResult result = RunTestProgram({.program = "mmap_touch", .arguments = {mib}, .memory_by = by});
      REQUIRE(result.code() == "OK");
      return result.run.memory.value();
    };
    const Bytes small = peak("0");
    CHECK(small >= Bytes::KiB(100));
    CHECK(small <= Bytes::MiB(2));
    for (const std::uint64_t mib : {1, 2, 8}) {
      CAPTURE(mib, small.count);
      const Bytes figure = peak(std::to_string(mib));
      CHECK(figure.count >= Bytes::MiB(mib).count + Bytes::KiB(100).count);
      CHECK(figure.count <= Bytes::MiB(mib + 2).count + small.count);  // the kernel may give 2 MiB at once
    }
  }
}

TEST_CASE("memory: shared memory that i386's old mmap has made counts whole, without a cgroup, too", "[memory]") {
  if (!RunsI386()) TALLY_SKIP("this kernel has no 32-bit system calls");
  TestRun run{.program = "int80_shared_memory", .memory_by = MemoryBy::kResident};
  CHECK(RunTestProgram(run).code() == "RV");
  run.permissions.emplace().i386 = true;
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence);
  CHECK(result.code() == "MLE");
}

// Page tables are charged to a cgroup, and count in no other way.
TEST_CASE("memory cgroup: a program that the last run's init starts is in it as well", "[cgroup]") {
  if (!CgroupsWork()) TALLY_SKIP("this user has no memory cgroup");
  Batch batch;
  TestRun run{.program = "memory_by_page_tables", .arguments = {"40"}, .memory_by = MemoryBy::kCgroup};
  run.limits.user_time = run.limits.cpu_time = run.limits.wall_time = std::chrono::seconds(10);
  for (int i = 0; i < 3; ++i) CHECK(batch.Run(run).code() == "MLE");
  CHECK((batch.ReusedInit() > 0 || batch.given_up()));
  run.arguments = {"8"};
  CHECK(batch.Run(run).code() == "OK");
}

// The kernel may give page tables back a while after their process is gone.
TEST_CASE("memory cgroup: what a program that is killed had filled is not in the next one's way", "[cgroup]") {
  if (!CgroupsWork()) TALLY_SKIP("this user has no memory cgroup");
  Batch batch;
  TestRun run{.program = "memory_by_page_tables", .memory_by = MemoryBy::kCgroup};
  run.limits.user_time = run.limits.cpu_time = run.limits.wall_time = std::chrono::seconds(10);
  for (int i = 0; i < 20; ++i) {
    run.arguments = {"40"};
    CHECK(batch.Run(run).code() == "MLE");
    run.arguments = {"8"};
    CHECK(batch.Run(run).code() == "OK");
  }
}

TEST_CASE("memory cgroup: a kill of the kernel's is told of its own run, and of no other that ends by SIGKILL", "[cgroup]") {
  if (!CgroupsWork()) TALLY_SKIP("this user has no memory cgroup");
  Batch batch;
  const auto code = [&](const std::string& program, const std::vector<std::string>& arguments) {
    return batch.Run({.program = program, .arguments = arguments, .memory_by = MemoryBy::kCgroup}).code();
  };
  for (int i = 0; i < 2; ++i) {
    CHECK(code("raise_signal", {"9"}) == "RE");
    CHECK(code("malloc_touch", {"100"}) == "MLE");
    CHECK(code("raise_signal", {"9"}) == "RE");
    CHECK(code("hello", {}) == "OK");
    CHECK(code("malloc_touch", {"100"}) == "MLE");
    CHECK_THROWS(code("no_such_program", {}));
    CHECK(code("raise_signal", {"9"}) == "RE");
  }
}

TEST_CASE("memory cgroup: what one run leaves in its /tmp is not charged to another sandbox's next run", "[cgroup]") {
  if (!CgroupsWork()) TALLY_SKIP("this user has no memory cgroup");
  Batch leaves, next;
  for (const std::uint32_t processes : {1u, 4u}) {
    for (int i = 0; i < 3; ++i) {
      CAPTURE(processes, i);
      TestRun filling{.program = "leaves_in_tmp", .arguments = {"900"}, .memory_by = MemoryBy::kCgroup};
      filling.limits.processes = processes;
      CHECK(leaves.Run(filling).code() == "OK");
      TestRun small{.program = "exit_zero", .memory_by = MemoryBy::kCgroup};
      small.limits.memory = Bytes::MiB(1);
      CHECK(next.Run(small).code() == "OK");
    }
  }
}

TEST_CASE("memory cgroup: the peak of several processes is their own run's, whatever ran before", "[cgroup]") {
  if (!CgroupsWork()) TALLY_SKIP("this user has no memory cgroup");
  Batch batch;
  const auto peak = [&](const std::string& program, const std::vector<std::string>& arguments) {
    TestRun run{.program = program, .arguments = arguments, .memory_by = MemoryBy::kCgroup};
    run.limits.processes = 4;
    const TestResult result = batch.Run(run);
    CHECK(result.ended());
    return result.run.memory.value();
  };
  for (int i = 0; i < 3; ++i) {
    CHECK(peak("malloc_touch", {"40"}) >= Bytes::MiB(40));
    CHECK(peak("hello", {}) < Bytes::MiB(4));
    CHECK(peak("fork_ok", {}) < Bytes::MiB(4));
  }
}

}  // namespace
}  // namespace tally
