// An instance: answers one request after the other, for as long as its worker lives. If the worker is killed, the kernel
// kills it (PR_SET_PDEATHSIG), and with it the init of whatever runs in a sandbox (supervisor/sandbox/child_setup.h).
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/sys.h"
#include "dispatcher/answerer.h"
#include "dispatcher/commands.h"
#include "dispatcher/frames.h"
#include "jobs/files.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

struct InstanceArguments {
  int socket = -1;
  int lock = -1;  // of the worker's folder: kept open, and that is all
  pid_t parent = 0;
  std::size_t number = 0;  // among its worker's instances
};

void DieWithWorker(pid_t worker) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) throw SystemError("prctl(PR_SET_PDEATHSIG)", errno);
  if (::getppid() != worker) ::_exit(kExitSystemError);  // it died before we asked
}

// Where memory runs out, better one request than the worker with all of them.
void OfferToOutOfMemoryKiller() { sys::TryWriteFile("/proc/self/oom_score_adj", "500"); }

void PassToNobody(int fd) { ::fcntl(fd, F_SETFD, FD_CLOEXEC); }

int RunInstance(const InstanceArguments& arguments) {
  DieWithWorker(arguments.parent);
  PassToNobody(arguments.socket);
  PassToNobody(arguments.lock);
  OfferToOutOfMemoryKiller();
  const std::optional<Frame> settings = ReceiveFrame(arguments.socket);
  if (!settings || settings->kind != FrameKind::kSettings) return kExitSystemError;
  // What an instance before us left when it was killed.
  if (const char* const folder = std::getenv("TMPDIR")) EmptyFolder(folder);
  ProcessExecutor().cgroups().Find();
  ProcessExecutor().PrepareForManyRuns();
  InstanceSettings own = ReadInstanceSettings(settings->body);
  own.evaluation.instance = arguments.number;
  Answerer answerer(own);
  SendFrame(arguments.socket, FrameKind::kReady, answerer.quota());
  while (const std::optional<Frame> request = ReceiveFrame(arguments.socket)) {
    if (request->kind == FrameKind::kUser) {
      answerer.set_user(request->body);
      continue;
    }
    SendFrame(arguments.socket, FrameKind::kAnswer, answerer.Answer(request->kind, request->body));
    ProcessExecutor().RetireRuns();  // for who waits for the next request holds no files of the last one
  }
  return kExitJobRan;
}

}  // namespace

void AddInstanceCommand(CommandLine* line) {
  Command command = line->Add("instance", "Started by a worker");
  command.Hide();
  auto arguments = std::make_shared<InstanceArguments>();
  command.Option("socket", arguments->socket).Required();
  command.Option("lock", arguments->lock).Required();
  command.Option("parent", arguments->parent).Required();
  command.Option("number", arguments->number).Required();
  command.Does([arguments] { return RunInstance(*arguments); });
}

}  // namespace tally
