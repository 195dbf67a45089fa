// The virtual CPU, as docs/virtual-cpu.md says: whatever a program asks its machine for, it gets the same answer each
// time, in the same number of instructions, under both engines that have one.
#include "supervisor/machine/kernel_pages.h"
#include "supervisor/machine/processor_flags.h"
#include "supervisor/machine/virtual_cpu.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sys.h"
#include "supervisor/run/process_executor.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"
#include "tests/support/memory_cgroup.h"
#include "tests/support/output_lines.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

constexpr Counter kEngines[] = {Counter::kTranslator, Counter::kStep};

TestRun Counted(Counter counter, const std::string& program, std::vector<std::string> arguments = {}) {
  TestRun run{.program = program, .arguments = std::move(arguments)};
  run.counter = counter;
  run.limits.user_time.reset();
  run.limits.cpu_time.reset();
  run.limits.idle_time = std::chrono::seconds(5);
  run.limits.wall_time = std::chrono::seconds(60);
  return run;
}

std::uint64_t CountOf(const TestResult& result) {
  REQUIRE(result.run.instructions.has_value());
  return result.run.instructions.value().count;
}

TEST_CASE("virtual CPU: every answer and the count are the same again, and under both engines", "[virtual]") {
  for (const char* program : {"virtual_clocks", "virtual_machine", "virtual_machine_dynamic"}) {
    const TestResult first = RunTestProgram(Counted(Counter::kTranslator, program));
    CAPTURE(program, first.run.sentence);
    CHECK(first.code() == "OK");
    CHECK(first.ended());
    CHECK(first.run.count_varies.empty());
    for (const Counter counter : kEngines) {
      const TestResult again = RunTestProgram(Counted(counter, program));
      CHECK(again.output == first.output);
      CHECK(CountOf(again) == CountOf(first));
    }
  }
}

// Node 20 crashed: it was given a key, and the instructions for keys are not the virtual processor's.
TEST_CASE("virtual CPU: there are no protection keys, whatever the real processor has", "[virtual]") {
  for (const Counter counter : kEngines) {
    const TestResult result = RunTestProgram(Counted(counter, "protection_keys"));
    CAPTURE(result.run.sentence);
    CHECK(result.ended());
    CHECK(ValueOf(result.output, "pkey_alloc") == "refused (ENOSPC)");
    CHECK(ValueOf(result.output, "pkey_mprotect without a key") == "allowed (0)");
    CHECK(ValueOf(result.output, "pkey_mprotect with a key") == "refused (EINVAL)");
  }
}

TEST_CASE("virtual CPU: of the processor's state a program reaches what the virtual one has, and a signal tells of no trap of ours", "[virtual]") {
  for (const Counter counter : kEngines) {
    const TestResult result = RunTestProgram(Counted(counter, "processor_state"));
    CAPTURE(result.run.sentence);
    REQUIRE(result.ended());
    CHECK(result.run.count_varies.empty());
    CHECK(ValueOf(result.output, "xsave") == "beyond AVX 0, edx:eax ffffffff:ffffffff");
    CHECK(ValueOf(result.output, "xsave of vectors") == "beyond AVX 0 bytes, edx:eax 0:ee");
    CHECK(ValueOf(result.output, "keys") == "refused");
    CHECK(ValueOf(result.output, "compacted") == "refused");
    CHECK(ValueOf(result.output, "xrstor") == "edx:eax 0:200");
    CHECK(ValueOf(result.output, "signal") == "error 0, trap 0");
    CHECK(ValueOf(result.output, "xsaveopt") == "0 times something left out");
    CHECK(result.output.ends_with("arch_prctl: allowed (0)\ncomponents 0x7\narch_prctl: allowed (0)\ncomponents 0x7\n"
                                  "arch_prctl: refused (EOPNOTSUPP)\ncomponents 0\narch_prctl: allowed (0)\ncomponents 0x7\n"
                                  "arch_prctl: refused (EOPNOTSUPP)\ncomponents 0\nEND\n"));
  }
}

