#include "serve/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "jobs/job.h"
#include "jobs/own_paths.h"
#include "serve/message.h"
#include "supervisor/run/process_executor.h"

namespace tally::serve {
namespace {

using nlohmann::json;

// {"cmd": ..., "where": "cmd[0]", "streams": [0, 1]}: of the message's files, which is which stream.
json RunCmd(const json& request, std::vector<Fd> files, CmdRunner* runner) {
  std::vector<Fd> streams(3);
  const json& numbers = request.at("streams");
  for (std::size_t i = 0; i < numbers.size() && i < files.size(); ++i) streams.at(numbers[i].get<std::size_t>()) = std::move(files[i]);
  files.clear();
  return runner->Run(ParseCmd(request.at("cmd"), request.at("where").get<std::string>()), std::move(streams));
}

json RunJobOf(const json& object, const WorkerSettings& settings) {
  Environ environ;
  try {
    environ = Environ::Parse(object.dump(), "job");
    environ.set_rules({.plain_paths = settings.plain_paths});
    if (!settings.weak_isolation) RequireFullIsolation(environ);
    RunJob(&environ);
  } catch (const std::exception& error) {
    environ.Remove("inline_files");
    WriteFailure(WithoutOwnPaths(error.what()), &environ);
  }
  return environ.object();
}

}  // namespace

void BeWorker(int socket, pid_t server, const WorkerSettings& settings) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) throw SystemError("prctl(PR_SET_PDEATHSIG)", errno);
  // The server says when it is over. Who ends us all at one time, as systemd does and Ctrl-C, lets it finish what is in hand.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);
  if (::getppid() != server) return;
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  ProcessExecutor().cgroups().Find();
  CmdRunner runner(settings.runner);
  if (!Send(socket, "{}")) return;
  for (Message message; Receive(socket, &message);) {
    json answer, head = json::object();
    try {
      const json request = json::parse(message.text);
      answer = request.contains("job") ? RunJobOf(request["job"], settings) : RunCmd(request, std::move(message.files), &runner);
    } catch (const UserError& error) {
      answer = {{"status", "File Error"}, {"error", error.what()}, {"exitStatus", 0}, {"time", 0}, {"runTime", 0}, {"memory", 0}};
    } catch (const std::exception& error) {
      answer = {{"status", "Internal Error"}, {"error", error.what()}, {"exitStatus", 0}, {"time", 0}, {"runTime", 0}, {"memory", 0}};
    }
    message.files.clear();
    for (const char* key : {"status", "fileIds"}) {
      if (answer.contains(key)) head[key] = answer[key];
    }
    const auto text = [](const json& object) { return object.dump(-1, ' ', false, json::error_handler_t::replace); };
    if (!Send(socket, text(head) + "\n" + text(answer))) return;
    ProcessExecutor().RetireRuns();
  }
}

}  // namespace tally::serve
