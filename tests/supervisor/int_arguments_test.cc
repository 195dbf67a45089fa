// Which arguments of system calls are 32 bits, as the kernel itself tells it (tracefs, events/syscalls/sys_enter_NAME/format).
#include "supervisor/tracing/int_arguments.h"

#include <linux/audit.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>

#include "supervisor/sandbox/seccomp/policy.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

constexpr std::uint64_t kMostCalls = 480;

// Whose type is unsigned long, and of which the kernel goes on with 32 bits all the same (kernel/fork.c, fs/read_write.c).
const std::set<std::uint64_t> kNarrowedLater = {SYS_clone, SYS_readv, SYS_writev, SYS_preadv, SYS_pwritev, SYS_preadv2, SYS_pwritev2};

const std::map<std::string, std::string> kOtherNames = {{"fstat", "newfstat"}, {"sendfile", "sendfile64"}};

bool IsOf32Bits(const std::string& type) {
  static const std::set<std::string> types = {"int", "unsigned int", "unsigned", "pid_t", "const clockid_t", "clockid_t", "timer_t", "umode_t", "u32", "rwf_t"};
  return types.contains(type);
}

// Of the arguments that `format` lists; nothing: there is no such file.
std::optional<std::uint8_t> IntsIn(const std::string& format) {
  std::ifstream file(format);
  if (!file) return std::nullopt;
  static const std::regex field("field:(.*[ *])\\w+;\toffset:(\\d+);.*");
  std::uint8_t ints = 0;
  int argument = 0;
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, field) || std::stoi(match[2]) < 16) continue;
    std::string type = match[1];
    while (type.ends_with(' ')) type.pop_back();
    if (IsOf32Bits(type)) ints = static_cast<std::uint8_t>(ints | 1U << argument);
    ++argument;
  }
  return ints;
}

// How many of the table's calls the kernel tells of, each line of `differ` one that is otherwise.
std::size_t Compare(const std::string& tracefs, std::string* differ) {
  std::size_t compared = 0;
  for (std::uint64_t number = 0; number < kMostCalls; ++number) {
    const std::uint8_t ours = IntArguments(number);
    if (ours == 0) continue;
    std::string name = SyscallName(Abi::kX86_64, number);
    if (const auto other = kOtherNames.find(name); other != kOtherNames.end()) name = other->second;
    const auto theirs = IntsIn(tracefs + "/events/syscalls/sys_enter_" + name + "/format");
    if (!theirs) continue;
    ++compared;
    const bool is_same = kNarrowedLater.contains(number) ? (ours & ~1) == (*theirs & ~1) : ours == *theirs;
    if (!is_same) *differ += name + "\n";
  }
  return compared;
}

TEST_CASE("int arguments: they are the kernel's, and no address is among them", "[isolation]") {
  if (::geteuid() != 0) TALLY_SKIP("only root can mount tracefs, where the kernel tells of its system calls");
  const ScratchFolder folder;
  const std::string report = folder.path() + "/report";
  const pid_t child = ::fork();  // with mounts of its own
  if (child == 0) {
    const bool is_mounted = ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                            ::mkdir((folder.path() + "/tracefs").c_str(), 0700) == 0 &&
                            ::mount("tracefs", (folder.path() + "/tracefs").c_str(), "tracefs", 0, nullptr) == 0;
    std::string differ;
    const std::size_t compared = is_mounted ? Compare(folder.path() + "/tracefs", &differ) : 0;
    std::ofstream(report) << compared << "\n" << differ;
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  std::ifstream file(report);
  std::size_t compared = 0;
  file >> compared;
  if (compared == 0) TALLY_SKIP("this kernel does not tell of its system calls (CONFIG_FTRACE_SYSCALLS)");
  std::string differ;
  file >> differ;
  CAPTURE(compared);
  CHECK(compared > 90);
  CHECK(differ.empty());
}

TEST_CASE("int arguments: a stopped call has nothing in their upper halves, and addresses as they are", "[isolation]") {
  const std::uint64_t all = 0x1234'5678'9abc'def0;
  const StoppedCall call = MakeStoppedCall(AUDIT_ARCH_X86_64, SYS_arch_prctl, {0x1'0000'2003, all, all, all, all, all}, 0);
  CHECK(call.arguments[0] == 0x2003);
  CHECK(call.arguments[1] == all);
  CHECK(MakeStoppedCall(AUDIT_ARCH_X86_64, SYS_mmap, {all, all, all, all, ~0ULL, all}, 0).arguments[4] == ~0ULL);
}

}  // namespace
}  // namespace tally