TEST_CASE("virtual CPU: a signal's frame has room for the state of the largest processor, wherever its handler is executed", "[virtual]") {
  for (const Counter counter : kEngines) {
    TestRun run = Counted(counter, "signal_frame");
    run.limits.processes = 2;
    const TestResult result = RunTestProgram(run);
    CAPTURE(result.run.sentence);
    CHECK(result.output ==
          "on the stack: 3 handlers, 3 frames and 3 states where the largest frame has them, 3 of AVX alone, 3 without rests above, 0 words of rests in them; sums equal\n"
          "deeper: 43 handlers, 43 frames and 43 states where the largest frame has them, 43 of AVX alone, 43 without rests above, 0 words of rests in them; sums equal\n"
          "on an alternate stack: 3 handlers, 3 frames and 3 states where the largest frame has them, 3 of AVX alone, 3 without rests above, 0 words of rests in them; sums equal\n"
          "in a thread: 3 handlers, 3 frames and 3 states where the largest frame has them, 3 of AVX alone, 3 without rests above, 0 words of rests in them; sums equal\nEND\n");
  }
}

// Python's count depended on when the files of its library had been unpacked, and Erlang's on a folder's last change.
TEST_CASE("virtual CPU: what is told of files is nothing of when and where this machine got them, by every call", "[virtual]") {
  const ScratchFolder folder;
  folder.Write("sub/other", "");
  const std::string file = folder.Write("file", "12345\n");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  const timespec times[] = {{.tv_sec = 900'000'000, .tv_nsec = 5}, {.tv_sec = 981'173'106, .tv_nsec = 789'000'000}};
  REQUIRE(::utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
  constexpr std::string_view kFolder = ", mode 40755, links 1, size 4096, 8 blocks, by 4096, read 1704067200.000000000, written 1704067200.000000000, changed 1704067200.000000000";
  const std::string kFile = "elsewhere, mode 100644, links 1, size 6, 8 blocks, by 4096, read 981173106.000000000, written 981173106.000000000, changed 981173106.000000000";
  std::string first;
  for (const Counter counter : kEngines) {
    TestRun run = Counted(counter, "file_status", {"/shown/file", "/shown", "/box/program"});
    run.extra_mounts.push_back({.kind = MountKind::kBind, .source = folder.path(), .target = "/shown"});
    run.permissions = SyscallPermissions{.file_writes = true};
    const TestResult result = RunTestProgram(run);
    CAPTURE(result.run.sentence, result.output);
    REQUIRE(result.ended());
    CHECK(result.run.count_varies.empty());
    for (const std::string_view call : {"stat", "lstat", "fstatat", "newfstatat", "fstat"}) {
      CHECK(result.output.find(fmt::format("\n{}: {}\n", call, kFile)) != std::string::npos);
      CHECK(result.output.find(fmt::format("\n{}: elsewhere{}\n", call, kFolder)) != std::string::npos);
      CHECK(result.output.find(fmt::format("\n{}: put into the box, mode 100755", call)) != std::string::npos);
      CHECK(result.output.find(fmt::format("\n{}: elsewhere, mode 100644, links 1, size 5, 8 blocks, by 4096, read 1704067200.000000000", call)) != std::string::npos);
    }
    CHECK(result.output.find(fmt::format("\nstatx: {}, made 981173106.000000000, mask fff, attributes 0 of 0, mount 0\n", kFile)) != std::string::npos);
    CHECK(result.output.find(fmt::format("\nstatx: elsewhere{}, made 1704067200.000000000, mask fff", kFolder)) != std::string::npos);
    CHECK(result.output.find("\nflags ed7, behind the call ed7, in r11 ed7; result 0, other registers 10368\n") != std::string::npos);
    CHECK(ValueOf(result.output, "stat of nothing") == "refused (ENOENT)");
    CHECK(ValueOf(result.output, "stat to 8") == "refused (EFAULT)");
    CHECK(ValueOf(result.output, "statx to 8") == "refused (EFAULT)");
    if (first.empty()) first = result.output;
    CHECK(result.output == first);
  }
}

TEST_CASE("virtual CPU: where the rule of the system is off, files are as this machine has them", "[virtual]") {
  for (const Counter counter : kEngines) {
    TestRun run = Counted(counter, "file_status", {"/usr"});
    run.permissions = SyscallPermissions{.file_writes = true};
    run.virtual_cpu.rules.Remove(VirtualRule::kSystem);
    const TestResult result = RunTestProgram(run);
    CHECK(result.ended());
    CHECK(result.output.find("stat: elsewhere, mode 40755, links 1, ") == std::string::npos);
  }
}

// What a kernel without huge pages gives, whatever this one and its file systems do.
TEST_CASE("virtual CPU: large mappings lie where no kernel's huge pages move them", "[virtual]") {
  for (const Counter counter : kEngines) {
    const TestResult result = RunTestProgram(Counted(counter, "large_mappings"));
    CAPTURE(result.run.sentence);
    CHECK(result.code() == "OK");
    CHECK(result.output ==
          R"(memory of 2044 KiB: 155555357000
memory of 2048 KiB: 155555157000
memory of 4100 KiB: 155554d56000
code of 3072 KiB: 155554a56000
shared memory of 4096 KiB: 155554656000
file of 5120 KiB: 155554156000
grown to 9216 KiB: 155553856000
its first byte: 1
grown where it is to 10240 KiB: 155553856000
code: returned
what has room above all else only of 68719476736 KiB: 2aaaaaaab000
too much of -4 KiB: fffffffffffffff4
)");
  }
}

TEST_CASE("virtual CPU: while a mapping is populated, which takes one call as long as it likes, the limits hold", "[virtual]") {
  for (const Counter counter : kEngines) {
    TestRun run = Counted(counter, "populates_mapping", {"200"});
    run.limits.memory.reset();
    run.limits.cpu_time = std::chrono::seconds(1);
    const TestResult result = RunTestProgram(run);
    CAPTURE(result.run.sentence);
    CHECK(result.code() == "TLE");
    CHECK(result.run.sentence == "time limit exceeded: more than 1.00 s of CPU time, system calls included");
    CHECK(result.run.sys_time < std::chrono::seconds(3));
  }
  for (const char* kind : {"code", "fixed"}) {
    TestRun run = Counted(Counter::kTranslator, "populates_mapping", {"200", kind});
    run.limits.memory.reset();
    run.limits.cpu_time = std::chrono::seconds(1);
    const TestResult result = RunTestProgram(run);
    CAPTURE(kind, result.run.sentence);
    CHECK(result.run.sys_time < std::chrono::seconds(3));
    CHECK(result.code() == (std::string(kind) == "code" ? "RV" : "TLE"));
  }
}

TEST_CASE("virtual CPU: time is half the count in nanoseconds, from a fixed date", "[virtual]") {
  for (const Counter counter : kEngines) {
    const TestResult result = RunTestProgram(Counted(counter, "virtual_clocks"));
    CAPTURE(result.run.sentence, result.output);
    CHECK(ValueOf(result.output, "clock 0").starts_with("1704067200.0000"));
    CHECK(ValueOf(result.output, "clock 1").starts_with("0.0000"));
    CHECK(ValueOf(result.output, "clock 2").starts_with("0.0000"));
    CHECK(ValueOf(result.output, "time") == "1704067200");
    CHECK(ValueOf(result.output, "times", 1) == "user 0, system 0");
    CHECK(ValueOf(result.output, "clock 100") == "refused (EINVAL)");
    CHECK(ValueOf(result.output, "clock -6") < ValueOf(result.output, "clock -6", 1));
    const std::uint64_t before = std::stoull(ValueOf(result.output, "rdtsc"));
    const std::uint64_t after = std::stoull(ValueOf(result.output, "rdtsc", 1));
    CHECK(before < after);
    CHECK(after < CountOf(result));
  }
}

TEST_CASE("virtual CPU: a sleep takes no time, and every clock but those of the processor's use has advanced by it",
          "[virtual]") {
  for (const Counter counter : kEngines) {
    const TestResult result = RunTestProgram(Counted(counter, "virtual_clocks", {"4"}));
    CAPTURE(result.run.sentence, result.output);
    CHECK(result.ended());
    CHECK(ValueOf(result.output, "clock 0", 2).starts_with("1704067212.0000"));
    CHECK(ValueOf(result.output, "clock 1", 2).starts_with("12.0000"));
    CHECK(ValueOf(result.output, "clock 2", 2).starts_with("0.0000"));
    CHECK(ValueOf(result.output, "clock 1", 3).starts_with("16.0000"));
    CHECK(std::stoull(ValueOf(result.output, "rdtsc", 3)) > 32'000'000'000);
    CHECK(ValueOf(result.output, "nanosleep of less than nothing") == "refused (EINVAL)");
    CHECK(ValueOf(result.output, "nanosleep at 8") == "refused (EFAULT)");
    CHECK(ValueOf(result.output, "clock_gettime to 8") == "refused (EFAULT)");
    CHECK(ValueOf(result.output, "clock_gettime to code") == "refused (EFAULT)");
    CHECK(result.run.wall_time > std::chrono::seconds(16));  // it counts as if it had been slept
  }
}

TEST_CASE("virtual CPU: a sleep past a limit is TLE with the sentence it has natively, but at once", "[virtual]") {
  const auto end_of = [](Counter counter, std::optional<Nanoseconds> idle, std::optional<Nanoseconds> wall) {
    TestRun run = Counted(counter, "sleep_long", {"50"});
    run.limits.idle_time = idle;
    run.limits.wall_time = wall;
    const TestResult result = RunTestProgram(run);
    CHECK_FALSE(result.ended());
    return result.code() + ": " + result.run.sentence;
  };
  for (const Counter counter : kEngines) {
    CHECK(end_of(counter, Milliseconds(300), {}) == end_of(Counter::kNone, Milliseconds(300), {}));
    CHECK(end_of(counter, {}, Milliseconds(700)) == end_of(Counter::kNone, {}, Milliseconds(700)));
    CHECK(end_of(counter, Milliseconds(900), Milliseconds(700)) == end_of(counter, {}, Milliseconds(700)));
    const Nanoseconds begin = sys::MonotonicNow();
    CHECK(end_of(counter, std::chrono::seconds(40), {}) == "TLE: time limit exceeded: idle for 40.00 s");
    CHECK(end_of(counter, {}, std::chrono::seconds(40)) == "TLE: time limit exceeded: more than 40.00 s of real time");
    CHECK(sys::MonotonicNow() - begin < std::chrono::seconds(20));
  }
}

TEST_CASE("virtual CPU: short sleeps add up to the limit on real time and not to that on idle time", "[virtual]") {
  TestRun run = Counted(Counter::kTranslator, "sleep_in_slices");
  run.limits.idle_time = Milliseconds(100);
  run.limits.wall_time = std::chrono::seconds(2);
  const TestResult result = RunTestProgram(run);
  CHECK(result.run.sentence == "time limit exceeded: more than 2.00 s of real time");
}

TEST_CASE("virtual CPU: a thread that waits until a moment waits for it in truth, and then it has come", "[virtual]") {
  TestRun run = Counted(Counter::kTranslator, "timed_waits");
  run.limits.processes = 2;
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence, result.output);
  CHECK(result.code() == "OK");
  CHECK(result.ended());
  CHECK(result.output.find("still to come") == std::string::npos);
  CHECK(CountOf(result) < 1'000'000);  // it did not ask again and again
  CHECK(result.run.wall_time >= Milliseconds(5 * 20));
}

TEST_CASE("virtual CPU: where there is no other thread, waiting for one is a sleep", "[virtual]") {
  const TestResult first = RunTestProgram(Counted(Counter::kTranslator, "timed_waits", {"alone"}));
  CAPTURE(first.run.sentence, first.output);
  CHECK(first.ended());
  CHECK(first.output.find("still to come") == std::string::npos);
  for (const Counter counter : kEngines) {
    const TestResult again = RunTestProgram(Counted(counter, "timed_waits", {"alone"}));
    CHECK(again.output == first.output);
    CHECK(CountOf(again) == CountOf(first));
  }
}

TEST_CASE("virtual CPU: a program that asks for the time without end passes no limit", "[virtual]") {
  for (const Counter counter : kEngines) {
    TestRun run = Counted(counter, "asks_time_forever");
    run.limits.instructions = Instructions{50'000};
    CHECK(RunTestProgram(run).run.sentence == "time limit exceeded: more than 50,000 instructions");
    run.limits.instructions.reset();
    run.limits.wall_time = Milliseconds(500);
    const TestResult result = RunTestProgram(run);
    CHECK(result.run.sentence == "time limit exceeded: more than 500 ms of real time");
    CHECK(result.run.wall_time < std::chrono::seconds(20));
  }
}

TEST_CASE("virtual CPU: a program of one task asks for the time without a stop", "[virtual]") {
  for (const char* what : {"clock", "day", "time", "stamp", "processor", "usage"}) {
    TestRun run = Counted(Counter::kTranslator, "asks_n", {what, "1000000"});
    const TestResult result = RunTestProgram(run);
    CAPTURE(what, result.run.sentence);
    CHECK(result.code() == "OK");
    CHECK(result.run.count_varies.empty());
    CHECK(result.run.wall_time < std::chrono::seconds(4));  // with a stop for each it is 10 at least
    run.arguments.push_back("popf");
    const TestResult behind_popf = RunTestProgram(run);
    CHECK(behind_popf.code() == "OK");
    CHECK(behind_popf.run.wall_time < std::chrono::seconds(4));
    run.arguments = {what, "3", "popf"};
    const std::uint64_t with_popf = CountOf(RunTestProgram(run));
    run.counter = Counter::kStep;
    CHECK(CountOf(RunTestProgram(run)) == with_popf);
    run.counter = Counter::kTranslator;
    run.arguments = {what, "3"};
    const std::uint64_t counted = CountOf(RunTestProgram(run));
    run.counter = Counter::kStep;
    CHECK(CountOf(RunTestProgram(run)) == counted);
  }
}

TEST_CASE("virtual CPU: another seed gives other random numbers, and changes nothing else", "[virtual]") {
  TestRun run = Counted(Counter::kTranslator, "virtual_machine");
  const std::vector<std::string> first = Lines(RunTestProgram(run).output);
  run.virtual_cpu.seed = 1;
  const TestResult other = RunTestProgram(run);
  const std::vector<std::string> second = Lines(other.output);
  CHECK(other.run.virtual_cpu.seed == 1);
  REQUIRE(first.size() == second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::string name = first[i].substr(0, first[i].find_first_of(": "));
    const bool random = name == "AT_RANDOM" || name.starts_with("/dev/") || name == "sum" ||
                        (name == "getrandom" && first[i].find("(") == std::string::npos);
    CAPTURE(first[i], second[i]);
    CHECK((first[i] == second[i]) == !random);
  }
}

TEST_CASE("virtual CPU: the judge's environment and processors have no influence on a count", "[virtual]") {
  const TestRun run = Counted(Counter::kTranslator, "virtual_machine_dynamic");
  const std::uint64_t count = CountOf(RunTestProgram(run));
  cpu_set_t all;
  cpu_set_t one;
  REQUIRE(::sched_getaffinity(0, sizeof all, &all) == 0);
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(CountOf(RunTestProgram(run)) == count);
  ::sched_setaffinity(0, sizeof all, &all);
  ::setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-ERMS", 1);
  CHECK(CountOf(RunTestProgram(run)) == count);
  ::unsetenv("GLIBC_TUNABLES");
}

// New code is translated with the program kept on one (supervisor/tracing/one_processor.h).
TEST_CASE("virtual CPU: threads and children that begin in new code may run on all processors, and so may we after it",
          "[virtual]") {
  cpu_set_t before;
  cpu_set_t after;
  REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
  const std::string all = std::to_string(CPU_COUNT(&before));
  TestRun run = Counted(Counter::kTranslator, "processors_of_tasks");
  run.sandbox = "interpreter-sandbox";
  run.limits.processes = 2;
  run.virtual_cpu.rules.Remove(VirtualRule::kSchedule);
  CHECK(RunTestProgram(run).output == "thread " + all + "\nchild " + all + "\nEND\n");
  REQUIRE(::sched_getaffinity(0, sizeof after, &after) == 0);
  CHECK(CPU_EQUAL(&before, &after));
}

TEST_CASE("virtual CPU: the kernel's own pages are found in the maps of old and new kernels", "[virtual]") {
  const auto found = [](const std::string& lines) {
    std::string out;
    for (const auto& pages : FindKernelPages(ParseMaps("155555521000-155555554000 r-xp 00000000 00:19 1 /lib/ld.so\n" + lines))) {
      out += (out.empty() ? "" : ", ") + std::to_string((pages.end - pages.begin) >> 12) + " pages";
    }
    return out.empty() ? "none" : out;
  };
  CHECK(found("1000-5000 r--p 00000000 00:00 0                          [vvar]\n"
              "5000-7000 r-xp 00000000 00:00 0                          [vdso]\n") == "6 pages");
  CHECK(found("1000-5000 r--p 00000000 00:00 0                          [vvar]\n"
              "5000-7000 r--p 00000000 00:00 0                          [vvar_vclock]\n"
              "7000-9000 r-xp 00000000 00:00 0                          [vdso]\n") == "8 pages");
  CHECK(found("7000-9000 r-xp 00000000 00:00 0                          [vdso]\n") == "2 pages");
  CHECK(found("1000-5000 r--p 00000000 00:00 0                          [vvar]\n"
              "7000-9000 r-xp 00000000 00:00 0                          [vdso]\n") == "4 pages, 2 pages");
  CHECK(found("") == "none");
  CHECK(found("7000-9000 r-xp 00000000 00:19 2                          /box/[vdso]\n") == "none");
}

TEST_CASE("virtual CPU: a program has none of the kernel's own pages, whose number differs between kernels", "[virtual]") {
  for (const Counter counter : kEngines) {
    TestRun run = Counted(counter, "print_maps");
    run.sandbox = "interpreter-sandbox";
    const TestResult result = RunTestProgram(run);
    CAPTURE(result.output);
    CHECK(result.code() == "OK");
    CHECK(result.output.find("[stack]") != std::string::npos);
    CHECK(result.output.find("[v") == result.output.find("[vsyscall]"));
  }
}

// The dynamic linker chooses by this bit, and dies of an illegal instruction where the real processor has none.
TEST_CASE("virtual CPU: a program cannot have the kernel's own pages mapped again", "[virtual]") {
  TestRun run = Counted(Counter::kStep, "changes_mode");
  run.arguments = {"vdso"};
  CHECK(RunTestProgram(run).output == "try vdso\nvdso: refused (EINVAL)\nEND\n");
}

TEST_CASE("virtual CPU: x86-64-v3 offers xsave and xsaveopt, not xsavec, which its first processors lack", "[virtual]") {
  const VirtualCpu v3({.model = CpuModel::kV3});
  CHECK(v3.Cpuid(0xd, 1).eax == 1);
  CHECK(v3.Cpuid(0xd, 1).ebx == 0);
}

TEST_CASE("virtual CPU: what a processor does not execute is named, and not offered to a program", "[virtual]") {
  const VirtualCpu v2({.model = CpuModel::kV2});
  const VirtualCpu v3({.model = CpuModel::kV3});
  CHECK(NotExecuted(v3, v2) == "pclmulqdq fma movbe aes xsave avx f16c abm bmi1 avx2 bmi2 xsaveopt osxsave");
  CHECK(NotExecuted(v2, v3).empty());
  if (const std::string missing = NotExecutedHere(CpuModel::kV3); !missing.empty()) {
    CHECK_THROWS_WITH(RunTestProgram(Counted(Counter::kTranslator, "hello")), HasPart("it has no " + missing));
  }
}

TEST_CASE("virtual CPU: x86-64-v2 is without AVX, BMI and XSAVE, and says so in its name", "[virtual]") {
  const VirtualCpu v2({.model = CpuModel::kV2});
  const VirtualCpu v3({.model = CpuModel::kV3});
  CHECK(v2.Cpuid(7, 0).ebx == 0);
  CHECK(v3.Cpuid(7, 0).ebx == (1U << 3 | 1U << 5 | 1U << 8 | 1U << 9));
  constexpr std::uint32_t kOsxsave = 1U << 27;
  constexpr std::uint32_t kAvx = 1U << 28;
  constexpr std::uint32_t kSse42 = 1U << 20;
  CHECK((v2.Cpuid(1, 0).ecx & (kOsxsave | kAvx | kSse42)) == kSse42);
  CHECK((v3.Cpuid(1, 0).ecx & (kOsxsave | kAvx | kSse42)) == (kOsxsave | kAvx | kSse42));
  CHECK(v2.Cpuid(0xd, 0).ebx == 0);
  CHECK(v2.Cpuid(0x8000'0002, 0).eax == v3.Cpuid(0x8000'0002, 0).eax);
  CHECK(v2.Cpuid(0x8000'0003, 0).ecx != v3.Cpuid(0x8000'0003, 0).ecx);

  std::vector<std::uint64_t> counts;
  for (const Counter counter : kEngines) {
    TestRun run = Counted(counter, "virtual_machine_dynamic");
    run.virtual_cpu.model = CpuModel::kV2;
    const TestResult result = RunTestProgram(run);
    CHECK(result.ended());
    CHECK(result.run.count_varies.empty());
    counts.push_back(CountOf(result));
  }
  CHECK(counts[0] == counts[1]);
}

TEST_CASE("virtual CPU: x86-64-v4 has AVX-512 where the machine does, and one count; v3 has none of it anywhere", "[virtual]") {
  const VirtualCpu v3({.model = CpuModel::kV3}), v4({.model = CpuModel::kV4});
  constexpr std::uint32_t kAvx512 = 1U << 16 | 1U << 17 | 1U << 28 | 1U << 30 | 1U << 31;
  CHECK(v4.Cpuid(7, 0).ebx == (v3.Cpuid(7, 0).ebx | kAvx512));
  CHECK(v4.Cpuid(0xd, 0).eax == 0xe7);
  CHECK(v4.Cpuid(1, 0).ecx == v3.Cpuid(1, 0).ecx);
  CHECK(NotExecuted(v4, v3) == "avx512f avx512dq avx512cd avx512bw avx512vl state of it that the kernel keeps");
  CHECK(NotExecuted(v3, v4).empty());
  TestRun run = Counted(Counter::kTranslator, "vectors_512");
  CHECK(RunTestProgram(run).run.signal == SIGILL);
  run.virtual_cpu.model = CpuModel::kV4;
  if (const std::string missing = NotExecutedHere(CpuModel::kV4); !missing.empty()) {
    CHECK_THROWS_WITH(RunTestProgram(run), HasPart("it has no " + missing));
    TALLY_SKIP("this processor has no AVX-512");
  }
  std::vector<std::uint64_t> counts;
  for (const Counter counter : kEngines) {
    CAPTURE(static_cast<int>(counter));
    run.counter = counter;
    const TestResult result = RunTestProgram(run);
    CHECK(result.output == "sum 5760 kept 1 masks 21845 state 231\nEND\n");
    CHECK(result.run.count_varies.empty());
    counts.push_back(CountOf(result));
  }
  CHECK(counts[0] == counts[1]);
}

TEST_CASE("virtual CPU: a rule that is off gives this machine's answers, and the result says so", "[virtual]") {
  const auto without = [](VirtualRule rule, const char* program) {
    TestRun run = Counted(Counter::kTranslator, program);
    run.virtual_cpu.rules.Remove(rule);
    TestResult result = RunTestProgram(run);
    CAPTURE(result.run.sentence);
    CHECK(result.ended());
    CHECK(result.run.count_varies == "rules of the virtual CPU were off");
    return result;
  };
  const TestResult random = without(VirtualRule::kRandom, "virtual_machine");
  CHECK(random.run.virtual_cpu.rules.Names() == "addresses cpu schedule system time");
  CHECK(random.output != without(VirtualRule::kRandom, "virtual_machine").output);
  CHECK(ValueOf(without(VirtualRule::kTime, "virtual_clocks").output, "time") > "1704067203");
  const TestResult system = without(VirtualRule::kSystem, "virtual_machine");
  CHECK(ValueOf(system.output, "sysinfo").find(" of 8589934592 ") == std::string::npos);
  CHECK(without(VirtualRule::kAddresses, "virtual_machine").output != without(VirtualRule::kAddresses, "virtual_machine").output);
  CHECK(without(VirtualRule::kCpu, "virtual_machine_dynamic").run.virtual_cpu.rules.Names() == "addresses random schedule system time");
}

TestRun WithProc(const std::string& program, const std::vector<std::string>& arguments) {
  TestRun run = Counted(Counter::kTranslator, program);
  run.arguments = arguments;
  run.sandbox = "interpreter-sandbox";
  return run;
}

TEST_CASE("virtual CPU: a folder is listed by name, however much of it the program has room for at a time", "[virtual]") {
  const TestResult all = RunTestProgram(WithProc("list_many", {"50"}));
  CHECK(all.run.count_varies.empty());
  std::string names = ".\n..\n";
  for (int i = 0; i < 50; ++i) names += fmt::format("f{:03}\n", i);
  CHECK(all.output == names + "END\n");
  const TestResult in_parts = RunTestProgram(WithProc("list_many", {"50", "512"}));
  CHECK(in_parts.code() == "OK");
  CHECK(in_parts.output == all.output);
  CHECK(in_parts.run.count_varies.empty());
  CHECK(RunTestProgram(WithProc("list_many", {"50", "16"})).run.exit_code == 4);  // EINVAL: not even one
}

TEST_CASE("virtual CPU: /proc tells of the virtual machine, and the result of what else was opened there", "[virtual]") {
  const TestResult all = RunTestProgram(WithProc("print_files", {"/proc/loadavg", "/proc/self/cgroup", "/proc//self/../self/coredump_filter",
                                                                 "/proc/sys/kernel/osrelease", "/proc/2/comm", "/box/proc/none"}));
  CHECK(all.run.count_varies == "the program opened /box/proc/none, where some of this machine or of the run can be seen");
  CHECK(all.output == "/proc/loadavg: 0.00 0.00 0.00 1/1 1\n\n/proc/self/cgroup: 0::/\n\n/proc//self/../self/coredump_filter: 00000033\n\n"
                      "/proc/sys/kernel/osrelease: 6.1.0\n\n/proc/2/comm: program\n\n/box/proc/none: ENOENT\nEND\n");
  const TestResult memory = RunTestProgram(WithProc("print_files", {"/proc/meminfo", "/proc/stat", "/proc/uptime", "/proc/self/maps", "/proc/cpuinfo"}));
  CHECK(memory.run.count_varies.empty());
  CHECK(memory.output.find("MemTotal:        8388608 kB\n") != std::string::npos);
  CHECK(memory.output.find("cpu0 ") != std::string::npos);
  CHECK(memory.output.find("cpu1 ") == std::string::npos);
  CHECK(memory.output.find("/proc/uptime: 0.00 0.00\n") != std::string::npos);
  CHECK(RunTestProgram(WithProc("print_files", {"/proc/self/task/2/comm", "/proc/thread-self/comm"})).run.count_varies.empty());
  CHECK(!RunTestProgram(WithProc("print_files", {"/proc/self/task/2/stat"})).run.count_varies.empty());
  // Whatever else this kernel has.
  const TestResult listed = RunTestProgram(WithProc("list_dir", {"/proc"}));
  CHECK(listed.run.count_varies.empty());
  CHECK(listed.output.find("/proc/1 dir\n/proc/2 dir\n/proc/cgroups file\n") == 0);
  CHECK(listed.output.find("/proc/uptime file\n/proc/version file\nEND\n") != std::string::npos);
  CHECK(listed.output.find("interrupts") == std::string::npos);
  // What a program names may be meant for a terminal.
  CHECK(RunTestProgram(WithProc("print_files", {"/proc/\x1b[31m\nOK"})).run.count_varies ==
        "the program opened a file of /proc, where some of this machine or of the run can be seen");
  CHECK(RunTestProgram(WithProc("print_files", {"/proc/self/status"})).run.count_varies ==
        "the program opened /proc/self/status, where some of this machine or of the run can be seen");
}

TEST_CASE("virtual CPU: children have used nothing, however they are waited for", "[virtual]") {
  for (const char* const how : {"wait4", "nohang", "waitid", "quiet"}) {
    TestRun run = Counted(Counter::kTranslator, "children_usage");
    run.arguments = {how};
    run.limits.processes = 2;
    const TestResult first = RunTestProgram(run);
    CAPTURE(how, first.run.sentence, first.run.count_varies);
    CHECK(first.output == (std::string(how) == "quiet" ? "something used\nEND\n" : "nothing used\nEND\n"));
    CHECK(first.run.count_varies.empty());
    CHECK(CountOf(RunTestProgram(run)) == CountOf(first));
  }
}

TEST_CASE("virtual CPU: a count that depends on more than the virtual CPU is not called deterministic", "[virtual]") {
  const auto why = [](TestRun run) { return RunTestProgram(run).run.count_varies; };
  CHECK(why(Counted(Counter::kTranslator, "hello")).empty());
  CHECK(why(Counted(Counter::kStep, "hello")).empty());
  CHECK(why(Counted(Counter::kStep, "signals_ok")) == "the program asked for a timer");
  CHECK(why(Counted(Counter::kTranslator, "list_dir")).empty());
  CHECK(why(Counted(Counter::kNone, "hello")) == "nothing counted");
  TestRun several = Counted(Counter::kStep, "fork_ok");
  several.limits.processes = 4;
  CHECK(why(several) == "there were several threads or processes");
  TestRun limited = Counted(Counter::kTranslator, "asks_time_forever");
  limited.limits.instructions = Instructions{50'000};
  CHECK(why(limited) == "the program was ended at a limit");
  if (CgroupsWork()) {  // then the kernel ends it, at a page that depends on what else of the run is charged
    TestRun large = Counted(Counter::kTranslator, "malloc_touch");
    large.arguments = {"32"};
    large.limits.memory = Bytes::MiB(8);
    CHECK(why(large) == "the program was ended at a limit");
  }
}

}  // namespace
}  // namespace tally
