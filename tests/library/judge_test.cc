// The library as its users call it (library/judge.h).
#include "library/judge.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/sys.h"
#include "sandboxes/sandbox_store.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

std::string Text(const RootSpec& root) {
  std::string text = fmt::format("{} {} {} {}\n", root.name, root.base_root, root.hostname, root.work_dir);
  for (const Mount& m : root.mounts) {
    text += fmt::format("{} {} {} {}{}{} {}\n", static_cast<int>(m.kind), m.source, m.target, m.writable, m.optional, m.executable, m.size.count);
  }
  for (const std::string& entry : root.env) text += entry + "\n";
  const SyscallPermissions& p = root.permissions;
  return text + fmt::format("{}{}{}{}{}{}\n", p.processes, p.file_writes, p.sockets, p.host_network, p.i386, p.any_other_is_enosys);
}

RunResult Run(const JudgedProgram& program, std::vector<std::string> argv, const std::string& output, Counter counter = Counter::kNone) {
  const Fd out(::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  RunRequest request;
  request.argv = std::move(argv);
  request.stdout_fd = out.get();
  request.counter = counter;
  request.limits.user_time = std::chrono::seconds(3);
  request.limits.wall_time = std::chrono::seconds(10);
  request.limits.idle_time = std::chrono::milliseconds(200);
  return program.Run(request);
}

TEST_CASE("library: the root of contest programs is the one that sandboxes/exec-sandbox.yaml describes") {
  const SandboxStore shipped(DescriptionFolders({TALLY_SOURCE_DIR "/sandboxes"}), ImageStore());
  CHECK(Text(ContestRoot()) == Text(shipped.Get("exec-sandbox")));
}

TEST_CASE("library: a program runs any number of times, and its result says how") {
  const ScratchFolder scratch;
  const JudgedProgram echo("/bin/echo");
  for (const char* word : {"one", "two"}) {
    const RunResult result = Run(echo, {"echo", word}, scratch.path() + "/out");
    CHECK(result.code == ResultCode::kOk);
    CHECK(sys::ReadFile(scratch.path() + "/out") == std::string(word) + "\n");
  }
  CHECK(Run(JudgedProgram("/bin/sleep"), {"sleep", "5"}, scratch.path() + "/out").code == ResultCode::kTle);
  CHECK(Run(JudgedProgram("/bin/false"), {}, scratch.path() + "/out").exit_code == 1);
}

TEST_CASE("library: one program is counted in one run and timed in another, and the count stays") {
  const ScratchFolder scratch;
  const JudgedProgram echo("/bin/echo");
  const RunResult first = Run(echo, {"echo"}, scratch.path() + "/out", Counter::kTranslator);
  CHECK(Run(echo, {"echo"}, scratch.path() + "/out").counter == "none");
  const RunResult again = Run(echo, {"echo"}, scratch.path() + "/out", Counter::kTranslator);
  REQUIRE(first.instructions.has_value());
  CHECK(first.instructions.value().count > 10'000);
  CHECK(first.instructions.value() == again.instructions.value());
}

TEST_CASE("library: what is no program is the caller's mistake") {
  const ScratchFolder scratch;
  const std::string text = scratch.Write("text", "no program\n");
  for (const std::string& path : {text, scratch.path(), scratch.path() + "/nothing"}) {
    CAPTURE(path);
    CHECK_THROWS_AS(JudgedProgram(path), UserError);
  }
}

}  // namespace
}  // namespace tally
